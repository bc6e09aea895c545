/*
 * Queues and task types as the database knows them, and the groups that serve them.
 */
#include "task/worker_private.h"

/* The groups for all other queues follow the queues that exist. */
static void
follow_other_queues(struct worker *worker)
{
    struct buf others;

    buf_init(&others, BOUND_QUEUES * 68);
    buf_puts(&others, "{");
    for (int i = 0; i < worker->queue_count; i++) {
        bool is_listed = false;

        for (int j = 0; j < worker->options->queue_count; j++)
            is_listed = is_listed || strcmp(worker->options->queues[j].name, worker->queues[i].name) == 0;
        if (!is_listed)
            buf_printf(&others, "%s\"%s\"", others.length > 1 ? "," : "", worker->queues[i].name);
    }
    buf_puts(&others, "}");
    for (int i = 0; i < worker->group_count; i++) {
        if (!worker->groups[i].is_others)
            continue;
        free(worker->groups[i].queues);
        worker->groups[i].queues = must_strdup(others.text);
    }
    buf_release(&others);
}

/* Does the group serve task types of this channel?  Channel NULL: of database work. */
static bool
serves(const struct worker *worker, const struct queue_group *group, const char *adapter)
{
    int channel = adapter == NULL ? -1 : channel_find(adapter);

    if (worker->options->carrier != NULL && (channel < 0 || !channel_is_carried(channel)))
        return false; /* The carrier named a type that is not for it. */
    if (adapter == NULL || !group->is_calls)
        return adapter == NULL && !group->is_calls;
    if (channel < 0 || channel_provider(worker->channels, channel) == NULL)
        return false;
    if (channel_rate(worker->channels, channel) > 0)
        return group->channel == channel;
    return group->channel < 0;
}

/* An array literal of the types that a group serves; group NULL: that any group serves.  NULL: none. */
static char *
types_of(const struct worker *worker, const struct queue_group *group, const struct db_result *result)
{
    struct buf literal;
    char *types = NULL;

    buf_init(&literal, BOUND_QUEUES * 68);
    for (int row = 0; row < db_result_rows(result); row++) {
        bool is_served = false;

        if (strcmp(db_result_text(result, row, 0), "type") != 0)
            continue;
        for (int i = 0; i < worker->group_count; i++) {
            if (group == NULL || group == &worker->groups[i])
                is_served = is_served || serves(worker, &worker->groups[i], db_result_text(result, row, 2));
        }
        if (is_served)
            buf_printf(&literal, "%s\"%s\"", literal.length == 0 ? "{" : ",", db_result_text(result, row, 1));
    }
    if (literal.length > 0) {
        buf_puts(&literal, "}");
        types = must_strdup(literal.text);
    }
    buf_release(&literal);
    return types;
}

struct known_queue *
settings_queue(const struct worker *worker, const char *name)
{
    for (int i = 0; i < worker->queue_count; i++) {
        if (strcmp(worker->queues[i].name, name) == 0)
            return &worker->queues[i];
    }
    return NULL;
}

const struct hint *
settings_lane(const struct worker *worker, const struct known_queue *queue)
{
    const struct queue_group *group;

    if (queue == NULL || queue->is_limited || queue->last_group < 0)
        return NULL;
    group = &worker->groups[queue->last_group];
    if (group->is_calls && worker->options->carrier == NULL)
        return NULL;
    return group->types == NULL ? NULL : hints_find(&group->hints, queue->name, queue->last_priority);
}

void
settings_take(struct worker *worker, const struct db_result *result)
{
    int rows = db_result_rows(result);

    free(worker->types);
    worker->types = types_of(worker, NULL, result);
    for (int i = 0; i < worker->group_count; i++) {
        free(worker->groups[i].types);
        worker->groups[i].types = types_of(worker, &worker->groups[i], result);
    }
    free(worker->queues);
    worker->queue_count = 0;
    worker->queues = must_alloc((size_t)(rows + 1) * sizeof(worker->queues[0]));
    for (int i = 0; i < rows && worker->queue_count < BOUND_QUEUES; i++) {
        struct known_queue *queue = &worker->queues[worker->queue_count];

        if (strcmp(db_result_text(result, i, 0), "queue") != 0)
            continue;
        (void)snprintf(queue->name, sizeof(queue->name), "%s", db_result_text(result, i, 1));
        queue->is_limited = db_result_text(result, i, 2) != NULL;
        queue->last_group = -1;
        queue->misses = 0;
        queue->direct_claims_off = 0;
        worker->queue_count++;
    }
    for (int i = 0; i < worker->group_count; i++) {
        worker->groups[i].has_since = false; /* A pause may have ended, or a type may be served now. */
        worker->agenda.groups[i].is_served = worker->groups[i].types != NULL;
        worker->agenda.groups[i].has_rate = worker->groups[i].channel >= 0;
        agenda_force_front(&worker->agenda, i);
    }
    follow_other_queues(worker);
}
