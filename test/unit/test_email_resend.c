/* E-mail by a Resend-compatible API: the request, and every answer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/utf8.h"

#include "calls.h"
#include "wiped.h"

#define KEY "send_email/6f1c1f0e-5d0c-4b8e-9a56-0f6a3c1b2d4e"
#define PAYLOAD                                                                                                                  \
    "{\"message_id\": 1, \"from_address\": \"a@x\", \"to_address\": \"b@y\", \"subject\": \"s\", \"html\": \"<p>h</p>\","        \
    " \"idempotency_key\": \"" KEY "\"}"

static struct call
begin(const char *payload, const char *url)
{
    return call_begin(set_of((struct channel_options){.resend_key = "re_x", .resend_url = url}), "email", payload, NULL, KEY);
}

static void
test_resend_request_has_the_documented_shape(void **state)
{
    struct call call = begin(PAYLOAD, NULL);

    (void)state;
    assert_int_equal(call.step, CHANNEL_SEND);
    assert_string_equal(call.request.method, "POST");
    assert_string_equal(call.request.url, "https://api.resend.com/emails");
    assert_true(call.request.is_trusted);
    assert_true(call.request.is_repeatable); /* the key tells a repetition */
    assert_int_equal(call.request.header_count, 3);
    assert_string_equal(call_header(&call, "Authorization"), "Bearer re_x");
    assert_string_equal(call_header(&call, "Content-Type"), "application/json");
    assert_string_equal(call_header(&call, "Idempotency-Key"), KEY);
    assert_string_equal(call.request.body, "{\"from\":\"a@x\",\"to\":[\"b@y\"],\"subject\":\"s\",\"html\":\"<p>h</p>\"}");
    assert_int_equal(call.request.body_length, strlen(call.request.body));
    call_end(&call);
}

static void
test_resend_sends_text_and_reply_to_if_given_and_keeps_every_character(void **state)
{
    struct call call = begin("{\"from_address\": \"N <a@x>\", \"to_address\": \"b@y\", \"subject\": \"\xe2\x82\xac \\\"q\\\"\","
                             " \"html\": \"<p>\\n\xf0\x9f\x98\x80</p>\", \"text\": \"t\", \"reply_to\": \"c@z\"}",
        "http://127.0.0.1:9999//");

    (void)state;
    assert_string_equal(call.request.url, "http://127.0.0.1:9999/emails");
    assert_json_equal(call.request.body, "{\"from\": \"N <a@x>\", \"to\": [\"b@y\"], \"subject\": \"\xe2\x82\xac \\\"q\\\"\", "
                                         "\"html\": \"<p>\\n\xf0\x9f\x98\x80</p>\","
                                         " \"text\": \"t\", \"reply_to\": \"c@z\"}");
    call_end(&call);
}

static void
test_resend_line_break_in_an_address_or_subject_is_not_sent(void **state)
{
    static const char *const fields[] = {"from_address", "to_address", "subject", "reply_to"};
    static const char *const breaks[] = {"\\n", "\\r", "a\\r\\nBcc: c@z"};

    (void)state;
    for (size_t i = 0; i < LENGTH(fields); i++) {
        for (size_t j = 0; j < LENGTH(breaks); j++) {
            char *payload = must_format("{\"%s\": \"%s\"}", fields[i], breaks[j]);
            char *error = must_format("email payload: line break in \"%s\"", fields[i]);
            struct call call = begin(payload, NULL);

            assert_outcome(&call, "failed", NULL, error, "payload");
            assert_null(call.request.url);
            call_end(&call);
            free(payload);
            free(error);
        }
    }
}

static void
test_resend_field_that_is_no_text_is_not_sent(void **state)
{
    struct call call = begin("{\"from_address\": \"a@x\", \"to_address\": [\"b@y\", \"c@z\"]}", NULL);

    (void)state;
    assert_outcome(&call, "failed", NULL, "email payload: \"to_address\" is not a text", "payload");
    call_end(&call);
}

static void
test_resend_key_with_a_line_break_is_not_sent(void **state)
{
    struct call call = call_begin(
        set_of((struct channel_options){.resend_key = "re_x"}), "email", PAYLOAD, NULL, "k\r\nX-Evil: 1");

    (void)state;
    assert_outcome(&call, "failed", NULL, "line break in header \"Idempotency-Key\"", "payload");
    call_end(&call);
}

