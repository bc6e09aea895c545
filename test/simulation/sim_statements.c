/*
 * The statements of db/statements.h: what each looks at and locks when it begins, and what it changes and answers when it
 * commits.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "sim.h"

enum { BATCH_US = 10000 }; /* after so long a batch stops */

/* --- parameters and rows -------------------------------------------------------------------- */

static PGresult *
rows_new(struct request *request, int columns)
{
    static char name[] = "c";
    PGresAttDesc attributes[20] = {0};

    assert(columns <= (int)LENGTH(attributes));
    for (int i = 0; i < columns; i++)
        attributes[i] = (PGresAttDesc){.name = name, .typid = 25, .typlen = -1, .atttypmod = -1};
    request->rows = PQmakeEmptyPGresult(NULL, PGRES_TUPLES_OK);
    if (columns > 0)
        (void)PQsetResultAttrs(request->rows, columns, attributes);
    return request->rows;
}

static void
put(PGresult *rows, int row, int column, const char *text)
{
    char empty[] = "";

    (void)PQsetvalue(rows, row, column, text == NULL ? empty : (char *)(uintptr_t)text, text == NULL ? -1 : (int)strlen(text));
}

static void
put_i64(PGresult *rows, int row, int column, int64_t number)
{
    char text[24];

    (void)snprintf(text, sizeof(text), "%" PRId64, number);
    put(rows, row, column, text);
}

static void
put_time(PGresult *rows, int row, int column, int64_t at_us)
{
    time_t seconds = (time_t)(1767225600 + at_us / SIM_SECOND);
    struct tm parts;
    char text[64];
    char whole[80];

    (void)gmtime_r(&seconds, &parts);
    (void)strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &parts);
    (void)snprintf(whole, sizeof(whole), "%s.%06d+00", text, (int)(at_us % SIM_SECOND));
    put(rows, row, column, whole);
}

static void
refuse(struct request *request, const char *code, const char *why)
{
    PQclear(request->rows);
    request->rows = NULL;
    request->has_failed = true;
    (void)err_set(&request->err, ERR_REFUSED, code, "%s", why);
}

/* The next element of an array literal; false at its end.  NULL: it is null.  To be freed. */
static bool
next_text(const char **at, char **ret_text)
{
    struct buf text;

    *ret_text = NULL;
    if (**at == '{' || **at == ',')
        (*at)++;
    if (**at == '}' || **at == '\0')
        return false;
    if (**at != '"') {
        size_t length = strcspn(*at, ",}");

        if (strncmp(*at, "NULL", length) != 0) {
            *ret_text = must_alloc(length + 1);
            memcpy(*ret_text, *at, length);
        }
        *at += length;
        return true;
    }
    buf_init(&text, BOUND_UNIT_BYTES);
    for ((*at)++; **at != '"'; (*at)++) {
        if (**at == '\\')
            (*at)++;
        buf_add(&text, *at, 1);
    }
    (*at)++;
    *ret_text = must_strdup(text.text);
    buf_release(&text);
    return true;
}

static bool
has_text(const char *literal, const char *wanted)
{
    char quoted[80];

    (void)snprintf(quoted, sizeof(quoted), "\"%s\"", wanted);
    return literal == NULL || strstr(literal, quoted) != NULL;
}

static int
number_of(const struct request *request)
{
    return request->session->worker->number;
}

/* Tasks and lease numbers, as arrays or one of each. */
static void
read_pairs(struct request *request)
{
    const char *ids = request->params[1];
    const char *lease_nos = request->params[2];
    char *id;
    char *lease_no;
    int most = 1;

    for (const char *c = ids; *c != '\0'; c++)
        most += *c == ',';
    request->tasks = must_alloc(sizeof(request->tasks[0]) * (size_t)most);
    request->lease_nos = must_alloc(sizeof(request->lease_nos[0]) * (size_t)most);
    while (request->task_count < most && next_text(&ids, &id) && next_text(&lease_nos, &lease_no)) {
        request->tasks[request->task_count] = model_task(strtoll(id, NULL, 10));
        request->lease_nos[request->task_count++] = (int32_t)strtol(lease_no, NULL, 10);
        if (model_task(strtoll(id, NULL, 10)) == NULL)
            sim_fail("there is no task %s", id);
        free(id);
        free(lease_no);
    }
}

/* Locks what is ours; false: another session holds one of them. */
static bool
lock_pairs(struct request *request)
{
    bool has_all = true;

    for (int i = 0; i < request->task_count; i++) {
        if (model_holds(request->tasks[i], number_of(request), request->lease_nos[i]))
            has_all = model_lock(request->tasks[i], request->session) && has_all;
    }
    return has_all;
}

