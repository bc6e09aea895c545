/*
 * One child.  Its process is a launcher (launcher.h), which starts the program in its process group.
 *
 *   starting --hello--> ready --stop, broken protocol, too many tasks, too much memory--> leaving --process ends--> ended
 *
 * A leaving child finishes its tasks.  A child that does not end, or a task that does not end after its cancellation, meets
 * TERM and then KILL, for the whole group.  As long as a child has another task that may still end in time, it is not killed.
 */
#include <signal.h>

#include "base/outside.h"
#include "program/program_private.h"
#include "program/protocol.h"

void
child_on_writable(void *cookie, int events)
{
    struct child *child = cookie;

    (void)events;
    child_push(child);
    child_close_input(child);
    program_on_change(child->program);
}

/* A child that is to end and has nothing more to do has its time to end by itself. */
static void
await_end(struct child *child)
{
    if (child->state == CHILD_LEAVING && child->call_count == 0 && child->signal == 0)
        child->due_ms = loop_now_ms(child->program->loop) + child->program->options->kill_ms;
}

/* A child that closed its input knows the tasks whose lines it has taken, and may still answer them.  The others are given back.
 */
static void
lose_input(struct child *child)
{
    for (struct list *node = child->calls.next, *next; node != &child->calls; node = next) {
        struct carried *carried = LIST_OWNER(node, struct carried, node);

        next = node->next;
        if (child->taken < carried->complete_at) {
            child->call_count--;
            program_unsent(carried);
        }
    }
    buf_clear(&child->to_send);
    child->sent = 0;
    await_end(child);
    if (child->state != CHILD_ENDED)
        child_leave(child, "it closed its input");
}

void
child_push(struct child *child)
{
    if (!child_flush(child) && !child->program->options->is_once)
        lose_input(child);
}

/* --- calls ------------------------------------------------------------------------------ */

bool
child_does(const struct child *child, const char *type)
{
    const char *types = child->program->options->is_once ? child->program->options->types : child->types;
    size_t length = strlen(type);

    for (const char *at = types; at != NULL && (at = strstr(at, type)) != NULL; at++) {
        if ((at[-1] == '"' || at[-1] == '{' || at[-1] == ',') && strchr("\",}", at[length]) != NULL)
            return true;
    }
    return false;
}

bool
child_has_place(const struct child *child, const char *type)
{
    return child->state == CHILD_READY && child->call_count < child->at_once && child->to_send.length == 0
           && child_does(child, type);
}

void
child_send(struct child *child, struct carried *carried, const struct carrier_task *task)
{
    double deadline_s = task->timeout_ms == 0 ? 0 : (double)(outside_wall_ms() + task->timeout_ms) / 1000;

    if (child->call_count == 0)
        buf_clear(&child->output.latest); /* the last words of this task */
    if (child->program->options->is_once)
        buf_printf(&child->to_send, "%s\n", task->payload);
    else
        protocol_write_task(&child->to_send, task, deadline_s);
    carried->child = child;
    /* Some readers take a last line without its line break. */
    carried->complete_at = child->taken + (int64_t)(child->to_send.length - child->sent) - 1;
    carried->due_ms = task->timeout_ms == 0 ? 0 : loop_now_ms(child->program->loop) + task->timeout_ms;
    list_append(&child->calls, &carried->node);
    child->call_count++;
    child->tasks++;
    child_push(child);
    child_close_input(child);
    child_arm(child);
    if (child->program->options->max_tasks > 0 && child->tasks >= child->program->options->max_tasks)
        child_leave(child, NULL);
}

void
child_cancel(struct carried *carried, enum carried_end end)
{
    static const char *const reasons[] = {
        [CARRIED_RUNS] = "", [CARRIED_TIMED_OUT] = "timeout", [CARRIED_CANCELLED] = "cancelled", [CARRIED_LOST] = "lost"};
    struct child *child = carried->child;
    const struct program_options *options = child->program->options;

    if (carried->end != CARRIED_RUNS)
        return;
    carried->end = end;
    if (options->is_once) {
        carried->due_ms = 0;
        child_kill(child, SIGTERM, NULL);
        return;
    }
    carried->due_ms = loop_now_ms(child->program->loop) + options->kill_ms;
    protocol_write_cancel(&child->to_send, carried->id, reasons[end]);
    child_push(child); /* it may give the call back */
    child_arm(child);
}

void
child_leave(struct child *child, const char *why)
{
    if (child->state == CHILD_LEAVING || child->state == CHILD_ENDED)
        return;
    if (why != NULL) {
        char *words = output_last_words(&child->output);

        child->was_bad = true;
        log_event(LOG_WARN, "child is replaced", "child", LOG_I64(child->number), "reason", why, "tasks",
            LOG_I64(child->call_count), "last_words", words, NULL);
        free(words);
    }
    child->state = CHILD_LEAVING;
    if (!child->was_told && !child->program->options->is_once) {
        child->was_told = true;
        protocol_write_stop(&child->to_send);
        child_push(child);
    }
    child->due_ms = child->call_count == 0 ? loop_now_ms(child->program->loop) + child->program->options->kill_ms : 0;
    child_close_input(child);
    child_arm(child);
    program_on_change(child->program);
}

static struct carried *
find_call(const struct child *child, int64_t id)
{
    for (struct list *node = child->calls.next; node != &child->calls; node = node->next) {
        struct carried *carried = LIST_OWNER(node, struct carried, node);

        if (carried->id == id)
            return carried;
    }
    return NULL;
}

