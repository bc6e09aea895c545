/*
 * The wall clock and random bytes.  No other file asks the system for them, so that a simulation can replace both
 * (test/simulation).  Monotonic time belongs to the loop.
 */
#ifndef BASE_OUTSIDE_H
#define BASE_OUTSIDE_H

#include <stddef.h>
#include <stdint.h>

/* Time of the wall clock, in milliseconds since 1970. */
int64_t outside_wall_ms(void);

/* The same in microseconds. */
int64_t outside_wall_us(void);

/* Fills `bytes` with `length` random bytes.  If the system has none, the process ends. */
void outside_random(void *bytes, size_t length);

#endif