static bool
is_ours(const struct request *request, int n)
{
    return model_holds(request->tasks[n], number_of(request), request->lease_nos[n])
           && request->tasks[n]->locked_by == request->session;
}

/* --- claims ------------------------------------------------------------------------------------ */

static int64_t
number(const char *text)
{
    return text == NULL ? 0 : strtoll(text, NULL, 10);
}

static void
begin_claim(struct request *request)
{
    struct claim_wish wish = {
        .session = request->session,
        .worker = number_of(request),
        .limit = (int)number(request->params[3]),
        .hints = request->params[5],
        .takes_back = request->params[6][0] == 't',
        .destinations = request->params[7],
        .rooms = request->params[8],
        .retry_rooms = request->params[9],
        .other_room = (int)number(request->params[10]),
        .other_retry_room = (int)number(request->params[11]),
        .shared_room = (int)number(request->params[12]),
    };

    for (int i = 0; i < sim->queue_count; i++)
        wish.queues[i] = has_text(request->params[1], sim->queues[i].name);
    for (int i = 0; i < KINDS; i++)
        wish.kinds[i] = has_text(request->params[2], model_type((enum sim_kind)i));
    request->tasks = must_alloc(sizeof(request->tasks[0]) * (size_t)(sim->task_count + 1));
    request->task_count = model_claim(&wish, request->tasks);
    sim_say("worker %d claims %d of %s from %s: %d", wish.worker, wish.limit, request->params[2],
        wish.hints == NULL ? "the front" : wish.hints, request->task_count);
}

static const char *
mode_of(const struct sim_task *task)
{
    if (task->phase == 'h')
        return "handler";
    if (task->kind == KIND_NOOP)
        return "complete";
    if (task->kind == KIND_PREPARED)
        return "prepare";
    return model_is_call(task->kind) ? "dispatch" : "execute";
}

static bool
is_alike(const struct sim_task *a, const struct sim_task *b)
{
    return a->kind == b->kind && a->queue == b->queue && a->priority == b->priority && a->phase == b->phase
           && a->crash_count == b->crash_count && a->timeout_ms == b->timeout_ms && a->host == b->host
           && a->is_hidden == b->is_hidden && a->knows_host == b->knows_host && a->is_retry == b->is_retry;
}

static void
put_alike(struct request *request, int row, int last)
{
    const struct sim_task *like = request->tasks[last];
    struct buf texts[3];
    char destination[64];

    for (int i = 0; i < 3; i++)
        buf_init(&texts[i], 65536);
    for (int i = 0; i < request->task_count; i++) {
        const struct sim_task *task = request->tasks[i];

        if (!is_alike(task, like))
            continue;
        buf_printf(&texts[0], "%s%" PRId64, texts[0].length == 0 ? "{" : ",", task->id);
        buf_printf(&texts[1], "%s%d", texts[1].length == 0 ? "{" : ",", task->lease_no);
        buf_printf(&texts[2], "%s%d", texts[2].length == 0 ? "{" : ",", i + 1);
    }
    for (int i = 0; i < 3; i++) {
        buf_puts(&texts[i], "}");
        put(request->rows, row, i, texts[i].text);
        buf_release(&texts[i]);
    }
    model_destination(like, destination, sizeof(destination));
    put_time(request->rows, row, 3, like->available_us);
    put(request->rows, row, 4, model_type(like->kind));
    put(request->rows, row, 5, sim->queues[like->queue].name);
    put_i64(request->rows, row, 6, like->priority);
    put(request->rows, row, 7, mode_of(like));
    put_i64(request->rows, row, 8, like->timeout_ms);
    put_i64(request->rows, row, 9, like->crash_count);
    put(request->rows, row, 10,
        like->crash_count > 0 || like->timeout_ms > 0 || (model_is_prepared(like->kind) && like->is_limited) ? "t" : "f");
    put(request->rows, row, 11, model_adapter(like->kind));
    put(request->rows, row, 15, "0");
    put(request->rows, row, 16, "0");
    put(request->rows, row, 12, destination[0] == '\0' ? NULL : destination);
    put(request->rows, row, 13, like->is_retry ? "t" : NULL);
    put(request->rows, row, 14, "f");
}

static bool
is_last_alike(const struct request *request, int n)
{
    for (int i = n + 1; i < request->task_count; i++) {
        if (is_alike(request->tasks[i], request->tasks[n]))
            return false;
    }
    return true;
}

static void
end_claim(struct request *request)
{
    int row = 0;

    for (int i = 0; i < request->task_count; i++) {
        model_lease(request->tasks[i], number_of(request), number(request->params[4]) * SIM_MS);
        sim_say("task %" PRId64 " leased by worker %d, lease %d", request->tasks[i]->id, number_of(request),
            request->tasks[i]->lease_no);
    }
    (void)rows_new(request, 17);
    for (int i = 0; i < request->task_count; i++) {
        if (is_last_alike(request, i))
            put_alike(request, row++, i);
    }
}

