/*
 * Gives work to free connections: outcomes to record, calls to announce, functions to run, in turn.
 */
#include "task/worker_private.h"

/* May another connection take database work? */
static bool
pace_has_room(const struct worker *worker)
{
    int quick = 0;

    for (int i = 0; i < worker->options->concurrency; i++) {
        const struct slot *slot = &worker->slots[i];

        quick += !list_is_empty(&slot->tasks) && slot->use == SLOT_EXECUTE
                 && !pace_is_slow(&worker->pace, loop_now_ms(worker->loop) - slot->sent_ms);
    }
    return quick < slots_for_quick(worker);
}

static bool
has_work(struct worker *worker, enum slot_use use)
{
    switch (use) {
    case SLOT_FINISH:
        return !list_is_empty(&worker->holdings.in[TASK_ANSWERED]);
    case SLOT_ANNOUNCE:
        return !list_is_empty(&worker->holdings.waiting[TASK_CALLS]) && !worker->is_stopping && channels_have_room(worker);
    case SLOT_EXECUTE:
        return !list_is_empty(&worker->holdings.waiting[TASK_RUNS]) && !worker->is_stopping && pace_has_room(worker);
    case SLOT_USES:
        break;
    }
    return false;
}

static bool
fill(struct slot *slot)
{
    struct worker *worker = slot->worker;

    for (int i = 0; i < SLOT_USES; i++) {
        enum slot_use use = (enum slot_use)(((int)worker->next_use + i) % SLOT_USES);

        if (!has_work(worker, use))
            continue;
        worker->next_use = (enum slot_use)(((int)use + 1) % SLOT_USES);
        slot->use = use;
        slot->sent_ms = loop_now_ms(worker->loop);
        slot_plan_again(slot);
        if (use == SLOT_FINISH)
            finish_send(slot);
        else if (use == SLOT_ANNOUNCE)
            channels_announce(slot);
        else
            run_functions(slot);
        slot->carried += slot->count;
        return true;
    }
    return false;
}

void
slots_fill(struct worker *worker)
{
    for (int i = 0; i < worker->options->concurrency; i++) {
        struct slot *slot = &worker->slots[i];

        if (slot_is_free(slot) && (slot->must_reset || db_conn_is_spoilt(slot->conn))) {
            if (!slot->must_reset)
                log_event(LOG_WARN, "session replaced, a function changed its role or its prepared statements", NULL);
            slot->must_reset = false;
            slot->was_up = false; /* The worker ends this connection itself. */
            db_conn_reset(slot->conn);
        }
        if (slot_is_free(slot) && db_conn_is_up(slot->conn) && !upkeep_use(slot) && !fill(slot))
            break;
    }
    if (!list_is_empty(&worker->holdings.waiting[TASK_RUNS]) && !timer_is_armed(worker->pace_timer))
        timer_start(worker->pace_timer, BOUND_PACE_MS); /* A batch under way may count as slow by then. */
}
