/*
 * How much happened lately: a count in this stretch of BOUND_AHEAD_MS, and in the one before.
 */
#ifndef TASK_TALLY_H
#define TASK_TALLY_H

#include <stdint.h>

struct tally {
    int64_t stretch;
    int now;
    int before;
};

void tally_add(struct tally *tally, int64_t now_ms, int count);

/* In the last full stretch. */
int tally_last(struct tally *tally, int64_t now_ms);

#endif