static void
begin_claim_next(struct request *request)
{
    struct sim_task *first = NULL;

    request->tasks = must_alloc(sizeof(request->tasks[0]));
    if (!request->session->is_holder)
        return;
    for (int i = 0; i < sim->task_count; i++) {
        struct sim_task *task = sim->tasks[i];
        const struct sim_queue *queue = &sim->queues[task->queue];

        if (task->place != PLACE_READY || (task->kind != KIND_FUNCTION && !model_is_program(task->kind))
            || !has_text(request->params[4], model_type(task->kind)) || task->locked_by != NULL || task->crash_count > 0
            || task->phase != '\0' || strcmp(queue->name, request->params[1]) != 0 || queue->max_running > 0
            || queue->paused_until_us > sim->now_us || task->priority != number(request->params[2])
            || task->available_us > sim->now_us)
            continue;
        if (first == NULL || task->available_us < first->available_us)
            first = task;
    }
    if (first != NULL && model_lock(first, request->session))
        request->tasks[request->task_count++] = first;
}

static bool
has_more(const struct sim_task *task)
{
    for (int i = 0; i < sim->task_count; i++) {
        const struct sim_task *other = sim->tasks[i];

        if (other->place == PLACE_READY && other->queue == task->queue && other->priority == task->priority
            && other->available_us <= sim->now_us && other->available_us >= task->available_us)
            return true;
    }
    return false;
}

static void
end_claim_next(struct request *request)
{
    struct session *session = request->session;
    PGresult *rows = rows_new(request, 19);
    struct sim_task *task = request->task_count == 0 ? NULL : request->tasks[0];

    if (task == NULL)
        return;
    model_lease(task, number_of(request), number(request->params[5]) * SIM_MS);
    task->leases[task->lease_no].was_drawn = true;
    sim_say("task %" PRId64 " claimed directly by worker %d, lease %d", task->id, number_of(request), task->lease_no);
    (void)snprintf(session->next_token, sizeof(session->next_token), "%s", request->params[6]);
    session->next_task = task;
    session->next_lease_no = task->lease_no;
    session->next_timeout_ms = task->timeout_ms;
    put_alike(request, 0, 0);
    put(rows, 0, 7, "execute");
    put(rows, 0, 11, NULL);
    put(rows, 0, 9, "0");
    put(rows, 0, 10, "f");
    put(rows, 0, 17, has_more(task) ? "t" : "f");
    put(rows, 0, 18, "off");
}

/* --- runs ---------------------------------------------------------------------------------------- */

/* How long its runs take; those that are reached. */
static int64_t
begin_execute(struct request *request)
{
    bool is_batch = request->statement == STATEMENT_EXECUTE_BATCH;
    int64_t work_us = sim_between(100, 400);

    (void)lock_pairs(request);
    for (int i = 0; i < request->task_count; i++) {
        struct sim_task *task = request->tasks[i];

        if (is_batch && request->reached > 0 && work_us >= BATCH_US)
            return work_us;
        request->reached++;
        if (!is_ours(request, i) || task->is_cancelled)
            continue;
        work_us += task->work_us;
        sim_say("task %" PRId64 " runs for worker %d, lease %d", task->id, number_of(request), task->lease_no);
        if (task->mood == MOOD_KILLS)
            request->session->is_fatal = true;
    }
    return work_us;
}

/* Does the mood of a task end the whole transaction? */
static bool
strikes(struct request *request, struct sim_task *task)
{
    if (task->mood == MOOD_UNWELL && task->mood_left > 0) {
        task->mood_left--;
        refuse(request, "53200", "out of memory");
        return true;
    }
    if (task->mood == MOOD_PASSING && task->mood_left > 0 && request->statement != STATEMENT_EXECUTE_BATCH) {
        task->mood_left--;
        refuse(request, "40001", "could not serialize access");
        return true;
    }
    return false;
}

static void
put_run(struct request *request, int row, int n, const char *outcome, const char *error, const char *state)
{
    put_i64(request->rows, row, 0, request->tasks[n]->id);
    put(request->rows, row, 1, outcome);
    put(request->rows, row, 2, outcome);
    put(request->rows, row, 3, error);
    put(request->rows, row, 4, state);
    put_i64(request->rows, row, 5, sim->now_us - request->started_us);
}

