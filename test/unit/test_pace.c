/* How many connections quick work gets, beside servers that are played. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "task/pace.h"

enum { BATCH = 50 };

/* Tasks per millisecond that a server does for so many connections. */
typedef double server(int connections);

/* Two cores, ten tasks a millisecond each; every connection more costs something. */
static double
two_cores(int connections)
{
    return connections == 1 ? 10 : 20 / (1 + 0.05 * (connections - 2));
}

/* Tasks that wait for something else: each connection adds as much as the first. */
static double
waiting(int connections)
{
    return connections * 2.0;
}

/* One core: every connection more than one only costs. */
static double
one_core(int connections)
{
    return 10.0 / connections;
}

/* Simulates a backlog of this length.  Returns the limit that was in force most of the time of the last half. */
static int
run(struct pace *pace, server *play, int64_t for_ms, bool is_short)
{
    int64_t in_force[65] = {0};
    double now_ms = 1000;
    int often = 1;

    while (now_ms < 1000 + (double)for_ms) {
        double step_ms = BATCH / play(pace->limit);

        assert_in_range(pace->limit, 1, pace->most);
        if (now_ms > 1000 + (double)for_ms / 2)
            in_force[pace->limit] += (int64_t)(step_ms * 1000);
        now_ms += step_ms;
        if (is_short)
            pace_on_short(pace);
        pace_on_batch(pace, (int64_t)now_ms, BATCH, (int64_t)(step_ms * pace->limit));
    }
    for (int i = 1; i <= 64; i++)
        often = in_force[i] > in_force[often] ? i : often;
    return often;
}

static void
test_pace_few_connections_are_left_where_more_are_of_no_use(void **state)
{
    struct pace pace;
    int limit;

    (void)state;
    pace_init(&pace, 64, 64);
    limit = run(&pace, two_cores, 10000, false);
    assert_in_range(limit, 2, 4);
}

static void
test_pace_a_slow_start_does_not_make_more_connections_look_good(void **state)
{
    struct pace pace;
    int most = 0;
    double now_ms = 1000;

    (void)state;
    pace_init(&pace, 4, 16);
    while (now_ms < 1000 + 1000) {
        bool is_cold = now_ms < 1000 + 250;
        double step_ms = BATCH / (is_cold ? 2.0 : two_cores(pace.limit));

        now_ms += step_ms;
        if (is_cold)
            pace_on_cold(&pace);
        pace_on_batch(&pace, (int64_t)now_ms, BATCH, (int64_t)(step_ms * pace.limit));
        most = pace.limit > most ? pace.limit : most;
    }
    assert_int_equal(most, 8); /* tried, and found to be of no use */
}

static void
test_pace_work_that_waits_keeps_all_connections(void **state)
{
    struct pace pace;

    (void)state;
    pace_init(&pace, 64, 64);
    assert_int_equal(run(&pace, waiting, 10000, false), 64);
}

static void
test_pace_work_that_waits_gets_all_connections(void **state)
{
    struct pace pace;

    (void)state;
    pace_init(&pace, 4, 64);
    assert_int_equal(run(&pace, waiting, 10000, false), 64);
}

static void
test_pace_it_never_passes_the_most_that_it_may_use(void **state)
{
    struct pace pace;

    (void)state;
    pace_init(&pace, 4, 7);
    assert_int_equal(run(&pace, waiting, 10000, false), 7);
}

static void
test_pace_one_connection_stays_where_others_only_cost(void **state)
{
    struct pace pace;

    (void)state;
    pace_init(&pace, 4, 64);
    assert_int_equal(run(&pace, one_core, 60000, false), 1);
}

static void
test_pace_work_that_begins_to_wait_gets_them_back(void **state)
{
    struct pace pace;

    (void)state;
    pace_init(&pace, 64, 64);
    (void)run(&pace, two_cores, 10000, false);
    pace.trial_due_ms = 0; /* Its clock begins anew. */
    pace.began_ms = 0;
    assert_int_equal(run(&pace, waiting, 20000, false), 64);
}

static void
test_pace_without_a_backlog_nothing_is_tried(void **state)
{
    struct pace pace;

    (void)state;
    pace_init(&pace, 64, 64);
    assert_int_equal(run(&pace, two_cores, 10000, true), 64);
}

static void
test_pace_one_connection_is_left_alone(void **state)
{
    struct pace pace;

    (void)state;
    pace_init(&pace, 4, 1);
    assert_int_equal(run(&pace, two_cores, 5000, false), 1);
}

static void
test_pace_slow_is_what_takes_far_longer_than_others(void **state)
{
    struct pace pace;

    (void)state;
    pace_init(&pace, 64, 64);
    (void)run(&pace, two_cores, 10000, false);
    assert_false(pace_is_slow(&pace, 20));
    assert_true(pace_is_slow(&pace, 1000));
}

static void
test_pace_tasks_that_have_become_slow_lower_the_rate(void **state)
{
    struct pace pace;

    (void)state;
    pace_init(&pace, 2, 2);
    (void)run(&pace, two_cores, 1000, false);
    assert_in_range(pace_per_second(&pace, pace.began_ms + 500), 15000, 21000);
    assert_in_range(pace_per_second(&pace, pace.began_ms + 60000), 0, 200);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pace_few_connections_are_left_where_more_are_of_no_use),
        cmocka_unit_test(test_pace_a_slow_start_does_not_make_more_connections_look_good),
        cmocka_unit_test(test_pace_work_that_waits_keeps_all_connections),
        cmocka_unit_test(test_pace_work_that_waits_gets_all_connections),
        cmocka_unit_test(test_pace_it_never_passes_the_most_that_it_may_use),
        cmocka_unit_test(test_pace_one_connection_stays_where_others_only_cost),
        cmocka_unit_test(test_pace_work_that_begins_to_wait_gets_them_back),
        cmocka_unit_test(test_pace_without_a_backlog_nothing_is_tried),
        cmocka_unit_test(test_pace_one_connection_is_left_alone),
        cmocka_unit_test(test_pace_slow_is_what_takes_far_longer_than_others),
        cmocka_unit_test(test_pace_tasks_that_have_become_slow_lower_the_rate),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
