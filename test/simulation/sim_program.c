/*
 * A program with children, as a worker sees it through channel/carrier.h.  A child says hello after a while, takes some tasks at
 * once, answers, fails, hangs, or dies with all its tasks and is started again.  When the children are replaced, the old ones
 * finish their tasks beside the new ones.
 */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "channel/carrier.h"
#include "sim.h"
#include "task/task.h"

enum { CHILDREN = 4, LEAVING = CHILDREN }; /* LEAVING: all children that finish their tasks and take no more */

struct sim_program {
    struct carrier carrier;
    struct carrier_user user;
    struct loop *loop;
    int children;
    int at_once;
    bool is_ready[CHILDREN];
    int held[CHILDREN + 1]; /* calls of each child, and of those that leave */
    bool was_ready;         /* the types are known */
    struct list calls;
};

struct carried {
    struct list node;
    struct sim_program *program;
    void *call; /* the worker's task; NULL: forgotten */
    int64_t task_id;
    int32_t lease_no;
    int child; /* -1: not handed over */
    struct sim_event *event;
    const char *outcome;
    const char *error_class;
};

static void
call_free(struct carried *carried)
{
    sim_cancel(carried->event);
    list_remove(&carried->node);
    if (carried->child >= 0)
        carried->program->held[carried->child]--;
    free(carried);
}

static void
end_call(struct carried *carried, const char *outcome, const char *error_class)
{
    struct sim_program *program = carried->program;
    struct carrier_answer answer = {.outcome = outcome, .error_class = error_class};
    void *call = carried->call;
    int64_t id = carried->task_id;

    if (strcmp(outcome, "succeeded") != 0)
        answer.error = must_strdup("simulated");
    if (call != NULL)
        model_task(id)->leases[carried->lease_no].was_told = true;
    sim_say("worker %d: its program ends task %d: %s", program->loop->number, (int)id, outcome);
    call_free(carried);
    if (call != NULL)
        program->user.on_answer(call, &answer);
    else
        free(answer.error);
    program->user.on_change(program->user.cookie);
}

static void
on_hello(void *cookie)
{
    struct sim_program *program = cookie;

    for (int i = 0; i < program->children; i++) {
        if (program->is_ready[i])
            continue;
        program->is_ready[i] = true;
        program->was_ready = true;
        sim_say("worker %d: child %d is ready", program->loop->number, i);
        program->user.on_change(program->user.cookie);
        return;
    }
}

/* A child dies: nobody knows what became of its tasks. */
static void
kill_child(struct sim_program *program, int child)
{
    struct list *node = program->calls.next;

    sim_say("worker %d: child %d dies", program->loop->number, child);
    sim_disturb(3 * SIM_SECOND);
    program->is_ready[child] = false;
    (void)sim_after(program->loop, sim_between(0, 2 * SIM_SECOND), on_hello, program);
    while (node != &program->calls) {
        struct carried *carried = LIST_OWNER(node, struct carried, node);

        node = node->next;
        if (carried->child == child)
            end_call(carried, "in_doubt", "in_doubt");
    }
    program->user.on_change(program->user.cookie);
}

static void
on_death(void *cookie)
{
    struct carried *carried = cookie;

    carried->event = NULL;
    if (carried->child == LEAVING)
        end_call(carried, "in_doubt", "in_doubt"); /* each of them is a process of its own */
    else
        kill_child(carried->program, carried->child);
}

static void
on_done(void *cookie)
{
    struct carried *carried = cookie;

    carried->event = NULL;
    if (carried->call != NULL && carried->child >= 0 && sim_chance(100))
        carried->program->user.on_progress(carried->call, "{\"done\": 1}");
    end_call(carried, carried->outcome, carried->error_class);
}

static void
begin(void *self, struct loop *loop, const struct carrier_user *user)
{
    struct sim_program *program = self;

    program->loop = loop;
    program->user = *user;
    for (int i = 0; i < program->children; i++)
        (void)sim_after(loop, sim_between(0, SIM_SECOND), on_hello, program);
}

static const char *
types(const void *self)
{
    const struct sim_program *program = self;

    return program->was_ready ? "{\"resize\",\"charge\"}" : NULL;
}

static int
places(const void *self)
{
    const struct sim_program *program = self;
    int count = 0;

    for (int i = 0; i < program->children; i++)
        count += program->is_ready[i] ? program->at_once : 0;
    return count + program->held[LEAVING];
}

static int
find_place(const struct sim_program *program)
{
    for (int i = 0; i < program->children; i++) {
        if (program->is_ready[i] && program->held[i] < program->at_once)
            return i;
    }
    return -1;
}

static bool
has_ready(const struct sim_program *program)
{
    for (int i = 0; i < program->children; i++) {
        if (program->is_ready[i])
            return true;
    }
    return false;
}

static enum carrier_room
room(const void *self, const char *type)
{
    (void)type;
    if (find_place(self) >= 0)
        return CARRIER_FREE;
    return has_ready(self) ? CARRIER_BUSY : CARRIER_UNABLE;
}

