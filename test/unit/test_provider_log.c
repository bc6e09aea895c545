/* The provider that sends nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "calls.h"

/* Runs a call with stderr in a pipe; what was written is in `written`. */
static char written[8192];

static struct call
begin(const char *adapter, const char *payload)
{
    struct channel_set *set = set_of((struct channel_options){.email_provider = "log", .sms_provider = "log"});
    int saved = dup(STDERR_FILENO);
    struct call call;
    ssize_t length;
    int pipes[2];

    assert_int_equal(pipe(pipes), 0);
    (void)dup2(pipes[1], STDERR_FILENO);
    call = call_begin(set, adapter, payload, NULL, "key");
    (void)dup2(saved, STDERR_FILENO);
    (void)close(pipes[1]);
    (void)close(saved);
    length = read(pipes[0], written, sizeof(written) - 1);
    written[length < 0 ? 0 : length] = '\0';
    (void)close(pipes[0]);
    return call;
}

static void
test_log_provider_answers_like_the_others(void **state)
{
    static const struct {
        const char *adapter;
        const char *payload;
        const char *result;
    } calls[] = {
        {"email", "{\"message_id\": 1, \"to_address\": \"b@y\"}", "{\"id\": \"email_1\", \"provider\": \"log\"}"},
        {"email", "{\"to_address\": \"b@y\"}", "{\"id\": \"email_key\", \"provider\": \"log\"}"},
        {"sms", "{\"message_id\": 12, \"to_number\": \"+15558675310\", \"body\": \"hi\"}",
            "{\"message_id\": \"sms_12\", \"status\": \"sent\"}"},
        {"sms", "{\"body\": \"hi\"}", "{\"message_id\": \"sms_key\", \"status\": \"sent\"}"},
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(calls); i++) {
        struct call call = begin(calls[i].adapter, calls[i].payload);

        assert_outcome(&call, "succeeded", calls[i].result, NULL, NULL);
        call_end(&call);
    }
}

static void
test_log_provider_fails_for_one_address_and_one_number(void **state)
{
    struct call call = begin("email", "{\"to_address\": \"fail@example.com\"}");

    (void)state;
    assert_outcome(&call, "failed", NULL, "simulated failure", "refused");
    call_end(&call);
    call = begin("sms", "{\"to_number\": \"+15005550001\"}");
    assert_outcome(&call, "failed", NULL, "simulated failure", "refused");
    call_end(&call);
}

static void
test_log_provider_is_as_strict_about_line_breaks(void **state)
{
    struct call call = begin("email", "{\"to_address\": \"b@y\", \"subject\": \"a\\nb\"}");

    (void)state;
    assert_outcome(&call, "failed", NULL, "email payload: line break in \"subject\"", "payload");
    call_end(&call);
    call = begin("sms", "{\"to_number\": \"\\n\"}");
    assert_outcome(&call, "failed", NULL, "sms payload: line break in \"to_number\"", "payload");
    call_end(&call);
}

static void
test_log_provider_writes_no_address_and_two_digits_of_a_number(void **state)
{
    struct call call = begin("email", "{\"from_address\": \"a@x\", \"to_address\": \"b@y\", \"subject\": \"private\"}");

    (void)state;
    assert_non_null(strstr(written, "key=key"));
    assert_null(strstr(written, "b@y"));
    assert_null(strstr(written, "private"));
    call_end(&call);
    call = begin("sms", "{\"to_number\": \"+15558675310\", \"body\": \"private\"}");
    assert_non_null(strstr(written, "to_ends=10"));
    assert_null(strstr(written, "310"));
    assert_null(strstr(written, "private"));
    call_end(&call);
    call = begin("sms", "{\"to_number\": \"7\"}");
    assert_non_null(strstr(written, "to_ends=\"\""));
    call_end(&call);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_log_provider_answers_like_the_others),
        cmocka_unit_test(test_log_provider_fails_for_one_address_and_one_number),
        cmocka_unit_test(test_log_provider_is_as_strict_about_line_breaks),
        cmocka_unit_test(test_log_provider_writes_no_address_and_two_digits_of_a_number),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
