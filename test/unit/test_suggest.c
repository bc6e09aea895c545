/* "Did you mean". */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/suggest.h"

static const char *const words[] = {"state", "status", "since", "queue", "outcome"};

/* The suggestion for a typed word; "": none. */
static const char *
nearest(const char *typed)
{
    struct suggestion near;

    suggestion_begin(&near, typed, strlen(typed));
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        suggestion_offer(&near, words[i], strlen(words[i]));
    return near.best == NULL ? "" : near.best;
}

static void
test_suggest_finds_words_with_a_slip(void **state)
{
    (void)state;
    assert_string_equal(nearest("sate"), "state");   /* a letter is missing */
    assert_string_equal(nearest("staate"), "state"); /* a letter is too much */
    assert_string_equal(nearest("quuee"), "queue");  /* a wrong letter */
    assert_string_equal(nearest("sicne"), "since");  /* two letters are swapped */
    assert_string_equal(nearest("out"), "outcome");  /* a beginning */
    assert_string_equal(nearest("outcoem"), "outcome");
}

static void
test_suggest_keeps_quiet_about_words_that_are_far(void **state)
{
    char longest[300];

    (void)state;
    memset(longest, 's', sizeof(longest) - 1);
    longest[sizeof(longest) - 1] = '\0';
    assert_string_equal(nearest("priority"), "");
    assert_string_equal(nearest("x"), "");
    assert_string_equal(nearest(""), "");
    assert_string_equal(nearest(longest), "");
}

static void
test_suggest_knows_the_word_itself(void **state)
{
    struct suggestion near;

    (void)state;
    suggestion_begin(&near, "status=x", 6);
    suggestion_offer(&near, "state,x", 5);
    assert_false(near.is_exact);
    suggestion_offer(&near, "status", 6);
    assert_true(near.is_exact);
    assert_string_equal(near.best, "status");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_suggest_finds_words_with_a_slip),
        cmocka_unit_test(test_suggest_keeps_quiet_about_words_that_are_far),
        cmocka_unit_test(test_suggest_knows_the_word_itself),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