static void
test_resend_answers_mean_what_the_contract_says(void **state)
{
    static const struct {
        int status;
        const char *body;
        const char *outcome;
        const char *result;
        const char *error;
        const char *error_class;
    } answers[] = {
        {200, "{\"id\": \"49a3999c-0ce1-4ea6-ab68-afcd6dc2e794\"}", "succeeded",
            "{\"id\": \"49a3999c-0ce1-4ea6-ab68-afcd6dc2e794\", \"provider\": \"resend\"}", NULL, NULL},
        {201, "{\"id\": \"x\", \"more\": 1}", "succeeded", "{\"id\": \"x\", \"provider\": \"resend\"}", NULL, NULL},
        {200, "", "succeeded", "{\"id\": null, \"provider\": \"resend\"}", "resend answer has no id", NULL},
        {200, "{}", "succeeded", "{\"id\": null, \"provider\": \"resend\"}", "resend answer has no id", NULL},
        {200, "{\"id\": 7}", "succeeded", "{\"id\": null, \"provider\": \"resend\"}", "resend answer has no id", NULL},
        {200, "{\"id\": \"\"}", "succeeded", "{\"id\": null, \"provider\": \"resend\"}", "resend answer has no id", NULL},
        {202, "<html>ok</html>", "succeeded", "{\"id\": null, \"provider\": \"resend\"}", "resend answer has no id", NULL},
        {200, "[\"id\"]", "succeeded", "{\"id\": null, \"provider\": \"resend\"}", "resend answer has no id", NULL},
        {422, "{\"statusCode\": 422, \"name\": \"validation_error\", \"message\": \"m\"}", "failed", NULL,
            "resend API error (status 422): validation_error: m", "refused"},
        {409, "{\"statusCode\": 409, \"name\": \"invalid_idempotent_request\", \"message\": \"same key\"}", "failed", NULL,
            "resend API error (status 409): invalid_idempotent_request: same key", "refused"},
        {401, "{\"name\": \"missing_api_key\"}", "failed", NULL, "resend API error (status 401)", "refused"},
        {403, "", "failed", NULL, "resend API error (status 403)", "refused"},
        {429, "{\"name\": \"rate_limit_exceeded\", \"message\": \"slow down\"}", "failed", NULL,
            "resend API error (status 429): rate_limit_exceeded: slow down", "rate_limited"},
        {408, "", "failed", NULL, "resend API error (status 408)", "server"},
        {425, "", "failed", NULL, "resend API error (status 425)", "server"},
        {500, "{\"name\": \"application_error\", \"message\": \"x\\ny\\tz\"}", "failed", NULL,
            "resend API error (status 500): application_error: x y z", "server"},
        {502, "<html>Bad Gateway</html>", "failed", NULL, "resend API error (status 502)", "server"},
        {302, "", "failed", NULL, "resend API error (status 302)", "refused"},
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(answers); i++) {
        struct call call = begin(PAYLOAD, NULL);

        call_answer(&call, answers[i].status, answers[i].body);
        assert_outcome(&call, answers[i].outcome, answers[i].result, answers[i].error, answers[i].error_class);
        call_end(&call);
    }
}

static void
test_resend_foreign_bytes_never_make_an_error_that_cannot_be_stored(void **state)
{
    static const char *const bodies[] = {"{\"name\": \"n\", \"message\": \"\xff\xfe\"}",
        "{\"name\": \"\\u0000\", \"message\": \"m\"}", "{\"name\": \"\\ud800\", \"message\": \"m\"}",
        "\xef\xbb\xbf{\"name\": \"n\", \"message\": \"m\"}", "{\"name\": \"n\", \"name\": \"o\"}"};
    char message[3000];
    char body[3100];
    struct call call;

    (void)state;
    for (size_t i = 0; i < LENGTH(bodies); i++) {
        call = begin(PAYLOAD, NULL);
        call_answer(&call, 500, bodies[i]);
        assert_outcome(&call, "failed", NULL, "resend API error (status 500)", "server");
        call_end(&call);
    }
    /* A long text is cut, by whole characters, and a control character does not get through. */
    for (size_t i = 0; i < 1000; i++)
        memcpy(message + 3 * i, "\xe2\x82\xac", 3);
    (void)snprintf(body, sizeof(body), "{\"name\": \"a\\u001bb\", \"message\": \"%.*s\"}", 2999, message);
    body[strlen(body) - 4] = 'x';
    body[strlen(body) - 3] = 'x';
    call = begin(PAYLOAD, NULL);
    call_answer(&call, 500, body);
    assert_true(strlen(call.outcome.error) < 640);
    assert_true(utf8_is_valid(call.outcome.error, strlen(call.outcome.error)));
    assert_null(strchr(call.outcome.error, '\x1b'));
    call_end(&call);
}

static void
test_resend_cut_answer_is_not_read_but_its_status_counts(void **state)
{
    struct call call = begin(PAYLOAD, NULL);
    const char *body = "{\"id\": \"x\"}";

    (void)state;
    call_take(&call, (struct http_answer){.end = HTTP_ANSWERED, .status = 200, .is_truncated = true}, body, strlen(body), "");
    assert_outcome(&call, "succeeded", "{\"id\": null, \"provider\": \"resend\"}", "resend answer has no id", NULL);
    call_end(&call);
}

static void
test_resend_wipes_the_key_that_it_put_into_a_header(void **state)
{
    struct call call;

    (void)state;
    wiped_forget();
    call = begin(PAYLOAD, NULL);
    assert_true(was_wiped("Bearer re_x\n"));
    wiped_forget();
    call_answer(&call, 200, "{}");
    assert_true(was_wiped("Authorization: Bearer re_x\n"));
    call_end(&call);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_resend_request_has_the_documented_shape),
        cmocka_unit_test(test_resend_sends_text_and_reply_to_if_given_and_keeps_every_character),
        cmocka_unit_test(test_resend_line_break_in_an_address_or_subject_is_not_sent),
        cmocka_unit_test(test_resend_field_that_is_no_text_is_not_sent),
        cmocka_unit_test(test_resend_key_with_a_line_break_is_not_sent),
        cmocka_unit_test(test_resend_answers_mean_what_the_contract_says),
        cmocka_unit_test(test_resend_foreign_bytes_never_make_an_error_that_cannot_be_stored),
        cmocka_unit_test(test_resend_cut_answer_is_not_read_but_its_status_counts),
        cmocka_unit_test(test_resend_wipes_the_key_that_it_put_into_a_header),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
