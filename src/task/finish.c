/*
 * Outcomes that are known and not yet recorded.  An outcome is kept with its task until the
 * database has answered: a lost connection repeats the report, never the effect.
 *
 *   completed, duplicate, retry, handler_failed, quarantined
 *                                                  recorded: the lease is over
 *   fenced, QU002                                  superseded: the result is kept as evidence
 *   40001, 40P01, 55P03                            the handler met a passing error: sent again, a few times
 *   the server is unwell                           sent again, until the server is well
 *   timeout, error at commit, the handler kills its connection each time
 *                                                  record_result: records the result without the handler
 */
#include <inttypes.h>

#include "base/failpoint.h"
#include "base/parse.h"
#include "base/utf8.h"
#include "task/worker_private.h"

/* Logs an end that is no success.  Somebody has to look at a task in doubt or in quarantine. */
static void
say_failure(const struct task *task, const struct end *end)
{
    bool is_in_doubt = strcmp(end->outcome, "in_doubt") == 0;
    bool is_quarantined = strcmp(end->outcome, "quarantined") == 0;

    log_event(is_in_doubt || is_quarantined ? LOG_ERROR : LOG_WARN,
        is_in_doubt      ? "task is in doubt"
        : is_quarantined ? "task quarantined"
                         : "task failed",
        "task_id", LOG_I64(task->id), "lease_no", LOG_I64(task->lease_no), "task_type", task->type, "queue", task->queue,
        "outcome", end->outcome, "error_class", end->error_class == NULL ? "" : end->error_class, "error",
        end->error == NULL ? "" : end->error, end->name == NULL ? NULL : "name", end->name, NULL);
}

void
finish_say(const struct task *task, const struct end *end)
{
    bool is_failure = end->has_error || strcmp(end->outcome, "failed") == 0 || strcmp(end->outcome, "in_doubt") == 0
                      || strcmp(end->outcome, "quarantined") == 0;

    count_completed(task, end->outcome);
    traces_say(task, end->outcome, end->error_class, is_failure);
    if (is_failure)
        say_failure(task, end);
    else
        task_log(task, strcmp(end->outcome, "succeeded") == 0 ? LOG_DEBUG : LOG_INFO, "task completed", "outcome", end->outcome);
}

/* Reads the value of a key from key=value words; the value ends at one of these characters. */
static void
read_word(const char *words, const char *key, const char *ends, char *value, size_t size)
{
    const char *at = strstr(words, key);

    at = at == NULL ? "" : at + strlen(key);
    (void)snprintf(value, size, "%.*s", (int)strcspn(at, ends), at);
}

void
finish_say_dead(struct worker *worker, const char *words, const char *message)
{
    struct task task = {.worker = worker}; /* this worker does not hold the task */
    char id[24];
    char lease_no[16];
    char name[129];
    int64_t number = 0;

    read_word(words, "task_id=", " ", id, sizeof(id));
    read_word(words, " lease_no=", " ", lease_no, sizeof(lease_no));
    read_word(words, " task_type=", " ", task.type, sizeof(task.type));
    read_word(words, " queue=", " ", task.queue, sizeof(task.queue));
    read_word(words, " name=", "", name, sizeof(name));
    if (parse_int(id, 1, INT64_MAX, &number, NULL))
        task.id = number;
    if (parse_int(lease_no, 1, INT32_MAX, &number, NULL))
        task.lease_no = (int32_t)number;
    count_completed(&task, "quarantined");
    say_failure(
        &task, &(const struct end){
                   .outcome = "quarantined", .name = name[0] == '\0' ? NULL : name, .error_class = "QU001", .error = message});
}

/* Returns the text without a half character at its end.  Errors are cut at a number of bytes, and the database would refuse
 * half a character together with the outcome. */
static char *
cleaned(char *error)
{
    struct buf clean;
    char *text;

    if (error == NULL)
        return NULL;
    buf_init(&clean, BOUND_REPORT_BYTES);
    (void)utf8_clean(&clean, error, strlen(error), BOUND_REPORT_BYTES);
    text = must_strdup(clean.text);
    buf_release(&clean);
    free(error);
    return text;
}

void
finish_later(struct task *task, const char *outcome, char *result, char *error, const char *error_class)
{
    bool was_in_call = task_is_in_call(task);

    free(task->report_result);
    free(task->report_error);
    task->report = outcome;
    task->report_result = result;
    task->report_error = cleaned(error);
    task->report_class = error_class;
    traces_answered(task);
    room_leave_host(task, error_class);
    task_move(task, EVENT_ANSWERED);
    if (was_in_call)
        lease_call_over(task->worker, task);
}

