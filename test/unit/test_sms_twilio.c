/* SMS by a Twilio-compatible API: the form, and every answer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/utf8.h"

#include "calls.h"

#define PAYLOAD "{\"message_id\": 12, \"to_number\": \"+15558675310\", \"body\": \"hi\"}"

static struct call
begin(const char *payload, const char *from)
{
    return call_begin(set_of((struct channel_options){.twilio_sid = "ACx", .twilio_token = "token", .twilio_from = from}), "sms",
        payload, NULL, "k");
}

static void
test_twilio_request_has_the_documented_shape(void **state)
{
    struct call call = begin(PAYLOAD, "+15557122661");

    (void)state;
    assert_int_equal(call.step, CHANNEL_SEND);
    assert_string_equal(call.request.method, "POST");
    assert_string_equal(call.request.url, "https://api.twilio.com/2010-04-01/Accounts/ACx/Messages.json");
    assert_string_equal(call.request.user, "ACx");
    assert_string_equal(call.request.password, "token");
    assert_int_equal(call.request.header_count, 1);
    assert_string_equal(call_header(&call, "Content-Type"), "application/x-www-form-urlencoded");
    assert_string_equal(call.request.body, "To=%2B15558675310&From=%2B15557122661&Body=hi");
    assert_true(call.request.is_trusted);
    assert_false(call.request.is_repeatable); /* nothing tells a repetition */
    call_end(&call);
}

static void
test_twilio_form_escapes_everything_but_unreserved_characters(void **state)
{
    struct call call = begin("{\"to_number\": \"+1&To=2\", \"body\": \"a b+c=d&e%\xe2\x82\xac\\n~-._Zz09\"}", "+1");

    (void)state;
    assert_string_equal(call.request.body, "To=%2B1%26To%3D2&From=%2B1&Body=a%20b%2Bc%3Dd%26e%25%E2%82%AC%0A~-._Zz09");
    call_end(&call);
}

static void
test_twilio_sender_is_that_of_the_payload_or_a_messaging_service(void **state)
{
    struct call call = begin("{\"to_number\": \"+1\", \"body\": \"b\", \"from_number\": \"+2\"}", "+3");

    (void)state;
    assert_string_equal(call.request.body, "To=%2B1&From=%2B2&Body=b");
    call_end(&call);
    call = begin("{\"to_number\": \"+1\", \"body\": \"b\"}", "MGxyz");
    assert_string_equal(call.request.body, "To=%2B1&MessagingServiceSid=MGxyz&Body=b");
    call_end(&call);
    call = begin("{\"to_number\": 15551234567, \"body\": 7}", "+3"); /* numbers are taken as text */
    assert_string_equal(call.request.body, "To=15551234567&From=%2B3&Body=7");
    call_end(&call);
}

static void
test_twilio_payloads_that_cannot_be_sent_are_not_sent(void **state)
{
    static const char *const payloads[][2] = {
        {"{\"body\": \"b\"}", "sms payload: \"to_number\" is not a text"},
        {"{\"to_number\": \"+1\"}", "sms payload: \"body\" is not a text"},
        {"{\"to_number\": \"+1\", \"body\": {}}", "sms payload: \"body\" is not a text"},
        {"{\"to_number\": \"+1\\n\", \"body\": \"b\"}", "sms payload: line break in \"to_number\""},
        {"{\"to_number\": \"+1\", \"body\": \"b\", \"from_number\": \"\\r\"}", "sms payload: line break in \"from_number\""},
        {"{\"to_number\": [], \"body\": \"b\"}", "sms payload: \"to_number\" is not a text"},
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(payloads); i++) {
        struct call call = begin(payloads[i][0], "+3");

        assert_outcome(&call, "failed", NULL, payloads[i][1], "payload");
        call_end(&call);
    }
}

static void
test_twilio_answers_mean_what_the_contract_says(void **state)
{
    static const struct {
        int status;
        const char *body;
        const char *outcome;
        const char *result;
        const char *error;
        const char *error_class;
    } answers[] = {
        {201, "{\"sid\": \"SMx\", \"status\": \"queued\"}", "succeeded",
            "{\"message_id\": \"SMx\", \"status\": \"queued\", \"provider\": \"twilio\"}", NULL, NULL},
        {200, "", "succeeded", "{\"message_id\": null, \"status\": null, \"provider\": \"twilio\"}", NULL, NULL},
        {201, "\xff", "succeeded", "{\"message_id\": null, \"status\": null, \"provider\": \"twilio\"}", NULL, NULL},
        {400,
            "{\"code\": 21211, \"message\": \"m\", \"more_info\": \"https://www.twilio.com/docs/errors/21211\", \"status\": 400}",
            "failed", NULL, "twilio API error (status 400): 21211: m", "refused"},
        {401, "{\"code\": \"20003\", \"message\": \"m\"}", "failed", NULL, "twilio API error (status 401)", "refused"},
        {404, "{\"code\": 20404}", "failed", NULL, "twilio API error (status 404)", "refused"},
        {429, "{\"code\": 20429, \"message\": \"Too Many Requests\"}", "failed", NULL,
            "twilio API error (status 429): 20429: Too Many Requests", "rate_limited"},
        {503, "<html>", "failed", NULL, "twilio API error (status 503)", "server"},
        {301, "", "failed", NULL, "twilio API error (status 301)", "refused"},
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(answers); i++) {
        struct call call = begin(PAYLOAD, "+3");

        call_answer(&call, answers[i].status, answers[i].body);
        assert_outcome(&call, answers[i].outcome, answers[i].result, answers[i].error, answers[i].error_class);
        call_end(&call);
    }
}

static void
test_twilio_lost_answer_is_in_doubt(void **state)
{
    struct call call = begin(PAYLOAD, "+3");

    (void)state;
    call_lose(&call, HTTP_IN_DOUBT, "no answer of \"api.twilio.com\" in time");
    assert_outcome(&call, "in_doubt", NULL, "in doubt: no answer of \"api.twilio.com\" in time", "in_doubt");
    call_end(&call);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_twilio_request_has_the_documented_shape),
        cmocka_unit_test(test_twilio_form_escapes_everything_but_unreserved_characters),
        cmocka_unit_test(test_twilio_sender_is_that_of_the_payload_or_a_messaging_service),
        cmocka_unit_test(test_twilio_payloads_that_cannot_be_sent_are_not_sent),
        cmocka_unit_test(test_twilio_answers_mean_what_the_contract_says),
        cmocka_unit_test(test_twilio_lost_answer_is_in_doubt),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
