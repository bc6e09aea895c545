/* Where the next claim begins. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/bounds.h"
#include "task/hints.h"

static void
assert_written(const struct hints *hints, bool is_exact, double since_s, const char *wanted)
{
    struct buf json;

    buf_init(&json, BOUND_HINTS_BYTES);
    hints_write(hints, is_exact, since_s, &json);
    assert_string_equal(json.text, wanted);
    buf_release(&json);
}

static void
test_hints_of_one_queue_stand_together(void **state)
{
    struct hints hints = {0};

    (void)state;
    assert_written(&hints, false, -1, "{}");
    assert_written(&hints, false, 1.5, "{\"*\":1.500}");
    hints_remember(&hints, "b", "0", "2026-01-01 00:00:00", 7);
    hints_remember(&hints, "a", "5", "2026-01-02 00:00:00", 8);
    hints_remember(&hints, "b", "-1", "2026-01-03 00:00:00", 9);
    assert_written(&hints, false, -1,
        "{\"a\":{\"5\":\"2026-01-02 00:00:00\"},\"b\":{\"-1\":\"2026-01-03 00:00:00\",\"0\":\"2026-01-01 00:00:00\"}}");
    assert_written(&hints, true, 2,
        "{\"a\":{\"5\":[\"2026-01-02 00:00:00\",8]},\"b\":{\"-1\":[\"2026-01-03 00:00:00\",9],"
        "\"0\":[\"2026-01-01 00:00:00\",7]},\"*\":2.000}");
    hints_release(&hints);
}

static void
test_hints_only_move_on(void **state)
{
    struct hints hints = {0};

    (void)state;
    hints_remember(&hints, "a", "0", "2026-01-02", 5);
    hints_remember(&hints, "a", "0", "2026-01-01", 9);
    hints_remember(&hints, "a", "0", "2026-01-02", 4);
    assert_string_equal(hints_find(&hints, "a", "0")->at, "2026-01-02");
    assert_int_equal(hints_find(&hints, "a", "0")->id, 5);
    hints_remember(&hints, "a", "0", "2026-01-02", 6);
    assert_int_equal(hints_find(&hints, "a", "0")->id, 6);
    assert_null(hints_find(&hints, "a", "1"));
    hints_release(&hints);
}

static void
test_hints_lanes_of_others_are_learnt_without_their_positions(void **state)
{
    struct hints hints = {0};
    struct hints others = {0};

    (void)state;
    hints_remember(&hints, "a", "0", "2026-01-01", 1);
    hints_remember(&others, "a", "0", "2026-01-02", 2);
    hints_remember(&others, "c", "3", "2026-01-02", 3);
    hints_learn(&hints, &others);
    assert_written(&hints, false, -1, "{\"a\":{\"0\":\"2026-01-01\"},\"c\":{\"3\":0}}");
    hints_join(&hints, &others);
    assert_written(&hints, false, -1, "{\"a\":{\"0\":\"2026-01-02\"},\"c\":{\"3\":\"2026-01-02\"}}");
    hints_release(&hints);
    hints_release(&others);
}

static void
test_hints_too_many_lanes_begin_again(void **state)
{
    struct hints hints = {0};
    struct hints others = {0};
    char name[32];

    (void)state;
    for (int i = 0; i < BOUND_HINTS; i++) {
        (void)snprintf(name, sizeof(name), "q%d", (i * 37) % BOUND_HINTS);
        hints_remember(&hints, name, "0", "2026-01-01", i);
    }
    assert_int_equal(hints.count, BOUND_HINTS);
    hints_remember(&others, "of another", "0", "2026-01-01", 1);
    hints_learn(&hints, &others); /* There is no room, and nothing is forgotten for it. */
    assert_int_equal(hints.count, BOUND_HINTS);
    for (int i = 0; i < BOUND_HINTS; i++) {
        (void)snprintf(name, sizeof(name), "q%d", (i * 37) % BOUND_HINTS);
        assert_int_equal(hints_find(&hints, name, "0")->id, i);
    }
    hints_remember(&hints, "one more", "0", "2026-01-01", 1);
    assert_int_equal(hints.count, 1);
    assert_non_null(hints_find(&hints, "one more", "0"));
    hints_release(&hints);
    hints_release(&others);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hints_of_one_queue_stand_together),
        cmocka_unit_test(test_hints_only_move_on),
        cmocka_unit_test(test_hints_lanes_of_others_are_learnt_without_their_positions),
        cmocka_unit_test(test_hints_too_many_lanes_begin_again),
    };

    return cmocka_run_group_tests_name("hints", tests, NULL, NULL);
}