void
finish_run_later(struct task *task, const char *outcome, char *error, const char *sqlstate)
{
    (void)snprintf(task->report_sqlstate, sizeof(task->report_sqlstate), "%s", sqlstate);
    finish_later(task, outcome, NULL, error, task->report_sqlstate);
}

/* Appends an element to an array literal. */
static void
add_element(struct buf *literal, const char *text)
{
    buf_puts(literal, literal->length == 0 ? "{" : ",");
    if (text == NULL) {
        buf_puts(literal, "NULL");
        return;
    }
    buf_puts(literal, "\"");
    for (const char *c = text; *c != '\0';) {
        size_t plain = strcspn(c, "\"\\");

        buf_add(literal, c, plain);
        c += plain;
        if (*c != '\0') {
            buf_puts(literal, "\\");
            buf_add(literal, c++, 1);
        }
    }
    buf_puts(literal, "\"");
}

static void
record_only(struct worker *worker, struct task *task, const char *why)
{
    (void)worker;
    task_log(task, LOG_WARN, "result kept without its handler", "error", why);
    task->only_record = true;
    task->runs_alone = true;
    task_move(task, EVENT_INTERRUPTED);
}

/* The server refused the outcome of one task. */
static void
end_refused(struct worker *worker, struct task *task, const char *code, const char *message, bool is_at_commit)
{
    /* QU codes come from the engine.  At commit only triggers of users raise errors. */
    if (!is_at_commit && strcmp(code, "QU002") == 0) {
        lease_end(worker, task, EVENT_LOST);
    } else if (sqlstate_is_passing(code) && ++task->report_tries < BOUND_REPORT_TRIES) {
        task->runs_alone = true;
        lease_defer(worker, task);
    } else if (sqlstate_is_servers_fault(code, is_at_commit)) {
        /* The server is unwell.  The outcome is kept. */
        if (!task->was_put_off)
            task_log(task, LOG_ERROR, "outcome kept until the database can record it", "error", message);
        task->was_put_off = true;
        task->runs_alone = true;
        lease_defer(worker, task);
    } else if (task->only_record) {
        task_log(task, LOG_ERROR, "could not record an outcome, left to its lease", "error", message);
        lease_end(worker, task, EVENT_LOST);
    } else {
        record_only(worker, task, message);
    }
}

/* The answer of the database to an outcome. */
struct reported {
    const char *answer;
    const char *outcome;  /* recorded end; NULL: as reported */
    const char *name;     /* command or function; NULL: none */
    const char *sqlstate; /* of the recorded error; NULL: none */
    const char *error;    /* first line of the recorded error, for the log; NULL: none */
};

static void
say_end(struct task *task, const struct reported *reported)
{
    const char *answer = reported->answer;
    /* For SQL, too, an answer with a class is a failure. */
    const char *outcome = reported->outcome != NULL               ? reported->outcome
                          : strcmp(task->report, "answered") != 0 ? task->report
                          : task->report_class == NULL            ? "succeeded"
                                                                  : "failed";
    bool has_succeeded = strcmp(outcome, "succeeded") == 0;
    struct end end = {.outcome = outcome,
        .has_error = !has_succeeded && (reported->error != NULL || task->report_error != NULL),
        .name = reported->name,
        .error_class = task->report_class != NULL && task->report_class[0] != '\0' ? task->report_class : reported->sqlstate,
        .error = reported->error};

    if (strcmp(answer, "handler_failed") == 0)
        task_log(task, LOG_WARN, "handler failed, it will be run again", "outcome", task->report);
    else if (strcmp(answer, "quarantined") == 0)
        finish_say(task, &(const struct end){.outcome = "quarantined",
                             .name = reported->name,
                             .error_class = task->report_class,
                             .error = "its handler failed too often"});
    else if (strcmp(answer, "fenced") == 0)
        task_log(task, LOG_WARN, "lease was superseded, the result is kept as evidence", "outcome", task->report);
    else if (strcmp(answer, "retry") == 0)
        task_log(task, LOG_INFO,
            strcmp(task->report, "unsent") == 0 ? "call was not sent, it will be tried again"
                                                : "task met a passing error, again later",
            NULL, NULL);
    else
        finish_say(task, &end);
    if (strcmp(answer, "handler_failed") == 0)
        count_handler_failed(task);
    else if (strcmp(answer, "retry") == 0)
        count_retried(task);
    if (strcmp(answer, "handler_failed") == 0 || strcmp(answer, "retry") == 0)
        traces_say(task, answer, task->report_class, true);
}

static void
end_reported(struct worker *worker, struct task *task, const struct reported *reported)
{
    const char *answer = reported->answer;
    bool is_lost = strcmp(answer, "fenced") == 0;

    say_end(task, reported);
    worker->tasks_done += strcmp(answer, "completed") == 0 || strcmp(answer, "quarantined") == 0;
    lease_end(worker, task, is_lost ? EVENT_LOST : EVENT_COMMITTED);
    if (strcmp(answer, "completed") != 0 && !is_lost)
        look_at_all(worker); /* The task may be due again soon. */
}

