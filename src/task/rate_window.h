/*
 * How much happened lately: a count in this stretch of BOUND_AHEAD_MS, and in the one before.
 */
#ifndef TASK_RATE_WINDOW_H
#define TASK_RATE_WINDOW_H

#include <stdint.h>

struct rate_window {
    int64_t stretch;
    int now;
    int before;
};

void rate_window_add(struct rate_window *window, int64_t now_ms, int count);

/* In the last full stretch. */
int rate_window_last(struct rate_window *window, int64_t now_ms);

#endif
