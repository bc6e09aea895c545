/*
 * Times of the server as a person says them: "3 min ago", "in 2 h".
 */
#ifndef CLI_TIMES_H
#define CLI_TIMES_H

#include <stdbool.h>
#include <stddef.h>

/* Reads a time with its zone in the form that PostgreSQL writes with DateStyle ISO, as seconds since 1970.  False: the text
 * has another form, for example "infinity". */
bool times_read(const char *text, double *ret_seconds);

/* Writes a time relative to `now`, both in seconds since 1970, into `text`, which has `size` bytes. */
void times_say(double seconds, double now, char *text, size_t size);

#endif
