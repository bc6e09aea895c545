#include "task/task.h"

#include <assert.h>

#include "base/err.h"
#include "base/log.h"
#include "channel/channel.h"
#include "http/http_client.h"

struct task_rule {
    enum task_state from;
    enum task_event event;
    enum task_state to;
    const char *text;
};

/* clang-format off */
static const struct task_rule rules[] = {
    /* from           event              to               said in the log */
    {TASK_WAITING,   EVENT_SENT,         TASK_RUNNING,    "task started"},
    {TASK_WAITING,   EVENT_BEGIN_SENT,   TASK_BEGINNING,  "task being announced"},
    {TASK_WAITING,   EVENT_ANSWERED,     TASK_ANSWERED,   "task has a result already"},
    {TASK_WAITING,   EVENT_RELEASED,     TASK_DONE,       "task released"},
    {TASK_WAITING,   EVENT_LOST,         TASK_DONE,       "task lost before it started"},
    {TASK_RUNNING,   EVENT_COMMITTED,    TASK_DONE,       "task ended"},
    {TASK_RUNNING,   EVENT_PREPARED,     TASK_WAITING,    "command prepared"},
    {TASK_RUNNING,   EVENT_NOT_REACHED,  TASK_WAITING,    "task put off to the next batch"},
    {TASK_RUNNING,   EVENT_INTERRUPTED,  TASK_WAITING,    "task interrupted"},
    {TASK_RUNNING,   EVENT_BUSY,         TASK_DEFERRED,   "task still held by another session"},
    {TASK_RUNNING,   EVENT_ANSWERED,     TASK_ANSWERED,   "task failed without a record"},
    {TASK_RUNNING,   EVENT_RELEASED,     TASK_DONE,       "task cancelled and released"},
    {TASK_RUNNING,   EVENT_LOST,         TASK_DONE,       "task lost while it ran"},
    {TASK_BEGINNING, EVENT_BEGUN,        TASK_ANNOUNCED,  "task announced"},
    {TASK_BEGINNING, EVENT_ANSWERED,     TASK_ANSWERED,   "task ended before its call"},
    {TASK_BEGINNING, EVENT_COMMITTED,    TASK_DONE,       "task completed before its call"},
    {TASK_BEGINNING, EVENT_INTERRUPTED,  TASK_WAITING,    "announcement interrupted"},
    {TASK_BEGINNING, EVENT_RELEASED,     TASK_DONE,       "task released before its call"},
    {TASK_BEGINNING, EVENT_LOST,         TASK_DONE,       "task lost before its call"},
    {TASK_ANNOUNCED, EVENT_CALLED,       TASK_CALLING,    "call started"},
    {TASK_ANNOUNCED, EVENT_ANSWERED,     TASK_ANSWERED,   "call left out"},
    {TASK_ANNOUNCED, EVENT_LOST,         TASK_DONE,       "call left to its lease"},
    {TASK_CALLING,   EVENT_ANSWERED,     TASK_ANSWERED,   "call ended"},
    {TASK_CALLING,   EVENT_LOST,         TASK_DONE,       "call left to its lease"},
    {TASK_ANSWERED,  EVENT_REPORT_SENT,  TASK_REPORTING,  "outcome reported"},
    {TASK_ANSWERED,  EVENT_LOST,         TASK_DONE,       "outcome not recorded"},
    {TASK_REPORTING, EVENT_COMMITTED,    TASK_DONE,       "outcome recorded"},
    {TASK_REPORTING, EVENT_INTERRUPTED,  TASK_ANSWERED,   "report interrupted"},
    {TASK_REPORTING, EVENT_BUSY,         TASK_DEFERRED,   "report put off"},
    {TASK_REPORTING, EVENT_LOST,         TASK_DONE,       "report came too late"},
    {TASK_DEFERRED,  EVENT_RETRY_DUE,    TASK_WAITING,    "task asked for again"},
    {TASK_DEFERRED,  EVENT_ANSWERED,     TASK_ANSWERED,   "report due again"},
    {TASK_DEFERRED,  EVENT_RELEASED,     TASK_DONE,       "task released"},
    {TASK_DEFERRED,  EVENT_LOST,         TASK_DONE,       "task lost"},
};
/* clang-format on */

static const struct task_rule *
rule_find(enum task_state from, enum task_event event)
{
    for (size_t i = 0; i < LENGTH(rules); i++) {
        if (rules[i].from == from && rules[i].event == event)
            return &rules[i];
    }
    return NULL;
}

bool
task_rule_exists(enum task_state from, enum task_event event, enum task_state *ret_to)
{
    const struct task_rule *rule = rule_find(from, event);

    if (rule != NULL)
        *ret_to = rule->to;
    return rule != NULL;
}

struct task *
task_new_like(const struct task *like)
{
    struct task *task = must_alloc(sizeof(*task));

    *task = *like;
    list_init(&task->held);
    list_init(&task->node);
    task->state = TASK_WAITING;
    return task;
}

void
task_log(const struct task *task, int level, const char *event, const char *key, const char *value)
{
    if (!log_is_on((enum log_level)level))
        return;
    log_event((enum log_level)level, event, "task_id", LOG_I64(task->id), "lease_no", LOG_I64(task->lease_no), "task_type",
        task->type, "queue", task->queue, key, value, NULL);
}

void
task_move(struct task *task, enum task_event event)
{
    const struct task_rule *rule = rule_find(task->state, event);

    assert(rule != NULL); /* An absent row is a bug, never a case. */
    task->state = rule->to;
    task_log(task, LOG_DEBUG, rule->text, NULL, NULL);
}

void
task_free(struct task *task)
{
    list_remove(&task->held);
    list_remove(&task->node);
    if (task->transfer != NULL)
        http_cancel(task->transfer);
    channel_call_free(task->call);
    free(task->report_result);
    free(task->report_error);
    free(task);
}
