/*
 * Hints: the position of a group's last claim in each lane (a queue and a priority).  A hint only says where the next claim
 * begins.  Hints are kept in memory alone; without them a claim takes longer, and no task is lost.
 */
#ifndef TASK_HINTS_H
#define TASK_HINTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

/* Position of the last task that was claimed in a lane. */
struct hint {
    char queue[64];
    char priority[24];
    char at[48]; /* due time of the last claimed task, as the server wrote it; empty: the position is not known */
    int64_t id;  /* id of the last claimed task of the lane */
};

/* Hints of a group; hints_release frees them. */
struct hints {
    struct hint *lanes; /* owned; sorted by queue and priority; NULL: none yet */
    int count;
};

/* Records the position of a claimed task.  Texts are copied.  A new lane beyond BOUND_HINTS replaces all others.  A
 * position never moves back: a task that a claim from the front finds before it was committed late. */
void hints_remember(struct hints *hints, const char *queue, const char *priority, const char *at, int64_t id);

/* Adds copies of the lanes and positions of `others`. */
void hints_join(struct hints *hints, const struct hints *others);

/* Adds the lanes that only `others` have, without their positions. */
void hints_learn(struct hints *hints, const struct hints *others);

/* The hint belongs to `hints`, and is valid until the next change of them.  NULL: the lane is not known. */
const struct hint *hints_find(const struct hints *hints, const char *queue, const char *priority);

/* Appends the hints as JSON for queues.claim_batch.  If json->overflowed is set afterwards, the text is of no use.  since_s: age
 * in seconds of the time up to which every due task was found; negative: not known. */
void hints_write(const struct hints *hints, bool is_exact, double since_s, struct buf *json);

/* Frees all hints. */
void hints_release(struct hints *hints);

#endif
