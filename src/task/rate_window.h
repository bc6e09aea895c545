/*
 * A rate window counts events of the last moments: in this stretch of BOUND_AHEAD_MS, and in the one before.
 */
#ifndef TASK_RATE_WINDOW_H
#define TASK_RATE_WINDOW_H

#include <stdint.h>

/* Counts of two windows of BOUND_AHEAD_MS.  {0} is an empty one. */
struct rate_window {
    int64_t stretch; /* number of the current stretch */
    int now;         /* count in the current stretch */
    int before;      /* count in the stretch before it */
};

/* Counts in the current window. */
void rate_window_add(struct rate_window *window, int64_t now_ms, int count);

/* Count in the last full stretch. */
int rate_window_last(struct rate_window *window, int64_t now_ms);

#endif
