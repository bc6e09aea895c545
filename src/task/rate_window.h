/*
 * A rate window counts events of the last moments: in this stretch of BOUND_AHEAD_MS, and in the one before.
 */
#ifndef TASK_RATE_WINDOW_H
#define TASK_RATE_WINDOW_H

#include <stdint.h>

/* Counts of two stretches of BOUND_AHEAD_MS.  {0} has counted nothing. */
struct rate_window {
    int64_t stretch; /* number of the current stretch */
    int now;         /* count in the current stretch */
    int before;      /* count in the stretch before it */
};

/* Adds `count` events at the time now_ms of loop_now_ms. */
void rate_window_add(struct rate_window *window, int64_t now_ms, int count);

/* Number of events in the last full stretch of BOUND_AHEAD_MS before now_ms. */
int rate_window_last(struct rate_window *window, int64_t now_ms);

#endif