/* One that could not be locked. */
static bool
put_fenced(struct request *request, int row, int n)
{
    const char *why = model_why_not(request->tasks[n], number_of(request), request->lease_nos[n]);
    const char *code = strcmp(why, "busy") == 0 ? "QU008" : "QU002";

    if (strcmp(why, "completed") == 0) {
        put_run(request, row, n, request->tasks[n]->outcome, NULL, NULL);
    } else if (request->statement == STATEMENT_EXECUTE_BATCH) {
        put_run(request, row, n, NULL, why, code);
    } else {
        refuse(request, code, why);
        return false;
    }
    return true;
}

static void
put_ended(struct request *request, int row, int n)
{
    struct sim_task *task = request->tasks[n];

    if (task->is_cancelled) {
        model_complete(task, "cancelled");
        put_run(request, row, n, "cancelled", NULL, NULL);
    } else if (task->mood == MOOD_PASSING && task->mood_left > 0) {
        task->mood_left--;
        put_run(request, row, n, model_finish(task, number_of(request), task->lease_no, "transient", false, true), NULL, "40001");
    } else if (task->mood == MOOD_RAISES) {
        model_complete(task, "failed");
        put_run(request, row, n, "failed", "it raised an error", "P0001");
    } else {
        model_complete(task, "succeeded");
        put_run(request, row, n, "succeeded", NULL, NULL);
    }
}

/* What was not reached was locked all the time, so nobody could renew it. */
static void
keep_leases(struct request *request)
{
    for (int i = request->reached; i < request->task_count; i++) {
        struct sim_task *task = request->tasks[i];

        if (is_ours(request, i) && task->expires_us < sim->now_us + task->leases[task->lease_no].length_us * 2 / 3)
            task->expires_us = sim->now_us + task->leases[task->lease_no].length_us;
    }
}

static void
end_execute(struct request *request)
{
    bool is_at_commit = false;

    (void)rows_new(request, 9);
    for (int i = 0; i < request->reached; i++) {
        if (is_ours(request, i) && strikes(request, request->tasks[i]))
            return;
        is_at_commit = is_at_commit || (is_ours(request, i) && request->tasks[i]->mood == MOOD_AT_COMMIT);
    }
    if (is_at_commit) {
        request->has_failed = true;
        request->is_at_commit = true;
        (void)err_set(&request->err, ERR_REFUSED, "23503", "a deferred constraint is violated");
        return;
    }
    for (int i = 0; i < request->reached; i++) {
        if (is_ours(request, i))
            put_ended(request, i, i);
        else if (!put_fenced(request, i, i))
            return;
    }
    if (sim->now_us - request->started_us > BATCH_US + 100 * SIM_MS)
        keep_leases(request);
}

static void
read_next(struct request *request)
{
    struct session *session = request->session;

    request->tasks = must_alloc(sizeof(request->tasks[0]));
    request->lease_nos = must_alloc(sizeof(request->lease_nos[0]));
    if (request->timeout_ms < 0)
        request->timeout_ms = session->next_timeout_ms;
    if (strcmp(session->next_token, request->params[1]) != 0)
        return;
    request->tasks[0] = session->next_task;
    request->lease_nos[0] = session->next_lease_no;
    request->task_count = 1;
}

static void
end_complete_noop(struct request *request)
{
    struct buf done;
    int count = 0;

    buf_init(&done, 65536);
    for (int i = 0; i < request->task_count; i++) {
        if (!model_holds(request->tasks[i], number_of(request), request->lease_nos[i]) || request->tasks[i]->kind != KIND_NOOP)
            continue;
        model_complete(request->tasks[i], "succeeded");
        buf_printf(&done, "%s%" PRId64, count++ == 0 ? "{" : ",", request->tasks[i]->id);
    }
    buf_puts(&done, "}");
    (void)rows_new(request, 3);
    put_i64(request->rows, 0, 0, count);
    put(request->rows, 0, 1, count == request->task_count || count == 0 ? NULL : done.text);
    put_i64(request->rows, 0, 2, sim->now_us - request->started_us);
    buf_release(&done);
}

static void
end_prepare(struct request *request)
{
    struct sim_task *task = request->tasks[0];
    const char *decision = "run";

    if (model_holds(task, number_of(request), request->lease_nos[0]) && !is_ours(request, 0)) {
        refuse(request, "55P03", "canceling statement due to lock timeout");
        return;
    }
    if (!is_ours(request, 0)) {
        decision = "fenced";
    } else if (task->is_cancelled) {
        model_complete(task, "cancelled");
        decision = "completed";
    } else if (task->expires_us < sim->now_us) {
        decision = "expired";
    }
    (void)rows_new(request, 5);
    put(request->rows, 0, 0, decision);
}

/* --- calls ------------------------------------------------------------------------------------------ */

