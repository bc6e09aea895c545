#include "task/hints.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bounds.h"
#include "base/err.h"

static int
compare(const struct hint *hint, const char *queue, const char *priority)
{
    int order = strcmp(hint->queue, queue);

    return order != 0 ? order : strcmp(hint->priority, priority);
}

/* Index of the lane, or the index at which it belongs. */
static int
index_of(const struct hints *hints, const char *queue, const char *priority)
{
    int low = 0;
    int high = hints->count;

    while (low < high) {
        int middle = (low + high) / 2;

        if (compare(&hints->lanes[middle], queue, priority) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct hint *
hints_find(const struct hints *hints, const char *queue, const char *priority)
{
    int index = index_of(hints, queue, priority);

    return index < hints->count && compare(&hints->lanes[index], queue, priority) == 0 ? &hints->lanes[index] : NULL;
}

void
hints_remember(struct hints *hints, const char *queue, const char *priority, const char *at, int64_t id)
{
    int index = index_of(hints, queue, priority);
    struct hint *hint;

    if (hints->lanes == NULL)
        hints->lanes = must_alloc(sizeof(*hints->lanes) * BOUND_HINTS);
    if (index == hints->count || compare(&hints->lanes[index], queue, priority) != 0) {
        if (hints->count == BOUND_HINTS) {
            hints->count = 0; /* Too many lanes to remember: begin again. */
            index = 0;
        }
        memmove(&hints->lanes[index + 1], &hints->lanes[index], sizeof(*hint) * (size_t)(hints->count - index));
        hints->count++;
        hint = &hints->lanes[index];
        *hint = (struct hint){0};
        (void)snprintf(hint->queue, sizeof(hint->queue), "%s", queue);
        (void)snprintf(hint->priority, sizeof(hint->priority), "%s", priority);
    }
    hint = &hints->lanes[index];
    /* The times have a fixed format, so they compare like texts. */
    if (strcmp(hint->at, at) > 0 || (strcmp(hint->at, at) == 0 && hint->id >= id))
        return;
    (void)snprintf(hint->at, sizeof(hint->at), "%s", at);
    hint->id = id;
}

void
hints_join(struct hints *hints, const struct hints *others)
{
    for (int i = 0; i < others->count; i++)
        hints_remember(hints, others->lanes[i].queue, others->lanes[i].priority, others->lanes[i].at, others->lanes[i].id);
}

void
hints_learn(struct hints *hints, const struct hints *others)
{
    for (int i = 0; i < others->count && hints->count < BOUND_HINTS; i++)
        hints_remember(hints, others->lanes[i].queue, others->lanes[i].priority, "", 0);
}

static void
write_position(const struct hint *hint, bool is_exact, struct buf *json)
{
    if (hint->at[0] == '\0') {
        buf_puts(json, "0");
    } else if (is_exact) {
        buf_puts(json, "[");
        buf_json(json, hint->at);
        buf_printf(json, ",%" PRId64 "]", hint->id);
    } else {
        buf_json(json, hint->at);
    }
}

/* Writes {"queue": {"priority": "time"}, "*": seconds}; an exact hint has ["time", task] instead of "time".  "*" is an age
 * in seconds, because the clock of this machine is not the server's. */
void
hints_write(const struct hints *hints, bool is_exact, double since_s, struct buf *json)
{
    const char *queue = NULL;

    buf_puts(json, "{");
    for (int i = 0; i < hints->count; i++) {
        const struct hint *hint = &hints->lanes[i];

        if (queue == NULL || strcmp(hint->queue, queue) != 0) {
            buf_puts(json, queue == NULL ? "" : "},");
            buf_json(json, hint->queue);
            buf_puts(json, ":{");
        } else {
            buf_puts(json, ",");
        }
        buf_json(json, hint->priority);
        buf_puts(json, ":");
        write_position(hint, is_exact, json);
        queue = hint->queue;
    }
    buf_puts(json, queue == NULL ? "" : "}");
    if (since_s >= 0)
        buf_printf(json, "%s\"*\":%.3f", queue == NULL ? "" : ",", since_s);
    buf_puts(json, "}");
}

void
hints_release(struct hints *hints)
{
    free(hints->lanes);
    *hints = (struct hints){0};
}
