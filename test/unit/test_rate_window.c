/* Counting what happened lately. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bounds.h"
#include "task/rate_window.h"

static void
test_rate_window_only_the_last_full_stretch_counts(void **state)
{
    struct rate_window window = {0};
    int64_t start = (int64_t)1000 * BOUND_AHEAD_MS;

    (void)state;
    rate_window_add(&window, start, 3);
    rate_window_add(&window, start + BOUND_AHEAD_MS - 1, 4);
    assert_int_equal(rate_window_last(&window, start + BOUND_AHEAD_MS - 1), 0);
    assert_int_equal(rate_window_last(&window, start + BOUND_AHEAD_MS), 7);
    rate_window_add(&window, start + BOUND_AHEAD_MS, 1);
    assert_int_equal(rate_window_last(&window, start + 2 * BOUND_AHEAD_MS - 1), 7);
    assert_int_equal(rate_window_last(&window, start + 2 * BOUND_AHEAD_MS), 1);
}

static void
test_rate_window_a_pause_forgets(void **state)
{
    struct rate_window window = {0};
    int64_t start = (int64_t)1000 * BOUND_AHEAD_MS;

    (void)state;
    rate_window_add(&window, start, 5);
    assert_int_equal(rate_window_last(&window, start + 2 * BOUND_AHEAD_MS), 0);
    rate_window_add(&window, start + 10 * BOUND_AHEAD_MS, 2);
    assert_int_equal(rate_window_last(&window, start + 11 * BOUND_AHEAD_MS), 2);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rate_window_only_the_last_full_stretch_counts),
        cmocka_unit_test(test_rate_window_a_pause_forgets),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