static void
put_request(struct request *request, int row, const struct sim_task *task)
{
    char text[160];

    if (task->kind == KIND_SMS)
        (void)snprintf(text, sizeof(text), "{\"to_number\": \"+150012345\", \"body\": \"task %" PRId64 "\"}", task->id);
    else if (task->kind == KIND_EMAIL)
        (void)snprintf(text, sizeof(text), "{\"to_address\": \"a@example.com\", \"subject\": \"task %" PRId64 "\"}", task->id);
    else
        (void)snprintf(
            text, sizeof(text), "{\"method\": \"POST\", \"url\": \"https://h%d.example/%" PRId64 "\"}", task->host, task->id);
    put(request->rows, row, 2, text);
    put(request->rows, row, 4, "{}");
    (void)snprintf(text, sizeof(text), "key-%" PRId64, task->id);
    put(request->rows, row, 5, text);
}

static void
announce(struct request *request, int row, struct sim_task *task)
{
    struct sim_lease *lease = &task->leases[task->lease_no];
    bool was_hidden = task->is_hidden && !task->knows_host;
    char destination[64];

    if (task->lease_no > 1 || task->expires_us < sim->now_us + lease->length_us * 2 / 3)
        task->expires_us = sim->now_us + lease->length_us > task->expires_us ? sim->now_us + lease->length_us : task->expires_us;
    lease->was_dispatched = true;
    put_request(request, row, task);
    if (was_hidden) {
        task->knows_host = task->lease_no == 1;
        (void)snprintf(destination, sizeof(destination), "h%d.example", task->host);
        put(request->rows, row, 10, destination);
    }
}

static void
put_dispatch(struct request *request, int n)
{
    struct sim_task *task = request->tasks[n];
    const char *decision = "send";

    put_i64(request->rows, n, 0, task->id);
    for (int i = 1; i < 12; i++)
        put(request->rows, n, i, NULL);
    put_i64(request->rows, n, 8, sim->now_us - request->started_us);
    if (model_holds(task, number_of(request), request->lease_nos[n]) && !is_ours(request, n)) {
        put(request->rows, n, 6, "canceling statement due to lock timeout");
        put(request->rows, n, 7, "55P03");
        return;
    }
    if (request->statement == STATEMENT_BEGIN_DISPATCH && is_ours(request, n) && n >= number(request->params[3])
        && model_fails_in_doubt(task->kind)) {
        put(request->rows, n, 1, "later");
        return;
    }
    if (!is_ours(request, n)) {
        decision = "fenced";
    } else if (task->is_cancelled) {
        model_complete(task, "cancelled");
        decision = "completed";
    } else if (model_stored(task) != NULL) {
        decision = "stored";
    } else if (task->expires_us < sim->now_us) {
        decision = "expired";
    } else if (task->mood == MOOD_RAISES) {
        model_complete(task, "failed");
        decision = "completed";
    } else if (task->mood == MOOD_PASSING && task->mood_left > 0) {
        task->mood_left--;
        put(request->rows, n, 6, "could not serialize access");
        put(request->rows, n, 7, "40001");
        return;
    } else {
        announce(request, n, task);
        put_i64(request->rows, n, 11, 1);
        if (task->timeout_ms > 0)
            put_i64(request->rows, n, 9, task->timeout_ms);
    }
    put(request->rows, n, 1, decision);
}

static void
end_begin_dispatch(struct request *request)
{
    (void)rows_new(request, 17);
    for (int i = 0; i < request->task_count; i++)
        put_dispatch(request, i);
}

static void
end_finish(struct request *request)
{
    const char *outcomes = request->params[3];
    const char *results = request->params[4];
    const char *classes = request->params[6];
    bool only_records = request->statement == STATEMENT_RECORD_RESULT;

    (void)rows_new(request, 9);
    for (int i = 0; i < request->task_count; i++) {
        struct sim_task *task = request->tasks[i];
        char *outcome;
        char *result;
        char *class;
        const char *status;
        bool is_cancel;

        (void)next_text(&outcomes, &outcome);
        (void)next_text(&results, &result);
        (void)next_text(&classes, &class);
        is_cancel = strcmp(outcome, "failed") == 0 && class != NULL && strcmp(class, "cancelled") == 0 && task->is_cancelled
                    && model_holds(task, number_of(request), request->lease_nos[i]);
        status = result == NULL ? NULL : strstr(result, "\"status\":");
        put_i64(request->rows, i, 0, task->id);
        for (int column = 1; column < 4; column++)
            put(request->rows, i, column, NULL);
        put_i64(request->rows, i, 4, sim->now_us - request->started_us);
        if (model_holds(task, number_of(request), request->lease_nos[i]) && !is_ours(request, i)) {
            put(request->rows, i, 2, "canceling statement due to lock timeout");
            put(request->rows, i, 3, "55P03");
        } else if (is_cancel) {
            task->leases[task->lease_no].is_recorded = true;
            model_complete(task, "cancelled");
            put(request->rows, i, 1, "completed");
        } else {
            put(request->rows, i, 1,
                model_finish(
                    task, number_of(request), request->lease_nos[i], outcome, status != NULL && status[9] == '2', !only_records));
        }
        sim_say("worker %d reports task %" PRId64 ", lease %d: %s", number_of(request), task->id, request->lease_nos[i], outcome);
        free(outcome);
        free(result);
        free(class);
    }
}

