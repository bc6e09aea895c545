/* Which channels there are, who serves them, and what all calls have in common. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "channel/channel.h"

#include "calls.h"
#include "wiped.h"

static const char *
provider_of(struct channel_options options, const char *adapter)
{
    struct channel_set *set = set_of(options);
    const char *provider = channel_provider(set, channel_find(adapter));

    channel_set_free(set);
    return provider;
}

static void
assert_set_refused(struct channel_options options, const char *message)
{
    struct channel_set *set = NULL;
    struct err err;

    assert_false(channel_set_new(&options, &set, &err));
    assert_null(set);
    assert_string_equal(err.message, message);
}

static void
test_channel_adapters_are_found_by_their_names(void **state)
{
    (void)state;
    for (int n = 0; n < channel_count(); n++)
        assert_int_equal(channel_find(channel_adapter(n)), n);
    assert_int_equal(channel_find("function"), -1);
    assert_int_equal(channel_find(""), -1);
}

static void
test_channel_without_settings_only_http_is_served(void **state)
{
    struct channel_options nothing = {.email_rate = -1, .sms_rate = -1};

    (void)state;
    assert_null(provider_of(nothing, "email"));
    assert_null(provider_of(nothing, "sms"));
    assert_null(provider_of(nothing, "file_delete"));
    assert_string_equal(provider_of(nothing, "http"), "http");
    assert_string_equal(channel_missing(channel_find("email")), "set RESEND_API_KEY, SMTP_URL or REEVE_EMAIL_PROVIDER=log");
}

static void
test_channel_provider_follows_from_what_is_set_unless_it_is_named(void **state)
{
    struct channel_options both = {.resend_key = "re_x", .smtp_url = "smtp://mail.example.com"};

    (void)state;
    assert_string_equal(provider_of(both, "email"), "resend");
    assert_string_equal(provider_of((struct channel_options){.smtp_url = "smtps://u:p@mail.example.com"}, "email"), "smtp");
    both.email_provider = "smtp";
    assert_string_equal(provider_of(both, "email"), "smtp");
    both.email_provider = "log";
    assert_string_equal(provider_of(both, "email"), "log");
    both.email_provider = "none";
    assert_null(provider_of(both, "email"));
    assert_string_equal(
        provider_of((struct channel_options){.twilio_sid = "ACx", .twilio_token = "t", .twilio_from = "+1"}, "sms"), "twilio");
    assert_null(provider_of((struct channel_options){.twilio_sid = "ACx", .twilio_token = "t"}, "sms"));
    assert_string_equal(provider_of((struct channel_options){.sms_provider = "log"}, "sms"), "log");
    assert_string_equal(
        provider_of((struct channel_options){.file_service_url = "http://f", .file_service_key = "k"}, "file_delete"), "files");
    assert_null(provider_of((struct channel_options){.file_service_url = "http://f"}, "file_delete"));
    assert_null(provider_of((struct channel_options){.file_service_key = "k"}, "file_delete"));
    assert_null(provider_of((struct channel_options){.resend_key = ""}, "email")); /* empty is not set */
}

static void
test_channel_named_provider_without_its_settings_is_refused(void **state)
{
    (void)state;
    assert_set_refused((struct channel_options){.email_provider = "resend"}, "e-mail provider \"resend\" needs RESEND_API_KEY");
    assert_set_refused((struct channel_options){.email_provider = "smtp"}, "e-mail provider \"smtp\" needs SMTP_URL");
    assert_set_refused((struct channel_options){.sms_provider = "twilio", .twilio_sid = "ACx"},
        "SMS provider \"twilio\" needs TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM_NUMBER");
    assert_set_refused((struct channel_options){.smtp_url = "https://x"}, "SMTP_URL does not begin with smtp:// or smtps://");
}

static void
test_channel_rate_is_two_a_second_for_the_real_resend_only(void **state)
{
    static const struct {
        struct channel_options options;
        double email;
        double sms;
    } rates[] = {
        {{.resend_key = "k", .email_rate = -1, .sms_rate = -1}, 2, 0},
        {{.resend_key = "k", .resend_url = "https://api.resend.com/", .email_rate = -1}, 2, 0},
        {{.resend_key = "k", .resend_url = "http://127.0.0.1:1", .email_rate = -1}, 0, 0},
        {{.resend_key = "k", .email_rate = 0, .sms_rate = 0.5}, 0, 0.5},
        {{.resend_key = "k", .email_rate = 10}, 10, 0},
        {{.email_provider = "log", .email_rate = -1}, 0, 0},
        {{.smtp_url = "smtp://x", .email_rate = -1}, 0, 0},
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(rates); i++) {
        struct channel_set *set = set_of(rates[i].options);

        assert_true(channel_rate(set, channel_find("email")) == rates[i].email);
        assert_true(channel_rate(set, channel_find("sms")) == rates[i].sms);
        assert_true(channel_rate(set, channel_find("http")) == 0);
        channel_set_free(set);
    }
}

