/* Counting what happened lately. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bounds.h"
#include "task/tally.h"

static void
test_tally_only_the_last_full_stretch_counts(void **state)
{
    struct tally tally = {0};
    int64_t start = (int64_t)1000 * BOUND_AHEAD_MS;

    (void)state;
    tally_add(&tally, start, 3);
    tally_add(&tally, start + BOUND_AHEAD_MS - 1, 4);
    assert_int_equal(tally_last(&tally, start + BOUND_AHEAD_MS - 1), 0);
    assert_int_equal(tally_last(&tally, start + BOUND_AHEAD_MS), 7);
    tally_add(&tally, start + BOUND_AHEAD_MS, 1);
    assert_int_equal(tally_last(&tally, start + 2 * BOUND_AHEAD_MS - 1), 7);
    assert_int_equal(tally_last(&tally, start + 2 * BOUND_AHEAD_MS), 1);
}

static void
test_tally_a_pause_forgets(void **state)
{
    struct tally tally = {0};
    int64_t start = (int64_t)1000 * BOUND_AHEAD_MS;

    (void)state;
    tally_add(&tally, start, 5);
    assert_int_equal(tally_last(&tally, start + 2 * BOUND_AHEAD_MS), 0);
    tally_add(&tally, start + 10 * BOUND_AHEAD_MS, 2);
    assert_int_equal(tally_last(&tally, start + 11 * BOUND_AHEAD_MS), 2);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tally_only_the_last_full_stretch_counts),
        cmocka_unit_test(test_tally_a_pause_forgets),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
