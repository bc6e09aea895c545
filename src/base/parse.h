/*
 * Strict reading of numbers, durations and booleans: the whole text must be one value, in range.  False: it is not, and
 * `err`, which may be NULL, says why.
 */
#ifndef BASE_PARSE_H
#define BASE_PARSE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

/* A whole number between `low` and `high`. */
NODISCARD bool parse_int(const char *text, int64_t low, int64_t high, int64_t *ret_value, struct err *err);

/* A number of seconds ("0.5", "30"), or a number with a unit (ms, s, min, h, d); the result is in milliseconds. */
NODISCARD bool parse_duration_ms(const char *text, int64_t *ret_ms, struct err *err);

/* on, off, true, false, yes, no, 1, 0. */
NODISCARD bool parse_bool(const char *text, bool *ret_value, struct err *err);

#endif
