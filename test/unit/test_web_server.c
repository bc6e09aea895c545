/* The share of the loop's time that visitors get. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/bounds.h"
#include "web/web_server.h"

static void
a_rest_is_four_times_as_long_as_the_work(void **state)
{
    (void)state;
    assert_int_equal(web_rest_ms(0, false), 0);
    assert_int_equal(web_rest_ms(4, false), 0);
    assert_int_equal(web_rest_ms(5, false), 20);
    assert_int_equal(web_rest_ms(60, true), 240);
    assert_int_equal(web_rest_ms(100000, true), 1000);
}

/* A scrape that takes 20 ms of work is sent without a rest; so a rest never makes it slower. */
static void
an_answer_is_sent_before_the_rest(void **state)
{
    (void)state;
    assert_int_equal(web_rest_ms(20, true), 0);
    assert_int_equal(web_rest_ms(20, false), 80);
}

static void
a_visitor_who_does_not_read_prevents_no_rest(void **state)
{
    (void)state;
    assert_int_equal(web_rest_ms(50, true), 200);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rest_is_four_times_as_long_as_the_work),
        cmocka_unit_test(an_answer_is_sent_before_the_rest),
        cmocka_unit_test(a_visitor_who_does_not_read_prevents_no_rest),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
