#include "task/task.h"

#include <assert.h>

#include "base/err.h"
#include "base/log.h"
#include "channel/channel.h"
#include "http/http_client.h"

/* List of a task in its new state. */
enum new_list {
    AT_END,   /* at the end of the list of the new state */
    AT_FRONT, /* at the front of that list, where the task was before */
    CARRIED,  /* in the list of a work connection */
    STAYS,    /* in the same list as before */
    NOWHERE,
};

struct task_rule {
    enum task_state from;
    enum task_event event;
    enum task_state to;
    enum new_list list;
    const char *text;
};

/* clang-format off */
static const struct task_rule rules[] = {
    /* from             event                to               list      log message */
    {TASK_WAITING,    EVENT_SENT,          TASK_RUNNING,    CARRIED,  "task started"},
    {TASK_WAITING,    EVENT_ANNOUNCE_SENT, TASK_ANNOUNCING, CARRIED,  "task being announced"},
    {TASK_WAITING,    EVENT_ANSWERED,      TASK_ANSWERED,   AT_END,   "task has a result already"},
    {TASK_WAITING,    EVENT_RELEASED,      TASK_DONE,       NOWHERE,  "task released"},
    {TASK_WAITING,    EVENT_LOST,          TASK_DONE,       NOWHERE,  "task lost before it started"},
    {TASK_RUNNING,    EVENT_COMMITTED,     TASK_DONE,       NOWHERE,  "task ended"},
    {TASK_RUNNING,    EVENT_PREPARED,      TASK_RUNNING,    STAYS,    "command prepared"},
    {TASK_RUNNING,    EVENT_NOT_REACHED,   TASK_WAITING,    AT_FRONT, "task put off to the next batch"},
    {TASK_RUNNING,    EVENT_INTERRUPTED,   TASK_WAITING,    AT_FRONT, "task interrupted"},
    {TASK_RUNNING,    EVENT_BUSY,          TASK_DEFERRED,   AT_END,   "task still held by another session"},
    {TASK_RUNNING,    EVENT_ANSWERED,      TASK_ANSWERED,   AT_END,   "task failed without a record"},
    {TASK_RUNNING,    EVENT_RELEASED,      TASK_DONE,       NOWHERE,  "task cancelled and released"},
    {TASK_RUNNING,    EVENT_LOST,          TASK_DONE,       NOWHERE,  "task lost while it ran"},
    {TASK_ANNOUNCING, EVENT_ANNOUNCED,     TASK_ANNOUNCED,  AT_END,   "task announced"},
    {TASK_ANNOUNCING, EVENT_ANSWERED,      TASK_ANSWERED,   AT_END,   "task ended before its call"},
    {TASK_ANNOUNCING, EVENT_COMMITTED,     TASK_DONE,       NOWHERE,  "task completed before its call"},
    {TASK_ANNOUNCING, EVENT_INTERRUPTED,   TASK_WAITING,    AT_FRONT, "announcement interrupted"},
    {TASK_ANNOUNCING, EVENT_RELEASED,      TASK_DONE,       NOWHERE,  "task released before its call"},
    {TASK_ANNOUNCING, EVENT_LOST,          TASK_DONE,       NOWHERE,  "task lost before its call"},
    {TASK_ANNOUNCED,  EVENT_CALLED,        TASK_CALLING,    AT_END,   "call started"},
    {TASK_ANNOUNCED,  EVENT_ANSWERED,      TASK_ANSWERED,   AT_END,   "call left out"},
    {TASK_ANNOUNCED,  EVENT_LOST,          TASK_DONE,       NOWHERE,  "call left to its lease"},
    {TASK_CALLING,    EVENT_ANSWERED,      TASK_ANSWERED,   AT_END,   "call ended"},
    {TASK_CALLING,    EVENT_LOST,          TASK_DONE,       NOWHERE,  "call left to its lease"},
    {TASK_ANSWERED,   EVENT_REPORT_SENT,   TASK_REPORTING,  CARRIED,  "outcome reported"},
    {TASK_ANSWERED,   EVENT_LOST,          TASK_DONE,       NOWHERE,  "outcome not recorded"},
    {TASK_REPORTING,  EVENT_COMMITTED,     TASK_DONE,       NOWHERE,  "outcome recorded"},
    {TASK_REPORTING,  EVENT_INTERRUPTED,   TASK_ANSWERED,   AT_END,   "report interrupted"},
    {TASK_REPORTING,  EVENT_BUSY,          TASK_POSTPONED,  AT_END,   "report put off"},
    {TASK_REPORTING,  EVENT_LOST,          TASK_DONE,       NOWHERE,  "report came too late"},
    {TASK_DEFERRED,   EVENT_RETRY_DUE,     TASK_WAITING,    AT_END,   "task asked for again"},
    {TASK_DEFERRED,   EVENT_RELEASED,      TASK_DONE,       NOWHERE,  "task released"},
    {TASK_DEFERRED,   EVENT_LOST,          TASK_DONE,       NOWHERE,  "task lost"},
    {TASK_POSTPONED,  EVENT_RETRY_DUE,     TASK_ANSWERED,   AT_END,   "report due again"},
    {TASK_POSTPONED,  EVENT_LOST,          TASK_DONE,       NOWHERE,  "outcome not recorded"},
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

void
holdings_init(struct holdings *holdings)
{
    *holdings = (struct holdings){0};
    list_init(&holdings->all);
    for (int kind = 0; kind < TASK_KINDS; kind++)
        list_init(&holdings->waiting[kind]);
    for (int state = 0; state < TASK_STATES; state++)
        list_init(&holdings->in[state]);
}

static bool
is_suspect(const struct task *task)
{
    return task->crash_count > 1;
}

struct task *
holdings_add(struct holdings *holdings, const struct task *like, int64_t id, int32_t lease_no)
{
    struct task *task = must_alloc(sizeof(*task));

    *task = *like;
    task->id = id;
    task->lease_no = lease_no;
    task->holdings = holdings;
    task->state = TASK_WAITING;
    list_init(&task->held);
    list_init(&task->node);
    list_append(&holdings->all, &task->held);
    list_append(&holdings->waiting[task->kind], &task->node);
    holdings->count++;
    holdings->counts[task->kind][TASK_WAITING]++;
    holdings->suspects += is_suspect(task);
    task->queue_limit->held++;
    return task;
}

/* Number of tasks of a kind in the states from `first` to `last`. */
static int
sum(const struct holdings *holdings, enum task_kind kind, enum task_state first, enum task_state last)
{
    int count = 0;

    for (int state = (int)first; state <= (int)last; state++)
        count += holdings->counts[kind][state];
    return count;
}

int
holdings_runs(const struct holdings *holdings)
{
    return sum(holdings, TASK_RUNS, TASK_WAITING, TASK_DONE);
}

int
holdings_calls(const struct holdings *holdings)
{
    return sum(holdings, TASK_CALLS, TASK_WAITING, TASK_CALLING);
}

int
holdings_announced(const struct holdings *holdings)
{
    return sum(holdings, TASK_CALLS, TASK_ANNOUNCING, TASK_CALLING);
}

int
holdings_calling(const struct holdings *holdings)
{
    return holdings->counts[TASK_CALLS][TASK_CALLING];
}

int
holdings_outcomes(const struct holdings *holdings)
{
    int count = 0;

    for (int kind = 0; kind < TASK_KINDS; kind++)
        count += holdings->counts[kind][TASK_ANSWERED] + holdings->counts[kind][TASK_REPORTING]
                 + holdings->counts[kind][TASK_POSTPONED];
    return count;
}

bool
task_is_in_call(const struct task *task)
{
    return task->kind == TASK_CALLS && task->state <= TASK_CALLING;
}

void
task_log(const struct task *task, int level, const char *event, const char *key, const char *value)
{
    if (!log_is_on((enum log_level)level))
        return;
    log_event((enum log_level)level, event, "task_id", LOG_I64(task->id), "lease_no", LOG_I64(task->lease_no), "task_type",
        task->type, "queue", task->queue, key, value, NULL);
}

static struct list *
list_of(struct holdings *holdings, const struct task *task)
{
    return task->state == TASK_WAITING ? &holdings->waiting[task->kind] : &holdings->in[task->state];
}

/* The worker does not hold the task any more. */
static void
let_go(struct task *task)
{
    struct holdings *holdings = task->holdings;

    list_remove(&task->held);
    holdings->count--;
    holdings->counts[task->kind][TASK_DONE]--;
    holdings->suspects -= is_suspect(task);
    task->queue_limit->held--;
}

static void
move(struct task *task, enum task_event event, struct list *carried)
{
    const struct task_rule *rule = rule_find(task->state, event);
    struct holdings *holdings = task->holdings;

    assert(rule != NULL); /* A missing row is a bug. */
    assert((rule->list == CARRIED) == (carried != NULL));
    holdings->counts[task->kind][task->state]--;
    task->state = rule->to;
    holdings->counts[task->kind][task->state]++;
    if (rule->list != STAYS)
        list_remove(&task->node);
    if (rule->list == CARRIED)
        list_append(carried, &task->node);
    else if (rule->list == AT_END)
        list_append(list_of(holdings, task), &task->node);
    else if (rule->list == AT_FRONT)
        list_prepend(list_of(holdings, task), &task->node);
    if (task->state == TASK_DONE)
        let_go(task);
    task_log(task, LOG_DEBUG, rule->text, NULL, NULL);
}

void
task_move(struct task *task, enum task_event event)
{
    move(task, event, NULL);
}

void
task_carry(struct task *task, enum task_event event, struct list *carried)
{
    move(task, event, carried);
}

void
task_free(struct task *task)
{
    list_remove(&task->held);
    list_remove(&task->node);
    if (task->transfer != NULL)
        http_cancel(task->transfer);
    if (task->forget != NULL)
        task->forget(task);
    channel_call_free(task->call);
    free(task->report_result);
    free(task->report_error);
    free(task->trace);
    free(task);
}