static void
unit_failed(struct slot *slot, const struct err *err, bool is_at_commit)
{
    struct worker *worker = slot->worker;
    struct task *task = slot_first(&slot->tasks);

    if (slot->count == 1 && err->kind != ERR_RETRY) {
        end_refused(worker, task, err->code, err->message, is_at_commit);
    } else if (slot->count == 1 && ++task->interruptions >= BOUND_INTERRUPTIONS && !task->only_record) {
        record_only(worker, task, "its connection was lost each time");
    }
    while (!list_is_empty(&slot->tasks)) {
        task = slot_first(&slot->tasks);
        task->runs_alone = true;
        task_move(task, EVENT_INTERRUPTED);
    }
    slot_clear(slot);
}

static void
on_finished(void *cookie, const struct db_result *result, const struct err *err)
{
    struct slot *slot = cookie;
    struct worker *worker = slot->worker;
    struct err strange;

    if (err != NULL) {
        unit_failed(slot, err, result != NULL);
        return;
    }
    FAILPOINT("finish.committed");
    if (!slot_fits(slot, result, true, &strange)) {
        unit_failed(slot, &strange, false);
        return;
    }
    slot_learn(slot, db_result_rows(result), db_result_number(result, 0, 4), BOUND_CALL_BATCH);
    for (int row = 0; row < db_result_rows(result); row++) {
        struct task *task = slot_find(slot, db_result_i64(result, row, 0, 0));
        struct reported reported = {.answer = db_result_text(result, row, 1),
            .outcome = db_result_text(result, row, 5),
            .name = db_result_text(result, row, 6),
            .sqlstate = db_result_text(result, row, 7),
            .error = db_result_text(result, row, 8)};

        if (reported.answer != NULL)
            end_reported(worker, task, &reported);
        else
            end_refused(worker, task, db_result_shown(result, row, 3), db_result_shown(result, row, 2), false);
    }
    slot_clear(slot);
}

static void
send_batch(struct slot *slot)
{
    struct worker *worker = slot->worker;
    struct buf arrays[6];
    struct db_step step = {.statement = STATEMENT_FINISH_BATCH, .params = {worker->id}};
    bool only_record = slot_first(&slot->tasks)->only_record;

    for (size_t i = 0; i < LENGTH(arrays); i++)
        buf_init(&arrays[i], BOUND_UNIT_BYTES);
    for (struct list *node = slot->tasks.next; node != &slot->tasks; node = node->next) {
        struct task *task = LIST_OWNER(node, struct task, node);

        add_element(&arrays[0], LOG_I64(task->id));
        add_element(&arrays[1], LOG_I64(task->lease_no));
        add_element(&arrays[2], task->report);
        add_element(&arrays[3], task->report_result);
        add_element(&arrays[4], task->report_error);
        add_element(&arrays[5], task->report_class == NULL || task->report_class[0] == '\0' ? NULL : task->report_class);
    }
    for (size_t i = 0; i < LENGTH(arrays); i++) {
        buf_puts(&arrays[i], "}");
        step.params[i + 1] = arrays[i].text;
    }
    if (only_record)
        step.statement = STATEMENT_RECORD_RESULT;
    db_conn_send_limited(
        slot->conn, &step, worker->options->handler_timeout_ms, worker->options->lock_timeout_ms, on_finished, slot);
    FAILPOINT("finish.sent");
    for (size_t i = 0; i < LENGTH(arrays); i++)
        buf_release(&arrays[i]);
}

static size_t
report_bytes(const struct task *task)
{
    return (task->report_result == NULL ? 0 : strlen(task->report_result))
           + (task->report_error == NULL ? 0 : strlen(task->report_error));
}

/* Sends as many outcomes as fit into one batch. */
void
finish_send(struct slot *slot)
{
    struct worker *worker = slot->worker;
    const struct list *to_finish = &worker->holdings.in[TASK_ANSWERED];
    struct task *first = slot_first(to_finish);
    size_t bytes = report_bytes(first);

    slot_take(slot, first, EVENT_REPORT_SENT);
    while (!first->runs_alone && slot->count < worker->batches[SLOT_FINISH] && !list_is_empty(to_finish)) {
        struct task *next = slot_first(to_finish);

        bytes += report_bytes(next);
        if (next->runs_alone || bytes > BOUND_UNIT_BYTES / 4)
            break;
        slot_take(slot, next, EVENT_REPORT_SENT);
    }
    send_batch(slot);
}
