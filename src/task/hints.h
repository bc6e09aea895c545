/*
 * Hints: where the last claim of a group was, per queue and priority ("lane").  They are kept only
 * here, and only say where to begin: nothing is lost with them.
 */
#ifndef TASK_HINTS_H
#define TASK_HINTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

struct hint {
    char queue[64];
    char priority[24];
    char at[48]; /* empty: the lane is known, the place is not */
    int64_t id;  /* the last task there that was claimed */
};

struct hints {
    struct hint *lanes; /* in the order of queue and priority; NULL: none yet */
    int count;
};

/* The place only moves on: what a claim from the front finds far behind it was late. */
void hints_remember(struct hints *hints, const char *queue, const char *priority, const char *at, int64_t id);

/* All that others know. */
void hints_join(struct hints *hints, const struct hints *others);

/* Lanes that only others know, without their places. */
void hints_learn(struct hints *hints, const struct hints *others);

/* NULL: nothing is known of that lane. */
const struct hint *hints_find(const struct hints *hints, const char *queue, const char *priority);

/* As queues.claim reads them.  since_s: all that was due so many seconds ago was found; negative: not known. */
void hints_write(const struct hints *hints, bool is_exact, double since_s, struct buf *json);

void hints_release(struct hints *hints);

#endif
