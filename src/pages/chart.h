/*
 * Charts as SVG, without scripts.
 */
#ifndef PAGES_CHART_H
#define PAGES_CHART_H

#include <jansson.h>

#include "pages/html.h"

/* Adds bars of the last hour: rows have minute_no (0: the oldest), minute, good and bad; `count` is the number of minutes. */
void chart_minutes(struct html *html, const json_t *rows, int count, const char *label);

/* Adds a small line of numbers, as bars without axes. */
void chart_spark(struct html *html, const json_t *numbers, const char *label);

/* Adds a strip with one square for each fire of a schedule, oldest first. */
void chart_fires(struct html *html, const json_t *fires);

#endif
