/* Strict reading of numbers, durations and switches. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/parse.h"

static void
test_parse_int_takes_the_whole_text_or_nothing(void **state)
{
    int64_t value = 7;

    (void)state;
    assert_true(parse_int("42", 0, 100, &value, NULL));
    assert_int_equal(value, 42);
    assert_false(parse_int("42x", 0, 100, &value, NULL));
    assert_false(parse_int(" 42", 0, 100, &value, NULL));
    assert_false(parse_int("", 0, 100, &value, NULL));
    assert_int_equal(value, 42);
}

static void
test_parse_int_refuses_what_is_out_of_range_and_says_the_range(void **state)
{
    struct err err;
    int64_t value;

    (void)state;
    assert_false(parse_int("101", 0, 100, &value, &err));
    assert_string_equal(err.message, "101 is not between 0 and 100");
    assert_false(parse_int("99999999999999999999", INT64_MIN, INT64_MAX, &value, NULL));
    assert_true(parse_int("-9223372036854775808", INT64_MIN, INT64_MAX, &value, NULL));
}

static void
test_parse_duration_without_a_unit_means_seconds(void **state)
{
    int64_t ms;

    (void)state;
    assert_true(parse_duration_ms("0.5", &ms, NULL));
    assert_int_equal(ms, 500);
    assert_true(parse_duration_ms("250ms", &ms, NULL));
    assert_int_equal(ms, 250);
    assert_true(parse_duration_ms("2min", &ms, NULL));
    assert_int_equal(ms, 120000);
    assert_true(parse_duration_ms("1d", &ms, NULL));
    assert_int_equal(ms, 86400000);
}

static void
test_parse_duration_refuses_rubbish(void **state)
{
    static const char *const rubbish[] = {"", "s", "-1", "inf", "nan", "1e400", "5 s", "5sec", "1e13"};
    int64_t ms = 3;

    (void)state;
    for (size_t i = 0; i < LENGTH(rubbish); i++)
        assert_false(parse_duration_ms(rubbish[i], &ms, NULL));
    assert_int_equal(ms, 3);
}

static void
test_parse_bool_knows_eight_words(void **state)
{
    bool value = false;

    (void)state;
    assert_true(parse_bool("on", &value, NULL));
    assert_true(value);
    assert_true(parse_bool("0", &value, NULL));
    assert_false(value);
    assert_false(parse_bool("maybe", &value, NULL));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse_int_takes_the_whole_text_or_nothing),
        cmocka_unit_test(test_parse_int_refuses_what_is_out_of_range_and_says_the_range),
        cmocka_unit_test(test_parse_duration_without_a_unit_means_seconds),
        cmocka_unit_test(test_parse_duration_refuses_rubbish),
        cmocka_unit_test(test_parse_bool_knows_eight_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
