/* The table of task states. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "task/task.h"

enum { STATES = TASK_STATES, EVENTS = EVENT_LOST + 1, SLOTS = 3, TASKS = 40 };

static void
test_task_every_state_is_reachable(void **state)
{
    bool reached[STATES] = {[TASK_WAITING] = true};
    enum task_state to;

    (void)state;
    for (int round = 0; round < STATES; round++) {
        for (int from = 0; from < STATES; from++) {
            for (int event = 0; event < EVENTS && reached[from]; event++) {
                if (task_rule_exists((enum task_state)from, (enum task_event)event, &to))
                    reached[to] = true;
            }
        }
    }
    for (int i = 0; i < STATES; i++)
        assert_true(reached[i]);
}

static void
test_task_only_done_is_a_dead_end(void **state)
{
    enum task_state to;

    (void)state;
    for (int from = 0; from < STATES; from++) {
        int ways = 0;

        for (int event = 0; event < EVENTS; event++)
            ways += task_rule_exists((enum task_state)from, (enum task_event)event, &to);
        if (from == TASK_DONE)
            assert_int_equal(ways, 0);
        else
            assert_true(ways > 0);
    }
}

static void
test_task_what_was_never_sent_is_released_and_the_rest_left_to_its_lease(void **state)
{
    enum task_state to;

    (void)state;
    for (int from = 0; from < TASK_DONE; from++) {
        assert_true(task_rule_exists((enum task_state)from, EVENT_LOST, &to));
        assert_int_equal(to, TASK_DONE);
        /* A call may have had its effect, what was announced needs an outcome, and an outcome must
         * not get lost: never given back. */
        assert_int_equal(task_rule_exists((enum task_state)from, EVENT_RELEASED, &to),
            from != TASK_ANNOUNCED && from != TASK_CALLING && from != TASK_ANSWERED && from != TASK_REPORTING
                && from != TASK_POSTPONED);
    }
}

static void
test_task_moves_along_the_table(void **state)
{
    struct queue_limit limit = {0};
    struct holdings holdings;
    struct list slot;
    struct task *first;
    struct task *second;

    (void)state;
    holdings_init(&holdings);
    list_init(&slot);
    first = holdings_add(&holdings, &(struct task){.queue_limit = &limit}, 1, 1);
    second = holdings_add(&holdings, &(struct task){.queue_limit = &limit}, 2, 1);
    task_carry(first, EVENT_SENT, &slot);
    assert_int_equal(first->state, TASK_RUNNING);
    assert_ptr_equal(slot.next, &first->node);
    task_move(first, EVENT_NOT_REACHED);
    assert_int_equal(first->state, TASK_WAITING);
    /* What was put off comes first again. */
    assert_ptr_equal(holdings.waiting[TASK_RUNS].next, &first->node);
    assert_ptr_equal(holdings.waiting[TASK_RUNS].prev, &second->node);
    task_free(first);
    task_free(second);
}

/* How many tasks of this kind and state the list has; none of another state. */
static int
count(const struct list *list, enum task_kind kind, enum task_state state)
{
    int found = 0;

    for (struct list *node = list->next; node != list; node = node->next) {
        const struct task *task = LIST_OWNER(node, struct task, node);

        assert_int_equal(task->state, state);
        found += task->kind == kind;
    }
    return found;
}

static bool
is_carried(enum task_state state)
{
    return state == TASK_RUNNING || state == TASK_ANNOUNCING || state == TASK_REPORTING;
}

