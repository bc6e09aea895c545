/*
 * Sessions of the server.  Each works on its requests in order: a request begins (it looks, and locks), takes its time, and
 * ends (it commits and answers).  A session that ends in between rolls back.
 */
#include <stdlib.h>
#include <string.h>

#include "sim.h"

static void begin_next(struct session *session);

void
request_free(struct request *request)
{
    list_remove(&request->node);
    sim_cancel(request->event);
    if (request->unit != NULL)
        db_unit_forget(request->unit);
    for (int i = 0; i < BOUND_PARAMS; i++)
        free(request->params[i]);
    free(request->tasks);
    free(request->lease_nos);
    PQclear(request->rows);
    free(request);
}

struct session *
server_connect(struct db_conn *client, struct sim_worker *worker)
{
    struct session *session = must_alloc(sizeof(*session));

    session->client = client;
    session->worker = worker;
    list_init(&session->node);
    list_init(&session->requests);
    list_init(&session->arriving);
    list_append(&sim->sessions, &session->node);
    return session;
}

static struct request *
first_of(const struct session *session)
{
    return LIST_OWNER(session->requests.next, struct request, node);
}

/* --- the gate ------------------------------------------------------------------------------ */

/* Who owns it, or has waited for it longest. */
static struct session *
gate_owner(enum gate gate)
{
    struct session *first = NULL;

    for (struct list *node = sim->sessions.next; node != &sim->sessions; node = node->next) {
        struct session *session = LIST_OWNER(node, struct session, node);

        if (session->gate == gate && (first == NULL || first_of(session)->started_us < first_of(first)->started_us))
            first = session;
    }
    return first;
}

bool
server_is_gate_wanted(void)
{
    return gate_owner(GATE_OWNED) != NULL || gate_owner(GATE_WAITS) != NULL;
}

bool
server_try_shared_gate(void)
{
    if (server_is_gate_wanted())
        return false;
    sim->open_enqueuers++;
    return true;
}

bool
server_has_followers(const struct session *session)
{
    for (struct list *node = sim->sessions.next; node != &sim->sessions; node = node->next) {
        if (node != &session->node && LIST_OWNER(node, struct session, node)->follows)
            return true;
    }
    return false;
}

void
server_pass_gate(void)
{
    struct session *next = gate_owner(GATE_WAITS);

    if (next == NULL || sim->open_enqueuers > 0 || gate_owner(GATE_OWNED) != NULL)
        return;
    begin_next(next);
}

void
server_on_shared_gate(void)
{
    sim->open_enqueuers--;
    server_pass_gate();
}

/* --- the end of a session ------------------------------------------------------------------- */

static void
drop_requests(struct list *requests)
{
    while (!list_is_empty(requests))
        request_free(LIST_OWNER(requests->next, struct request, node));
}

/* It stays in memory till the end of the history: events may still name it. */
void
server_end_session(struct session *session)
{
    bool had_gate = session->gate != GATE_NONE;

    if (session->is_dead)
        return;
    session->is_dead = true;
    session->gate = GATE_NONE;
    session->follows = false;
    session->is_listening = false;
    list_append(&sim->dead_sessions, &session->node);
    model_unlock(session, true);
    if (session->client != NULL)
        db_lost(session->client, sim_between(0, 5 * SIM_MS));
    session->client = NULL;
    drop_requests(&session->requests);
    drop_requests(&session->arriving);
    if (had_gate)
        server_pass_gate();
}

static void
on_gone(void *cookie)
{
    server_end_session(cookie);
}

static void
forget_units(struct list *requests)
{
    for (struct list *node = requests->next; node != requests; node = node->next) {
        struct request *request = LIST_OWNER(node, struct request, node);

        if (request->unit != NULL)
            db_unit_forget(request->unit);
        request->unit = NULL;
    }
}

/* What was sent is worked on as long as the server does not see that nobody is there. */
void
server_leave(struct session *session, int64_t linger_us)
{
    session->client = NULL;
    if (session->is_dead)
        return;
    forget_units(&session->requests);
    forget_units(&session->arriving);
    (void)sim_after(NULL, linger_us, on_gone, session);
}

static void
end_all_sessions(void)
{
    while (!list_is_empty(&sim->sessions))
        server_end_session(LIST_OWNER(sim->sessions.next, struct session, node));
}

void
server_free(void)
{
    while (!list_is_empty(&sim->dead_sessions)) {
        struct session *session = LIST_OWNER(sim->dead_sessions.next, struct session, node);

        list_remove(&session->node);
        free(session);
    }
}

