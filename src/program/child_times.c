/*
 * What is due for a child: the deadlines of its calls, pings, and the steps of its end.
 *
 * A child whose hello line says so answers pings, also while its tasks run.  After two pings in vain it is killed: one alone may
 * have met a machine that slept.
 */
#include <signal.h>

#include "program/program_private.h"
#include "program/protocol.h"

enum { MOST_PINGS = 2 }; /* pings in vain after which a child is killed */

void
child_arm(struct child *child)
{
    int64_t now_ms = loop_now_ms(child->program->loop);
    int64_t due_ms = child->due_ms;

    if (child->ping_at_ms > 0 && (due_ms == 0 || child->ping_at_ms < due_ms))
        due_ms = child->ping_at_ms;
    for (struct list *node = child->calls.next; node != &child->calls; node = node->next) {
        const struct carried *carried = LIST_OWNER(node, struct carried, node);

        if (carried->due_ms > 0 && (due_ms == 0 || carried->due_ms < due_ms))
            due_ms = carried->due_ms;
    }
    if (due_ms == 0)
        timer_stop(child->timer);
    else
        timer_start(child->timer, due_ms - now_ms);
}

void
child_kill(struct child *child, int number, const char *why)
{
    if (child->state == CHILD_ENDED || child->signal == SIGKILL)
        return;
    if (why != NULL) {
        char *words = output_last_words(&child->output);

        child->was_bad = true;
        if (child->reason == NULL)
            child->reason = must_strdup(why);
        log_event(LOG_WARN, "child is killed", "child", LOG_I64(child->number), "reason", why, "signal",
            number == SIGKILL ? "KILL" : "TERM", "last_words", words, NULL);
        free(words);
    }
    if (child->state != CHILD_LEAVING) {
        child->state = CHILD_LEAVING;
        program_on_change(child->program);
    }
    spawn_kill_group(child->spawn, number);
    child->signal = number;
    child->ping_at_ms = 0;
    child->due_ms = number == SIGKILL ? 0 : loop_now_ms(child->program->loop) + child->program->options->kill_ms;
    child_arm(child);
}

static void
kill_further(struct child *child, const char *why)
{
    child_kill(child, child->signal == 0 ? SIGTERM : SIGKILL, why);
}

/* Cancels one call whose time is over.  False: there is none.  The list of calls may have changed. */
static bool
cancel_one(struct child *child, int64_t now_ms)
{
    for (struct list *node = child->calls.next; node != &child->calls; node = node->next) {
        struct carried *carried = LIST_OWNER(node, struct carried, node);

        if (carried->end == CARRIED_RUNS && carried->due_ms > 0 && now_ms >= carried->due_ms) {
            child_cancel(carried, CARRIED_TIMED_OUT);
            return true;
        }
    }
    return false;
}

/* Cancels the calls whose time is over.  True: no call of this child may still end in time, and there is at least one. */
static bool
look_at_calls(struct child *child, int64_t now_ms)
{
    int overdue = 0;

    while (cancel_one(child, now_ms))
        continue;
    for (struct list *node = child->calls.next; node != &child->calls; node = node->next) {
        struct carried *carried = LIST_OWNER(node, struct carried, node);

        if (carried->due_ms > 0 && now_ms >= carried->due_ms) {
            carried->due_ms = 0;
            carried->is_overdue = true;
        }
        overdue += carried->is_overdue;
    }
    if (overdue > 0 && child->state == CHILD_READY)
        child_leave(child, "a task went on after its cancellation");
    return overdue > 0 && overdue == child->call_count;
}

void
child_heard(struct child *child)
{
    int64_t ping_ms = child->program->options->ping_ms;

    child->pings = 0;
    child->ping_at_ms = child->has_pong && ping_ms > 0 && child->signal == 0 ? loop_now_ms(child->program->loop) + ping_ms : 0;
}

/* Asks a silent child whether it is alive, or kills it after too many questions in vain. */
static void
look_at_ping(struct child *child, int64_t now_ms)
{
    if (child->ping_at_ms == 0 || now_ms < child->ping_at_ms)
        return;
    (void)child_read_answers(child); /* its answer may be here, if this process was the one that slept */
    if (child->ping_at_ms == 0 || now_ms < child->ping_at_ms)
        return;
    if (child->in < 0) {
        child->ping_at_ms = 0; /* it cannot be asked any more */
    } else if (child->pings >= MOST_PINGS) {
        child_kill(child, SIGTERM, "it answered no ping");
    } else {
        child->ping_at_ms = now_ms + child->program->options->ping_ms;
        protocol_write_ping(&child->to_send, ++child->pings);
        child_push(child);
    }
}

void
child_on_timer(void *cookie)
{
    struct child *child = cookie;
    int64_t now_ms = loop_now_ms(child->program->loop);
    bool is_due = child->due_ms > 0 && now_ms >= child->due_ms;

    if (child->state == CHILD_ENDED)
        return;
    if (look_at_calls(child, now_ms) && child->signal == 0)
        child_kill(child, SIGTERM, "its task did not end");
    else if (is_due && child->state == CHILD_STARTING)
        kill_further(child, "it said no hello in time");
    else if (is_due)
        kill_further(child, child->signal == 0 ? "it did not end by itself" : "it did not end after TERM");
    else
        look_at_ping(child, now_ms);
    child_arm(child);
}