/* Every task is in the one list of its state, and every count is what a look at all of them gives. */
static void
check_holdings(const struct holdings *holdings, const struct list *slots, const struct queue_limit *limit)
{
    int counts[TASK_KINDS][TASK_STATES] = {{0}};
    int all = 0;
    int suspects = 0;

    for (struct list *node = holdings->all.next; node != &holdings->all; node = node->next) {
        const struct task *task = LIST_OWNER(node, struct task, held);

        counts[task->kind][task->state]++;
        all++;
        suspects += task->crash_count > 1;
    }
    for (int kind = 0; kind < TASK_KINDS; kind++) {
        for (int state = 0; state < TASK_STATES; state++) {
            int listed = count(&holdings->in[state], (enum task_kind)kind, (enum task_state)state);

            assert_int_equal(holdings->counts[kind][state], counts[kind][state]);
            if (state == TASK_WAITING)
                listed += count(&holdings->waiting[kind], (enum task_kind)kind, TASK_WAITING);
            for (int i = 0; i < SLOTS && is_carried((enum task_state)state); i++) {
                for (struct list *node = slots[i].next; node != &slots[i]; node = node->next) {
                    const struct task *task = LIST_OWNER(node, struct task, node);

                    listed += (int)task->kind == kind && (int)task->state == state;
                }
            }
            assert_int_equal(listed, counts[kind][state]);
        }
    }
    assert_int_equal(holdings->count, all);
    assert_int_equal(holdings->suspects, suspects);
    assert_int_equal(limit->held, all);
    assert_int_equal(holdings_outcomes(holdings), counts[TASK_RUNS][TASK_ANSWERED] + counts[TASK_RUNS][TASK_REPORTING]
                                                      + counts[TASK_RUNS][TASK_POSTPONED] + counts[TASK_CALLS][TASK_ANSWERED]
                                                      + counts[TASK_CALLS][TASK_REPORTING] + counts[TASK_CALLS][TASK_POSTPONED]);
    assert_int_equal(holdings_calling(holdings), counts[TASK_CALLS][TASK_CALLING]);
    assert_int_equal(holdings_announced(holdings),
        counts[TASK_CALLS][TASK_ANNOUNCING] + counts[TASK_CALLS][TASK_ANNOUNCED] + counts[TASK_CALLS][TASK_CALLING]);
    assert_int_equal(holdings_calls(holdings),
        holdings_announced(holdings) + counts[TASK_CALLS][TASK_WAITING] + counts[TASK_CALLS][TASK_RUNNING]);
}

static uint32_t
draw_number(uint32_t *seed)
{
    *seed = *seed * 1664525U + 1013904223U;
    return *seed >> 8;
}

static void
test_task_state_list_and_counts_change_together(void **state)
{
    struct queue_limit limit = {0};
    struct holdings holdings;
    struct list slots[SLOTS];
    struct task *tasks[TASKS] = {NULL};
    uint32_t seed = 1;
    enum task_state to;

    (void)state;
    holdings_init(&holdings);
    for (int i = 0; i < SLOTS; i++)
        list_init(&slots[i]);
    for (int step = 0; step < 20000; step++) {
        int i = (int)(draw_number(&seed) % TASKS);
        enum task_event event = (enum task_event)(draw_number(&seed) % EVENTS);

        if (tasks[i] == NULL) {
            tasks[i] = holdings_add(&holdings,
                &(struct task){.queue_limit = &limit,
                    .kind = draw_number(&seed) % 2 == 0 ? TASK_RUNS : TASK_CALLS,
                    .crash_count = (int)(draw_number(&seed) % 3)},
                i, 1);
        } else if (task_rule_exists(tasks[i]->state, event, &to)) {
            if (is_carried(to) && to != tasks[i]->state)
                task_carry(tasks[i], event, &slots[draw_number(&seed) % SLOTS]);
            else
                task_move(tasks[i], event);
        }
        check_holdings(&holdings, slots, &limit);
        if (tasks[i]->state == TASK_DONE) {
            task_free(tasks[i]);
            tasks[i] = NULL;
        }
    }
    for (int i = 0; i < TASKS; i++) {
        if (tasks[i] != NULL)
            task_free(tasks[i]);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_task_every_state_is_reachable),
        cmocka_unit_test(test_task_only_done_is_a_dead_end),
        cmocka_unit_test(test_task_what_was_never_sent_is_released_and_the_rest_left_to_its_lease),
        cmocka_unit_test(test_task_moves_along_the_table),
        cmocka_unit_test(test_task_state_list_and_counts_change_together),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
