/*
 * Schedules: calls queues.fire_due when a schedule is due.  Every worker does this, whatever queues it serves, so no schedule
 * depends on one process.  The database decides; this file only knows the time of the next decision.  That time comes with
 * each answer.  A notification says that somebody changed a schedule; if it is lost, the longest wait bounds the delay.
 *
 * The call uses the control connection: it runs no user code, waits for no lock longer than a moment, and decides for a
 * short time only.
 */
#include "base/failpoint.h"
#include "task/worker_private.h"

static void
on_fired(void *cookie, const struct db_result *result, const struct err *err)
{
    struct worker *worker = cookie;
    int64_t longest_ms = worker->can_listen ? BOUND_SCHEDULE_MS : worker->options->poll_ms;
    int64_t wait_ms = longest_ms;
    int64_t took_ms = loop_boot_ms() - worker->fired_ms;
    int64_t decided = 0;

    worker->is_firing = false;
    FAILPOINT("schedule.answered");
    if (err != NULL) {
        if (err->kind != ERR_RETRY)
            log_event(LOG_WARN, "could not fire schedules", "sqlstate", err->code, "error", err->message, NULL);
        timer_start(worker->schedule_timer, BOUND_DUE_MS);
        return;
    }
    decided = db_result_i64(result, 0, 0, 0);
    if (db_result_text(result, 0, 1) != NULL)
        wait_ms = db_result_i64(result, 0, 1, 0);
    /* An old answer: the network was slow, or this process was frozen. */
    if (took_ms > BOUND_SCHEDULE_AGAIN_MS)
        wait_ms -= took_ms;
    /* If schedules are due and this worker decided about none, another session is deciding about them. */
    if (decided >= BOUND_SCHEDULE_BATCH)
        wait_ms = took_ms; /* Other work gets as much time as the call took. */
    else if (worker->must_fire)
        wait_ms = 0;
    else if (wait_ms <= 0)
        wait_ms = decided > 0 ? 0 : BOUND_SCHEDULE_AGAIN_MS;
    timer_start(worker->schedule_timer, wait_ms < longest_ms ? wait_ms : longest_ms);
}

static void
on_timer(void *cookie)
{
    struct worker *worker = cookie;
    char limit[16];
    struct db_step step = {.statement = STATEMENT_FIRE_DUE, .params = {limit}};

    /* After a new start of the control connection, schedules_look is called again. */
    if (worker->is_firing || !worker->is_started || worker->is_stopping || !db_conn_is_up(worker->control))
        return;
    (void)snprintf(limit, sizeof(limit), "%d", BOUND_SCHEDULE_BATCH);
    worker->is_firing = true;
    worker->must_fire = false;
    worker->fired_ms = loop_boot_ms();
    db_conn_send(worker->control, &step, on_fired, worker);
    FAILPOINT("schedule.sent");
}

void
schedules_look(struct worker *worker)
{
    worker->must_fire = true;
    timer_start(worker->schedule_timer, 0);
}

void
schedules_start(struct worker *worker)
{
    worker->schedule_timer = timer_new(worker->loop, on_timer, worker);
}

void
schedules_stop(struct worker *worker)
{
    timer_close(worker->schedule_timer);
}
