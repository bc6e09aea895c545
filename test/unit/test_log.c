/* One line per event, whatever the values hold. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/log.h"

/* Runs a log call with stderr in a pipe, and returns what was written. */
static char written[8192];

static void
capture(enum log_level level, const char *event, const char *key, const char *value)
{
    int pipes[2];
    int saved = dup(STDERR_FILENO);
    ssize_t length;

    assert_int_equal(pipe(pipes), 0);
    (void)dup2(pipes[1], STDERR_FILENO);
    log_event(level, event, key, value, NULL);
    (void)dup2(saved, STDERR_FILENO);
    (void)close(pipes[1]);
    (void)close(saved);
    length = read(pipes[0], written, sizeof(written) - 1);
    written[length < 0 ? 0 : length] = '\0';
    (void)close(pipes[0]);
}

static void
test_log_is_one_line_even_for_hostile_values(void **state)
{
    (void)state;
    assert_true(log_set_format("text"));
    capture(LOG_INFO, "task failed", "error", "a\nb \"c\" \x1b[2J");
    assert_non_null(strstr(written, "level=info msg=\"task failed\" error=\"a\\u000ab \\\"c\\\" \\u001b[2J\"\n"));
    assert_ptr_equal(strchr(written, '\n'), written + strlen(written) - 1);
}

static void
test_log_has_nothing_that_a_terminal_obeys_in_either_form(void **state)
{
    static const char hostile[] = "\xc2\x9b"
                                  "2J\xe2\x80\xaetxt.exe\xe2\x81\xa6\xff";

    (void)state;
    for (int i = 0; i < 2; i++) {
        assert_true(log_set_format(i == 0 ? "text" : "json"));
        capture(LOG_INFO, hostile, "name", hostile);
        assert_non_null(strstr(written, "\"\\u009b2J\\u202etxt.exe\\u2066\\ufffd\""));
        for (const char *c = written; *c != '\0'; c++)
            assert_true((unsigned char)*c < 0x7f);
    }
    assert_true(log_set_format("text"));
}

static void
test_log_json_has_the_documented_keys(void **state)
{
    (void)state;
    assert_true(log_set_format("json"));
    capture(LOG_WARN, "lease lost", "task_id", LOG_I64(5));
    assert_non_null(strstr(written, "{\"timestamp\":\""));
    assert_non_null(
        strstr(written, "\"level\":\"warn\",\"service\":\"worker\",\"message\":\"lease lost\",\"fields\":{\"task_id\":\"5\"}}"));
    assert_true(log_set_format("text"));
}

static void
test_log_level_is_applied_and_unknown_words_are_refused(void **state)
{
    (void)state;
    assert_true(log_set_level("warn"));
    capture(LOG_INFO, "quiet", "a", "b");
    assert_string_equal(written, "");
    assert_false(log_set_level("loud"));
    assert_false(log_set_format("xml"));
    assert_true(log_set_level("info"));
}

static void
test_log_line_is_cut_but_ends(void **state)
{
    static char huge[10000];

    (void)state;
    memset(huge, 'x', sizeof(huge) - 1);
    capture(LOG_INFO, "long", "value", huge);
    assert_true(strlen(written) < 4200);
    assert_int_equal(written[strlen(written) - 1], '\n');
}

static void
test_log_hides_secrets_in_the_form_in_which_they_are_written(void **state)
{
    (void)state;
    log_hide("pass\"wo\\rd\x01");
    assert_true(log_set_format("text"));
    capture(LOG_INFO, "said", "value", "a pass\"wo\\rd\x01 b");
    assert_non_null(strstr(written, "value=\"a *** b\"\n"));
    assert_true(log_set_format("json"));
    capture(LOG_INFO, "said", "value", "pass\"wo\\rd\x01");
    assert_non_null(strstr(written, "{\"value\":\"***\"}}\n"));
    assert_true(log_set_format("text"));
}

static void
test_log_shows_short_texts_and_all_of_what_is_no_secret(void **state)
{
    (void)state;
    log_hide("short");
    log_hide("******");
    capture(LOG_INFO, "said", "value", "short ******* x");
    assert_non_null(strstr(written, "value=\"short ***"));
    assert_non_null(strstr(written, " x\"\n"));
}

static void
test_log_hides_the_newest_secrets_when_there_are_too_many(void **state)
{
    (void)state;
    for (int i = 0; i < 200; i++) {
        char secret[32];

        (void)snprintf(secret, sizeof(secret), "secret-number-%03d", i);
        log_hide(secret);
    }
    capture(LOG_INFO, "said", "value", "secret-number-199 secret-number-170");
    assert_non_null(strstr(written, "value=\"*** ***\"\n"));
}

static void
test_log_hides_secrets_in_lines_and_in_other_texts(void **state)
{
    char text[] = "key=s3cret-key, again s3cret-keys3cret-key; short";

    (void)state;
    log_hide("s3cret-key");
    log_hide("short"); /* Too short: half of all words would vanish. */
    capture(LOG_INFO, "refused", "answer", "your key s3cret-key is wrong");
    assert_null(strstr(written, "s3cret-key"));
    assert_non_null(strstr(written, "your key *** is wrong"));
    log_mask(text);
    assert_string_equal(text, "key=***, again ******; short");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_log_is_one_line_even_for_hostile_values),
        cmocka_unit_test(test_log_has_nothing_that_a_terminal_obeys_in_either_form),
        cmocka_unit_test(test_log_json_has_the_documented_keys),
        cmocka_unit_test(test_log_level_is_applied_and_unknown_words_are_refused),
        cmocka_unit_test(test_log_line_is_cut_but_ends),
        cmocka_unit_test(test_log_hides_secrets_in_the_form_in_which_they_are_written),
        cmocka_unit_test(test_log_shows_short_texts_and_all_of_what_is_no_secret),
        cmocka_unit_test(test_log_hides_the_newest_secrets_when_there_are_too_many),
        cmocka_unit_test(test_log_hides_secrets_in_lines_and_in_other_texts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