/* --- leases -------------------------------------------------------------------------------------- */

/* Runs of commands and tasks of programs are interrupted. */
static const char *
cancel_state(const struct sim_task *task)
{
    return model_is_prepared(task->kind) || model_is_program(task->kind) ? "stop" : "cancel_requested";
}

static void
end_renew(struct request *request)
{
    int64_t lease_us = number(request->params[3]) * SIM_MS;

    (void)rows_new(request, 3);
    for (int i = 0; i < request->task_count; i++) {
        struct sim_task *task = request->tasks[i];
        const char *state = "renewed";
        int32_t lease_no = request->lease_nos[i];
        bool is_held = model_holds(task, number_of(request), lease_no);

        if (is_held && task->locked_by == NULL) {
            if (task->expires_us < sim->now_us + lease_us)
                task->expires_us = sim->now_us + lease_us;
            state = task->is_cancelled ? cancel_state(task) : "renewed";
        } else if (is_held) {
            state = task->is_cancelled ? cancel_state(task) : "busy";
        } else {
            state = lease_no <= task->lease_no && task->leases[lease_no].worker == number_of(request)
                            && task->leases[lease_no].length_us > 0
                        ? "lost"
                        : "unknown";
        }
        put_i64(request->rows, i, 0, task->id);
        put(request->rows, i, 1, state);
        put_i64(request->rows, i, 2, lease_no);
    }
}

static void
end_release(struct request *request)
{
    int row = 0;

    (void)rows_new(request, 1);
    for (int i = 0; i < request->task_count; i++) {
        struct sim_task *task = request->tasks[i];

        if (!model_holds(task, number_of(request), request->lease_nos[i]) || task->locked_by != NULL
            || task->leases[task->lease_no].was_dispatched)
            continue;
        if (task->is_cancelled)
            model_complete(task, "cancelled");
        else
            model_ready(task, sim->now_us + number(request->params[3]) * SIM_MS, LEASE_RELEASED);
        put_i64(request->rows, row++, 0, task->id);
    }
}

/* --- the rest ---------------------------------------------------------------------------------------- */

static void
end_settings(struct request *request)
{
    int row = 0;

    (void)rows_new(request, 3);
    for (int i = 0; i < KINDS; i++) {
        if (i == KIND_PREPARED || !has_text(request->params[0], model_type((enum sim_kind)i)))
            continue;
        put(request->rows, row, 0, "type");
        put(request->rows, row, 1, model_type((enum sim_kind)i));
        put(request->rows, row++, 2, model_is_call((enum sim_kind)i) ? model_adapter((enum sim_kind)i) : NULL);
    }
    for (int i = 0; i < sim->queue_count; i++) {
        char limit[16];

        (void)snprintf(limit, sizeof(limit), "%d", sim->queues[i].max_running);
        put(request->rows, row, 0, "queue");
        put(request->rows, row, 1, sim->queues[i].name);
        put(request->rows, row++, 2, sim->queues[i].max_running > 0 ? limit : NULL);
    }
}

static void
end_next_due(struct request *request)
{
    bool wanted[KINDS];
    int64_t at_us;

    for (int i = 0; i < KINDS; i++)
        wanted[i] = has_text(request->params[1], model_type((enum sim_kind)i));
    at_us = model_next_due(wanted);
    (void)rows_new(request, 1);
    if (at_us == INT64_MAX)
        put(request->rows, 0, 0, NULL);
    else
        put_i64(request->rows, 0, 0, (at_us - sim->now_us + 999) / 1000);
}

static int64_t
begin_fire_due(struct request *request)
{
    schedules_lock(request);
    return sim_between(100, 1000);
}

static void
end_fire_due(struct request *request)
{
    int decided = schedules_decide(request);
    int64_t next_us = schedules_next_us();

    (void)rows_new(request, 3);
    put_i64(request->rows, 0, 0, decided);
    if (next_us == INT64_MAX)
        put(request->rows, 0, 1, NULL);
    else
        put_i64(
            request->rows, 0, 1, next_us > sim->now_us ? (next_us - sim->now_us + 999) / 1000 : (next_us - sim->now_us) / 1000);
    put(request->rows, 0, 2, "off");
}

