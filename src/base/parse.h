/*
 * Strict reading of numbers, durations and booleans: the whole text must be one value, in range.  False: it is not, and
 * `err`, which may be NULL, says why; *ret_value and *ret_ms keep their values.
 */
#ifndef BASE_PARSE_H
#define BASE_PARSE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

/* Reads a whole decimal number from `low` to `high`, both included. */
NODISCARD bool parse_int(const char *text, int64_t low, int64_t high, int64_t *ret_value, struct err *err);

/* Reads a number of seconds ("0.5", "30"), or a number with a unit (ms, s, min, h, d); the result is in milliseconds, rounded
 * and never negative.  More than 3.2e12 ms, about a hundred years, are refused. */
NODISCARD bool parse_duration_ms(const char *text, int64_t *ret_ms, struct err *err);

/* Reads on, off, true, false, yes, no, 1 or 0. */
NODISCARD bool parse_bool(const char *text, bool *ret_value, struct err *err);

#endif
