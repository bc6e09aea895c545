/* The table of task states. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "task/task.h"

enum { STATES = TASK_DONE + 1, EVENTS = EVENT_LOST + 1 };

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
            from != TASK_ANNOUNCED && from != TASK_CALLING && from != TASK_ANSWERED && from != TASK_REPORTING);
    }
}

static void
test_task_moves_along_the_table(void **state)
{
    struct task *task = task_new_like(&(struct task){.channel = -1});

    (void)state;
    assert_int_equal(task->state, TASK_WAITING);
    task_move(task, EVENT_SENT);
    assert_int_equal(task->state, TASK_RUNNING);
    task_move(task, EVENT_NOT_REACHED);
    assert_int_equal(task->state, TASK_WAITING);
    task_free(task);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_task_every_state_is_reachable),
        cmocka_unit_test(test_task_only_done_is_a_dead_end),
        cmocka_unit_test(test_task_what_was_never_sent_is_released_and_the_rest_left_to_its_lease),
        cmocka_unit_test(test_task_moves_along_the_table),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