/* One row with one field. */
static void
put_one(struct request *request, const char *text)
{
    (void)rows_new(request, 1);
    put(request->rows, 0, 0, text);
}

/* As internal.enter_gate: nobody waits for another worker, only for enqueuers. */
static int64_t
begin_enter(struct request *request)
{
    struct session *session = request->session;

    if (session->gate == GATE_WAITS)
        session->gate = GATE_NONE; /* It is begun again. */
    if (server_is_gate_wanted())
        session->follows = true;
    else if (sim->open_enqueuers > 0)
        session->gate = GATE_WAITS;
    else
        session->gate = GATE_OWNED;
    return session->gate == GATE_WAITS ? -1 : 100;
}

static int64_t
begin_plainly(struct request *request)
{
    (void)request;
    return sim_between(100, 1000);
}

static int64_t
begin_claiming(struct request *request)
{
    begin_claim(request);
    return sim_between(200, 1500);
}

static int64_t
begin_drawing(struct request *request)
{
    begin_claim_next(request);
    return sim_between(100, 500);
}

static int64_t
begin_next_run(struct request *request)
{
    read_next(request);
    return begin_execute(request);
}

/* The announcement of the task that was claimed directly. */
static int64_t
begin_next_call(struct request *request)
{
    int64_t work_us = sim_between(100, 1000);

    read_next(request);
    if (!lock_pairs(request))
        work_us += request->lock_timeout_ms * SIM_MS; /* In vain. */
    return work_us;
}

static int64_t
begin_runs(struct request *request)
{
    read_pairs(request);
    return begin_execute(request);
}

/* With locks that are waited for. */
static int64_t
begin_locked(struct request *request)
{
    int64_t work_us = sim_between(100, 1000);

    read_pairs(request);
    if (!lock_pairs(request))
        work_us += request->lock_timeout_ms * SIM_MS; /* In vain. */
    return work_us + 100 * request->task_count;
}

static int64_t
begin_leases(struct request *request)
{
    read_pairs(request);
    return sim_between(100, 1000);
}

static void
end_true(struct request *request)
{
    put_one(request, "t");
}

static void
end_zero(struct request *request)
{
    put_one(request, "0");
}

static void
end_null(struct request *request)
{
    put_one(request, NULL);
}

