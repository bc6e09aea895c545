/*
 * Hints: where the last claim of a group was, per queue and priority ("lane").  They are kept only
 * here, and only say where to begin: nothing is lost with them.
 */
#include <inttypes.h>

#include "task/worker_private.h"

/* The place only moves on: what a claim from the front finds far behind it was late. */
void
hint_remember(struct queue_group *group, const char *queue, const char *priority, const char *at, int64_t id)
{
    struct claim_hint *hint = NULL;

    if (group->hints == NULL)
        group->hints = must_alloc(sizeof(*group->hints) * BOUND_HINTS);
    for (int i = 0; i < group->hint_count && hint == NULL; i++) {
        if (strcmp(group->hints[i].queue, queue) == 0 && strcmp(group->hints[i].priority, priority) == 0)
            hint = &group->hints[i];
    }
    /* Times of a fixed form compare like texts. */
    if (hint != NULL && (strcmp(hint->at, at) > 0 || (strcmp(hint->at, at) == 0 && hint->id >= id)))
        return;
    if (hint == NULL && group->hint_count == BOUND_HINTS)
        group->hint_count = 0; /* Too many lanes to remember: begin again. */
    if (hint == NULL)
        hint = &group->hints[group->hint_count++];
    (void)snprintf(hint->queue, sizeof(hint->queue), "%s", queue);
    (void)snprintf(hint->priority, sizeof(hint->priority), "%s", priority);
    (void)snprintf(hint->at, sizeof(hint->at), "%s", at);
    hint->id = id;
}

/* Its own lanes, and those that only other groups know: it need not look for these. */
static void
gather_lanes(const struct worker *worker, const struct queue_group *own, struct queue_group *lanes)
{
    for (int i = 0; i < own->hint_count; i++)
        hint_remember(lanes, own->hints[i].queue, own->hints[i].priority, own->hints[i].at, own->hints[i].id);
    for (int i = 0; i < worker->group_count && own->has_since; i++) {
        const struct queue_group *other = &worker->groups[i];

        for (int j = 0; j < other->hint_count && lanes->hint_count < BOUND_HINTS; j++)
            hint_remember(lanes, other->hints[j].queue, other->hints[j].priority, "", 0);
    }
}

/* {"queue": {"priority": "time"}, "*": seconds}, or exactly ["time", task], for jsonb: the last of
 * equal keys would win, so the priorities of one queue are gathered.  Seconds, because our clock
 * is not the server's. */
void
hint_add(const struct worker *worker, const struct queue_group *own, bool is_exact, struct buf *json)
{
    struct queue_group lanes = {0};
    const struct queue_group *group = &lanes;
    const char *separator = "{";

    gather_lanes(worker, own, &lanes);

    for (int i = 0; i < group->hint_count; i++) {
        const char *queue = group->hints[i].queue;
        bool is_first = true;

        for (int j = 0; j < i && is_first; j++)
            is_first = strcmp(group->hints[j].queue, queue) != 0;
        if (!is_first)
            continue;
        buf_printf(json, "%s\"%s\":", separator, queue);
        separator = "{";
        for (int j = i; j < group->hint_count; j++) {
            if (strcmp(group->hints[j].queue, queue) != 0)
                continue;
            buf_printf(json, "%s\"%s\":", separator, group->hints[j].priority);
            if (group->hints[j].at[0] == '\0')
                buf_puts(json, "0");
            else if (is_exact)
                buf_printf(json, "[\"%s\",%" PRId64 "]", group->hints[j].at, group->hints[j].id);
            else
                buf_printf(json, "\"%s\"", group->hints[j].at);
            separator = ",";
        }
        buf_puts(json, "}");
        separator = ",";
    }
    if (own->has_since)
        buf_printf(
            json, "%s\"*\":%.3f", separator, (double)(loop_now_ms(worker->loop) - own->since_ms) / 1000 + (is_exact ? 0 : 1));
    buf_puts(json, group->hint_count == 0 && !own->has_since ? "{}" : "}");
    free(lanes.hints);
}