static void
test_channel_calls_keep_their_set_when_its_owner_lets_go_and_it_is_wiped_at_the_end(void **state)
{
    struct channel_set *set = set_of((struct channel_options){.resend_key = "re_secret",
        .smtp_url = "smtp://u:smtp_secret@x",
        .twilio_sid = "ACx",
        .twilio_token = "twilio_secret",
        .twilio_from = "+1",
        .file_service_url = "http://f",
        .file_service_key = "file_secret"});
    struct channel_call *call = channel_call_new(set, channel_find("email"), "{}", NULL, NULL, "k", NULL);
    struct http_request request;

    (void)state;
    wiped_forget();
    channel_set_free(set);
    assert_false(was_wiped("re_secret"));
    assert_int_equal(channel_call_begin(call, &request), CHANNEL_SEND);
    http_request_release(&request);
    wiped_forget();
    channel_call_free(call);
    assert_true(was_wiped("re_secret\n"));
    assert_true(was_wiped("smtp://u:smtp_secret@x\n"));
    assert_true(was_wiped("twilio_secret\n"));
    assert_true(was_wiped("file_secret\n"));
    channel_call_free(NULL);
    channel_set_free(NULL);
}

static void
test_channel_payload_that_is_no_object_fails_before_anything_is_sent(void **state)
{
    static const char *const payloads[] = {"[]", "null", "1", "\"x\"", "{", "", "{\"a\": 123456789012345678901234567890}"};

    (void)state;
    for (size_t i = 0; i < LENGTH(payloads); i++) {
        struct call call = call_begin(set_of((struct channel_options){.email_provider = "log"}), "email", payloads[i], NULL, "k");

        assert_outcome(&call, "failed", NULL, "email payload cannot be read", "payload");
        call_end(&call);
    }
}

static void
test_channel_outcome_of_a_transfer_without_an_answer(void **state)
{
    static const struct {
        enum http_end end;
        const char *outcome;
        const char *error;
        const char *error_class;
    } ends[] = {
        {HTTP_REFUSED, "failed", "outbound request refused: x", "policy"},
        {HTTP_UNSENT, "failed", "outbound request refused: x", "network"},
        {HTTP_IN_DOUBT, "in_doubt", "in doubt: outbound request refused: x", "in_doubt"},
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(ends); i++) {
        struct call call = call_begin(set_of((struct channel_options){.resend_key = "k"}), "email", "{}", NULL, "k");

        call_lose(&call, ends[i].end, "outbound request refused: x");
        assert_outcome(&call, ends[i].outcome, NULL, ends[i].error, ends[i].error_class);
        call_end(&call);
    }
}

static void
test_channel_unfinished_call_can_be_dropped_at_any_point(void **state)
{
    struct call call = call_begin(set_of((struct channel_options){.resend_key = "k"}), "email", "{}", NULL, "k");
    struct channel_set *set = set_of((struct channel_options){.email_provider = "log"});

    (void)state;
    call_end(&call);
    channel_call_free(channel_call_new(set, channel_find("email"), NULL, "body", NULL, NULL, NULL));
    channel_set_free(set);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_channel_adapters_are_found_by_their_names),
        cmocka_unit_test(test_channel_without_settings_only_http_is_served),
        cmocka_unit_test(test_channel_provider_follows_from_what_is_set_unless_it_is_named),
        cmocka_unit_test(test_channel_named_provider_without_its_settings_is_refused),
        cmocka_unit_test(test_channel_rate_is_two_a_second_for_the_real_resend_only),
        cmocka_unit_test(test_channel_calls_keep_their_set_when_its_owner_lets_go_and_it_is_wiped_at_the_end),
        cmocka_unit_test(test_channel_payload_that_is_no_object_fails_before_anything_is_sent),
        cmocka_unit_test(test_channel_outcome_of_a_transfer_without_an_answer),
        cmocka_unit_test(test_channel_unfinished_call_can_be_dropped_at_any_point),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
