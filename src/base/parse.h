/*
 * Strict reading of numbers and durations: the whole text must be one, in range.
 */
#ifndef BASE_PARSE_H
#define BASE_PARSE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

/* A whole number between `low` and `high`. */
NODISCARD bool parse_int(const char *text, int64_t low, int64_t high, int64_t *ret_value, struct err *err);

/* Seconds, with a fraction if wanted ("0.5", "30"), or with a unit (ms, s, min, h, d). */
NODISCARD bool parse_duration_ms(const char *text, int64_t *ret_ms, struct err *err);

/* on, off, true, false, yes, no, 1, 0. */
NODISCARD bool parse_bool(const char *text, bool *ret_value, struct err *err);

#endif
