/*
 * What comes from outside and is different each time: the wall clock and chance.  Nothing else asks for them,
 * so that a simulation decides both (test/simulation).  Monotonic time belongs to the loop.
 */
#ifndef BASE_OUTSIDE_H
#define BASE_OUTSIDE_H

#include <stddef.h>
#include <stdint.h>

/* Milliseconds since 1970. */
int64_t outside_wall_ms(void);

/* Random bytes, or the end of the process if there are none. */
void outside_random(void *bytes, size_t length);

#endif