/* What becomes of a task that was handed over. */
static void
choose_end(struct carried *carried, int64_t timeout_ms)
{
    int64_t delay_us = model_task(carried->task_id)->work_us;
    loop_fn *fn = on_done;

    carried->outcome = "succeeded";
    if (world_has_faults() && sim_chance(sim->faults.provider)) {
        switch (sim_between(0, 3)) {
        case 0:
            carried->outcome = "failed";
            carried->error_class = "program";
            break;
        case 1:
            fn = on_death;
            break;
        case 2:
            delay_us += sim_between(0, 30 * SIM_SECOND); /* It is slow. */
            break;
        default:
            carried->outcome = "failed";
            carried->error_class = "final";
            break;
        }
    }
    if (timeout_ms > 0 && delay_us > timeout_ms * SIM_MS) {
        delay_us = timeout_ms * SIM_MS;
        fn = sim_chance(500) ? on_death : on_done;
        carried->outcome = "in_doubt";
        carried->error_class = "in_doubt";
        sim_disturb(0);
    }
    carried->event = sim_after(carried->program->loop, delay_us, fn, carried);
}

static struct carried *
send_task(void *self, const struct carrier_task *task, void *call)
{
    struct sim_program *program = self;
    struct carried *carried = must_alloc(sizeof(*carried));

    *carried = (struct carried){
        .program = program, .call = call, .task_id = task->id, .lease_no = ((const struct task *)call)->lease_no, .child = -1};
    list_init(&carried->node);
    list_append(&program->calls, &carried->node);
    if (!program->user.may_send(call) || (world_has_faults() && sim_chance(sim->faults.provider / 4))) {
        carried->outcome = "unsent";
        carried->error_class = "";
        carried->event = sim_after(program->loop, 0, on_done, carried);
        return carried;
    }
    carried->child = find_place(program);
    if (carried->child < 0)
        sim_fail("worker %d hands task %d over, and there is no place", program->loop->number, (int)task->id);
    else
        program->held[carried->child]++;
    check_send(program->loop->owner, carried->task_id, carried->lease_no);
    choose_end(carried, task->timeout_ms);
    return carried;
}

static void
cancel_call(struct carried *carried, bool is_lost)
{
    (void)is_lost;
    if (carried->child < 0 || strcmp(carried->outcome, "cancelled") == 0)
        return;
    sim_cancel(carried->event);
    carried->outcome = sim_chance(300) ? "succeeded" : "failed";
    carried->error_class = strcmp(carried->outcome, "failed") == 0 ? "cancelled" : NULL;
    carried->event = sim_after(carried->program->loop, sim_between(0, SIM_SECOND), on_done, carried);
}

static void
forget_call(struct carried *carried)
{
    carried->call = NULL;
    if (carried->program->loop->is_dead) {
        carried->event = NULL; /* It is gone with its process. */
        call_free(carried);
    } else if (carried->child >= 0) {
        cancel_call(carried, true);
    }
}

/* The children are replaced: each takes no more tasks, finishes those that it has, and its successor says hello later. */
static void
replace(void *self)
{
    struct sim_program *program = self;

    sim_say("worker %d: its children are replaced", program->loop->number);
    sim_disturb(3 * SIM_SECOND);
    for (struct list *node = program->calls.next; node != &program->calls; node = node->next) {
        struct carried *carried = LIST_OWNER(node, struct carried, node);

        if (carried->child >= 0)
            carried->child = LEAVING;
    }
    for (int i = 0; i < program->children; i++) {
        program->held[LEAVING] += program->held[i];
        program->held[i] = 0;
        if (program->is_ready[i])
            (void)sim_after(program->loop, sim_between(0, 2 * SIM_SECOND), on_hello, program);
        program->is_ready[i] = false;
    }
    program->user.on_change(program->user.cookie);
}

/* The worker has ended, so nobody may wait for an answer. */
static bool
stop(void *self)
{
    const struct sim_program *program = self;

    for (struct list *node = program->calls.next; node != &program->calls; node = node->next) {
        const struct carried *carried = LIST_OWNER(node, struct carried, node);

        if (carried->call != NULL)
            sim_fail("worker %d has ended and waits for task %d", program->loop->number, (int)carried->task_id);
    }
    return true;
}

struct carrier *
program_simulated(void)
{
    struct sim_program *program = must_alloc(sizeof(*program));

    program->children = (int)sim_between(1, CHILDREN);
    program->at_once = (int)sim_between(1, 3);
    list_init(&program->calls);
    program->carrier = (struct carrier){.self = program,
        .begin = begin,
        .types = types,
        .places = places,
        .room = room,
        .send = send_task,
        .cancel = cancel_call,
        .forget = forget_call,
        .replace = replace,
        .stop = stop};
    return &program->carrier;
}

bool
program_has_place(const struct carrier *carrier)
{
    return has_ready(carrier->self);
}

void
program_simulated_free(const struct carrier *carrier)
{
    struct sim_program *program;

    if (carrier == NULL)
        return;
    program = carrier->self;
    while (!list_is_empty(&program->calls)) {
        struct carried *carried = LIST_OWNER(program->calls.next, struct carried, node);

        carried->event = NULL;
        call_free(carried);
    }
    free(program);
}