/* Every third task is traced. */
static void
put_traces(struct request *request, int64_t id)
{
    const struct sim_task *task = id < 1 || id > sim->task_count ? NULL : model_task(id);

    if (task == NULL || id % 3 != 0)
        return;
    for (int no = 1; no <= task->lease_no; no++) {
        int row = PQntuples(request->rows);

        if (task->leases[no].worker != number_of(request))
            continue;
        put_i64(request->rows, row, 0, id);
        put_i64(request->rows, row, 1, no);
        put(request->rows, row, 2, "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
        put(request->rows, row, 3, "0.5");
        put_i64(request->rows, row, 6, 1);
        for (int column = 7; column < 10; column++)
            put(request->rows, row, column, "f");
    }
}

static void
end_traces(struct request *request)
{
    const char *ids = request->params[3];
    int64_t id = number(request->params[1]);
    int64_t last = number(request->params[2]);

    (void)rows_new(request, 10);
    while (ids != NULL && db_array_next(&ids, &id))
        put_traces(request, id);
    for (; request->params[3] == NULL && id <= last; id++)
        put_traces(request, id);
}

/* A worker that stops gives back what it holds and does not know of. */
static void
end_stop(struct request *request)
{
    for (int i = 0; i < sim->task_count; i++) {
        struct sim_task *task = sim->tasks[i];

        if (!model_holds(task, number_of(request), task->lease_no) || task->locked_by != NULL
            || task->leases[task->lease_no].was_dispatched)
            continue;
        if (task->is_cancelled)
            model_complete(task, "cancelled");
        else
            model_ready(task, sim->now_us, LEASE_RELEASED);
    }
    put_one(request, NULL);
}

static void
end_hold(struct request *request)
{
    request->session->is_holder = true;
    put_one(request, "1");
}

static void
end_listen(struct request *request)
{
    request->session->is_listening = true;
    (void)rows_new(request, 0);
}

static void
end_enter(struct request *request)
{
    struct session *session = request->session;

    if (session->gate != GATE_OWNED) {
        put_one(request, server_is_gate_wanted() ? "follows" : "waits");
        session->follows = true;
        return;
    }
    session->follows = false;
    put_one(request, "held");
    if (server_has_followers(session))
        server_notify("worker_control", "gate taken");
}

static void
end_leave(struct request *request)
{
    struct session *session = request->session;
    bool is_final = strcmp(request->params[1], "t") == 0;
    bool has_followers = server_has_followers(session);

    if (!session->follows && has_followers && !is_final) {
        put_one(request, "f");
        return;
    }
    put_one(request, "t");
    if (!session->follows && has_followers)
        server_notify("worker_control", "gate left");
    session->follows = false;
    session->gate = GATE_NONE;
    server_pass_gate();
}

struct statement_model {
    int64_t (*begin)(struct request *request); /* NULL: there is nothing to look at */
    void (*end)(struct request *request);
    bool is_durable; /* its commit waits for the disk */
};

static const struct statement_model models[STATEMENT_COUNT] = {
    [STATEMENT_START] = {NULL, end_true, true},
    [STATEMENT_SETTINGS] = {NULL, end_settings, false},
    [STATEMENT_CLAIM] = {begin_claiming, end_claim, true},
    [STATEMENT_CLAIM_NEXT] = {begin_drawing, end_claim_next, false},
    [STATEMENT_HOLD] = {NULL, end_hold, true},
    [STATEMENT_EXECUTE_NEXT] = {begin_next_run, end_execute, true},
    [STATEMENT_EXECUTE] = {begin_runs, end_execute, true},
    [STATEMENT_EXECUTE_BATCH] = {begin_runs, end_execute, true},
    [STATEMENT_PREPARE] = {begin_locked, end_prepare, true},
    [STATEMENT_COMPLETE_NOOP] = {begin_leases, end_complete_noop, true},
    [STATEMENT_BEGIN_DISPATCH] = {begin_locked, end_begin_dispatch, true},
    [STATEMENT_PROGRESS] = {NULL, end_true, false},
    [STATEMENT_BEGIN_NEXT] = {begin_next_call, end_begin_dispatch, true},
    [STATEMENT_FINISH_BATCH] = {begin_locked, end_finish, true},
    [STATEMENT_RECORD_RESULT] = {begin_locked, end_finish, true},
    [STATEMENT_RENEW] = {begin_leases, end_renew, true},
    [STATEMENT_RELEASE] = {begin_leases, end_release, true},
    [STATEMENT_FIRE_DUE] = {begin_fire_due, end_fire_due, false},
    [STATEMENT_NEXT_DUE] = {NULL, end_next_due, false},
    [STATEMENT_ALIVE] = {NULL, end_null, true},
    [STATEMENT_SWEEP] = {NULL, end_zero, false},
    [STATEMENT_RESCUE] = {NULL, end_zero, false},
    [STATEMENT_PRUNE] = {NULL, end_zero, false},
    [STATEMENT_ROLL_UP] = {NULL, end_zero, false},
    [STATEMENT_TRACES] = {NULL, end_traces, false},
    [STATEMENT_LISTEN] = {NULL, end_listen, false},
    [STATEMENT_LISTEN_QUEUES] = {NULL, end_null, false},
    [STATEMENT_LISTEN_CONTROL] = {NULL, end_null, false},
    [STATEMENT_PLAN_AGAIN] = {NULL, end_null, false},
    [STATEMENT_STOP] = {NULL, end_stop, true},
    [STATEMENT_GATE_ENTER] = {begin_enter, end_enter, false},
    [STATEMENT_GATE_LEAVE] = {NULL, end_leave, false},
};

int64_t
statement_begin(struct request *request)
{
    const struct statement_model *model = &models[request->statement];
    int64_t work_us = model->begin == NULL ? begin_plainly(request) : model->begin(request);

    if (work_us > 0 && request->timeout_ms > 0 && work_us > request->timeout_ms * SIM_MS) {
        request->is_cancelled = true;
        return request->timeout_ms * SIM_MS;
    }
    return work_us;
}

/* The server is unwell for a moment. */
static bool
is_refused(struct request *request)
{
    static const char *const codes[] = {"55P03", "53200", "53300", "40P01"};

    if (!world_has_faults() || !sim_chance(sim->faults.refuse) || request->statement == STATEMENT_START)
        return false;
    sim_disturb(0);
    sim_say("worker %d: %s is refused", number_of(request), statements[request->statement].name);
    refuse(request, codes[sim_between(0, 3)], "not now");
    return true;
}

void
statement_end(struct request *request)
{
    const struct statement_model *model = &models[request->statement];

    assert(model->end != NULL); /* A statement that is new to the simulation. */
    if (request->is_cancelled) {
        refuse(request, "57014", "canceling statement");
        return;
    }
    if (is_refused(request))
        return;
    model->end(request);
    if (model->is_durable && !request->has_failed)
        sim->committed_us = sim->now_us;
}
