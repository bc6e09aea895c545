/*
 * The end of a child: what it means for its calls.  A program that is started once per task answers by its end.
 */
#include <signal.h>

#include "base/utf8.h"
#include "program/program_private.h"
#include "program/protocol.h"

static char *
end_text(const struct child *child)
{
    /* KILL for the whole group also ends the launcher, so nobody reports how the program ended. */
    if (!child->has_status && child->signal == SIGKILL)
        return child->reason == NULL ? must_strdup("was killed by reeve") : must_format("was killed by reeve: %s", child->reason);
    if (!child->has_status)
        return must_strdup("was lost with its launcher");
    if (child->number_of_signal != 0)
        return must_format("was ended by signal %d (%s)%s%s", child->number_of_signal, strsignal(child->number_of_signal),
            child->reason == NULL ? "" : " from reeve: ", child->reason == NULL ? "" : child->reason);
    return must_format("ended with exit code %d", child->code);
}

/* Answers a call that ends with its child. */
static void
end_call(struct child *child, struct carried *carried, const char *how)
{
    bool was_sent = child->program->options->is_once || child->taken >= carried->complete_at;
    char *words = output_last_words(&child->output);
    struct carrier_answer answer = {
        .outcome = "in_doubt",
        .result = output_result(&child->output, child->program->options->keeps_output && child->at_once == 1, -1),
        .error_class = "in_doubt",
    };

    if (!was_sent) {
        answer.outcome = "unsent";
        answer.error_class = "";
        answer.error = must_format("not sent: the program %s", how);
    } else if (carried->end == CARRIED_CANCELLED) {
        answer.outcome = "failed";
        answer.error_class = "cancelled";
        answer.error = must_strdup("cancelled");
    } else if (carried->end == CARRIED_TIMED_OUT) {
        answer.error = must_format("in doubt: timed out after %.3g s and was killed", (double)carried->timeout_ms / 1000);
    } else {
        answer.error = must_format("in doubt: the program %s before it answered%s%s", how, words[0] == '\0' ? "" : ": ", words);
    }
    free(words);
    child_answer(child, carried, &answer);
}

/* The last line of what the child wrote on stderr, or else how it ended. */
static char *
failure_text(const struct child *child, const char *how)
{
    char *words = output_last_words(&child->output);
    char *text = words[0] == '\0' ? must_format("the program %s", how) : must_format("the program %s: %s", how, words);

    free(words);
    return text;
}

/* What the child wrote as a result: JSON, or else a text. */
static char *
once_result(struct buf *result)
{
    struct buf text;
    struct buf clean;
    char *json;

    while (result->length > 0 && strchr("\r\n", result->text[result->length - 1]) != NULL)
        result->text[--result->length] = '\0';
    if (result->length == 0)
        return NULL;
    if (protocol_is_json(result->text, result->length))
        return must_strdup(result->text);
    buf_init(&clean, BOUND_CHILD_LINE_BYTES * 3);
    buf_init(&text, BOUND_CHILD_LINE_BYTES * 8); /* every byte may become an escape */
    (void)utf8_clean(&clean, result->text, result->length, BOUND_CHILD_LINE_BYTES * 3);
    buf_json(&text, clean.text);
    json = must_strdup(text.text);
    buf_release(&clean);
    buf_release(&text);
    return json;
}

/* A program that is started once per task answers by its end: 0 succeeded, 75 failed and may be tried again, others failed. After
 * TERM its exit code says nothing: many programs end with 0 when they are asked to stop. */
static void
end_once(struct child *child, struct carried *carried, const char *how)
{
    struct carrier_answer answer = {.outcome = "failed", .error_class = "final"};

    if (!child->has_status || child->number_of_signal != 0 || carried->end != CARRIED_RUNS) {
        end_call(child, carried, how);
        return;
    }
    if (child->code == 0 && !child->result.overflowed) {
        answer = (struct carrier_answer){.outcome = "succeeded", .result = once_result(&child->result)};
    } else if (child->code == 0) {
        answer.error = must_strdup("the result is over the limit of 1 MiB");
    } else {
        answer.error_class = child->code == 75 ? "program" : "final";
        answer.error = failure_text(child, how);
        answer.result = output_result(&child->output, child->program->options->keeps_output, -1);
    }
    child_answer(child, carried, &answer);
}

static void
say_end(const struct child *child, bool is_expected, const char *how)
{
    char *words = output_last_words(&child->output);

    if (child->program->options->is_once || is_expected)
        log_event(child->program->options->is_once ? LOG_DEBUG : LOG_INFO, "child has ended", "child", LOG_I64(child->number),
            "how", how, "tasks", LOG_I64(child->tasks), NULL);
    else
        log_event(LOG_WARN, "child has ended", "child", LOG_I64(child->number), "how", how, "tasks", LOG_I64(child->tasks),
            "lost", LOG_I64(child->call_count), "last_words", words, NULL);
    free(words);
}

void
child_on_ended(void *cookie, int code, int number)
{
    struct child *child = cookie;
    bool is_expected = child->state == CHILD_LEAVING && child->call_count == 0;
    char *how;

    (void)code;
    (void)number;
    /* A process that left the group may still hold the pipe, and write for ever. */
    for (int i = 0; i < CHILD_LAST_READS && child_read_answers(child) && !child->result.overflowed; i++)
        continue;
    child_read_log(child, 0);
    child_read_log(child, 1);
    child_read_status(child);
    if (!child->has_status)
        (void)kill(-spawn_pid(child->spawn), SIGKILL); /* The launcher was killed, so its group has no guard. */
    output_end(&child->output, child->number, child_only_task(child));
    how = end_text(child);
    if (!child->program->options->is_once && lines_are_broken(&child->answers))
        log_event(LOG_WARN, "child left half a line", "child", LOG_I64(child->number), NULL);
    say_end(child, is_expected, how);
    child->program->ended += is_expected;
    child->program->failed += !is_expected && !child->program->options->is_once;
    child->state = CHILD_ENDED;
    timer_stop(child->timer);
    while (!list_is_empty(&child->calls)) {
        struct carried *carried = LIST_OWNER(child->calls.next, struct carried, node);

        if (child->program->options->is_once)
            end_once(child, carried, how);
        else
            end_call(child, carried, how);
    }
    free(how);
    program_on_ended(child);
}
