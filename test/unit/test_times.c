/* Times as a person says them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/times.h"

static void
expect_said(double seconds, const char *wanted)
{
    char text[32];

    times_say(1e9 + seconds, 1e9, text, sizeof(text));
    assert_string_equal(text, wanted);
}

static void
test_times_are_relative_in_the_largest_whole_unit(void **state)
{
    (void)state;
    expect_said(0.4, "now");
    expect_said(-1, "1 s ago");
    expect_said(-119, "1 min ago");
    expect_said(7200, "in 2 h");
    expect_said(-86400 * 3.5, "3 d ago");
}

static void
test_times_of_every_zone_are_read(void **state)
{
    static const char *const same[] = {
        "2001-09-09 01:46:40+00", "2001-09-09 03:46:40+02", "2001-09-08 22:16:40-03:30", "2001-09-09 01:46:40.000000+00"};
    double seconds = 0;

    (void)state;
    for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
        assert_true(times_read(same[i], &seconds));
        assert_true(seconds == 1e9);
    }
    assert_true(times_read("2001-09-09 01:46:40.25+00", &seconds));
    assert_true(seconds == 1e9 + 0.25);
}

static void
test_times_in_other_forms_stay_as_they_are(void **state)
{
    static const char *const others[] = {"", "infinity", "-infinity", "09.09.2001 01:46:40 UTC", "2001-09-09 01:46:40",
        "2001-09-09", "2001-09-09 01:46:40+00 BC", "Sun 09 Sep 01:46:40 2001 UTC"};
    double seconds = 0;

    (void)state;
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        assert_false(times_read(others[i], &seconds));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_times_are_relative_in_the_largest_whole_unit),
        cmocka_unit_test(test_times_of_every_zone_are_read),
        cmocka_unit_test(test_times_in_other_forms_stay_as_they_are),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