void
child_answer(struct child *child, struct carried *carried, const struct carrier_answer *answer)
{
    list_remove(&carried->node);
    child->call_count--;
    if (answer->error != NULL)
        log_mask(answer->error);
    program_answer(carried, answer);
    await_end(child);
    child_close_input(child);
    if (child->state != CHILD_ENDED)
        child_arm(child);
    program_on_change(child->program);
}

static void
take_failure(struct child *child, struct carried *carried, struct protocol_message *message)
{
    bool keeps = child->program->options->keeps_output && child->at_once == 1;
    struct carrier_answer answer = {
        .outcome = "failed",
        .result = output_result(&child->output, keeps, message->is_final ? -1 : message->retry_after),
        .error = message->error,
        .error_class = carried->end == CARRIED_CANCELLED ? "cancelled"
                       : message->is_final               ? "final"
                                                         : "program",
    };

    message->error = NULL;
    child->has_worked = true;
    child_answer(child, carried, &answer);
}

/* The first reports are passed on, and then fewer and fewer: each is a fact. */
static void
take_progress(struct carried *carried, const char *progress)
{
    int64_t now_ms = loop_now_ms(carried->program->loop);

    if (carried->call == NULL || now_ms < carried->progress_ms)
        return;
    carried->rest_ms = carried->rest_ms == 0 ? BOUND_PROGRESS_MS : carried->rest_ms * 2;
    if (carried->rest_ms > BOUND_PROGRESS_MOST_MS)
        carried->rest_ms = BOUND_PROGRESS_MOST_MS;
    carried->progress_ms = now_ms + carried->rest_ms;
    carried->program->user.on_progress(carried->call, progress);
}

static void
take_hello(struct child *child, struct protocol_message *message)
{
    child->types = message->types;
    message->types = NULL;
    child->at_once = message->at_once;
    child->has_pong = message->has_pong;
    child->state = CHILD_READY;
    child->due_ms = 0;
    child_heard(child);
    child_arm(child);
    log_event(LOG_INFO, "child is ready", "child", LOG_I64(child->number), "pid", LOG_I64(child->pid), "types", child->types,
        "at_once", LOG_I64(child->at_once), NULL);
    program_on_change(child->program);
}

/* The child broke the protocol.  Nobody knows which of its tasks was meant, so all of them may still be answered. */
static bool
distrust(struct child *child, const char *why)
{
    if (child->state == CHILD_STARTING)
        child_kill(child, SIGTERM, why);
    else
        child_leave(child, why);
    return true;
}

static bool
take_line(void *cookie, const char *text, size_t length)
{
    struct child *child = cookie;
    struct protocol_message message;
    struct carried *carried;
    struct err err;

    if (text == NULL)
        return distrust(child, "it writes a line over the limit of 1 MiB");
    child_heard(child);
    if (!protocol_read(text, length, &message, &err))
        return distrust(child, err.message);
    if (message.kind == PROTOCOL_HELLO && child->state == CHILD_STARTING) {
        take_hello(child, &message);
    } else if (message.kind == PROTOCOL_HELLO || child->state == CHILD_STARTING) {
        (void)distrust(child, "its first line is no hello, or a later one is");
    } else if (message.kind == PROTOCOL_PONG) {
        if (!child->has_pong)
            (void)distrust(child, "it answered a ping, but its hello line does not say so");
    } else if ((carried = find_call(child, message.id)) == NULL) {
        (void)distrust(child, "it answered for a task that it does not have");
    } else if (message.kind == PROTOCOL_FAILURE) {
        take_failure(child, carried, &message);
    } else if (message.kind == PROTOCOL_RESULT) {
        struct carrier_answer answer = {.outcome = "succeeded", .result = message.value};

        message.value = NULL;
        child->has_worked = true;
        child_answer(child, carried, &answer);
    } else {
        take_progress(carried, message.value);
    }
    protocol_message_release(&message);
    return true;
}

/* True: there may be more. */
bool
child_read_answers(struct child *child)
{
    char bytes[CHILD_READ_BYTES];

    for (int i = 0; i < CHILD_READS && child->out >= 0; i++) {
        ssize_t length = child_read_some(child->out, bytes);

        if (length > 0 && child->program->options->is_once)
            buf_add(&child->result, bytes, (size_t)length);
        if (length > 0 && !child->program->options->is_once) {
            /* What a task printed before its answer belongs to it. */
            child_read_log(child, 0);
            child_read_log(child, 1);
            lines_take(&child->answers, bytes, (size_t)length, take_line, child);
        }
        if (length == 0)
            child_close_pipe(&child->out, &child->out_watch);
        if (length < CHILD_READ_BYTES)
            return false;
    }
    return child->out >= 0;
}

void
child_on_answers(void *cookie, int events)
{
    struct child *child = cookie;

    (void)events;
    (void)child_read_answers(child);
    if (child->out >= 0 || child->program->options->is_once || child->state == CHILD_ENDED)
        return;
    /* It cannot answer any more.  Usually its process ends now. */
    if (child->state != CHILD_LEAVING) {
        child->state = CHILD_LEAVING;
        program_on_change(child->program);
    }
    if (child->signal == 0)
        child->due_ms = loop_now_ms(child->program->loop) + child->program->options->kill_ms;
    child_arm(child);
}