/* The client learns of it soon or late, and so does the server. */
void
server_cut(const struct sim_worker *worker)
{
    for (struct list *node = sim->sessions.next; node != &sim->sessions; node = node->next) {
        struct session *session = LIST_OWNER(node, struct session, node);

        if (session->worker != worker || session->client == NULL)
            continue;
        db_lost(session->client, sim_chance(500) ? sim_between(0, 100 * SIM_MS) : sim_between(0, 10 * SIM_SECOND));
        server_leave(session, sim_between(0, 10 * SIM_SECOND));
    }
}

void
server_restart(int64_t down_us)
{
    sim_disturb(down_us);
    sim_say("server: restart");
    sim->server_no++;
    sim->down_until_us = sim->now_us + down_us;
    sim->open_enqueuers = 0;
    end_all_sessions();
    model_crash();
}

/* --- requests ------------------------------------------------------------------------------- */

static void
answer(struct session *session, struct request *request)
{
    list_remove(&request->node);
    session->is_busy = false;
    if (world_has_faults() && session->client != NULL && sim_chance(sim->faults.lose_after)) {
        sim_disturb(0);
        sim_say("worker %d: the answer to %s is lost", session->worker->number, statements[request->statement].name);
        request_free(request);
        server_end_session(session);
        return;
    }
    if (request->unit != NULL)
        db_answered(request->unit, request);
    request_free(request);
    begin_next(session);
}

static void
on_end(void *cookie)
{
    struct request *request = cookie;
    struct session *session = request->session;

    request->event = NULL;
    if (session->is_fatal) {
        sim_disturb(0);
        sim_say("worker %d: the session dies in %s", session->worker->number, statements[request->statement].name);
        server_end_session(session);
        return;
    }
    statement_end(request);
    model_unlock(session, request->has_failed);
    answer(session, request);
}

static void
on_lock_timeout(void *cookie)
{
    struct request *request = cookie;
    struct session *session = request->session;

    request->event = NULL;
    session->gate = GATE_NONE;
    statement_end(request);
    answer(session, request);
}

static void
begin_next(struct session *session)
{
    struct request *request;
    int64_t work_us;

    if (session->is_dead || list_is_empty(&session->requests) || (session->is_busy && session->gate != GATE_WAITS))
        return;
    request = first_of(session);
    session->is_busy = true;
    session->is_fatal = false;
    if (session->gate != GATE_WAITS)
        request->started_us = sim->now_us;
    work_us = statement_begin(request);
    if (work_us < 0) {
        if (request->event == NULL)
            request->event = sim_after(NULL, 500 * SIM_MS, on_lock_timeout, request);
        return;
    }
    sim_cancel(request->event);
    if (world_has_faults() && sim_chance(sim->faults.lose_during))
        session->is_fatal = true;
    request->event = sim_after(NULL, session->is_fatal ? sim_between(0, work_us) : work_us, on_end, request);
}

static void
on_arrival(void *cookie)
{
    struct request *request = cookie;
    struct session *session = request->session;

    request->event = NULL;
    list_append(&session->requests, &request->node);
    begin_next(session);
}

/* The requests of one session arrive in order, and none after its end. */
void
server_send(struct session *session, struct request *request)
{
    int64_t at_us = sim->now_us + sim_between(30, sim->latency_us);

    if (at_us <= session->arrives_us)
        at_us = session->arrives_us + 1;
    session->arrives_us = at_us;
    request->session = session;
    request->sent_us = sim->now_us;
    request->event = sim_after(NULL, at_us - sim->now_us, on_arrival, request);
    list_append(&session->arriving, &request->node);
}

static void
on_cancel(void *cookie)
{
    struct session *session = cookie;
    struct request *request;

    if (session->is_dead || !session->is_busy)
        return;
    request = first_of(session);
    request->is_cancelled = true;
    if (session->gate == GATE_WAITS)
        return;
    sim_cancel(request->event);
    request->event = sim_after(NULL, 100, on_end, request);
}

void
server_cancel(struct session *session)
{
    (void)sim_after(NULL, sim_between(100, 20 * SIM_MS), on_cancel, session);
}

void
server_notify(const char *channel, const char *payload)
{
    for (struct list *node = sim->sessions.next; node != &sim->sessions; node = node->next) {
        struct session *session = LIST_OWNER(node, struct session, node);

        if (session->is_listening && session->client != NULL)
            db_notified(session->client, channel, payload);
    }
}
