/* E-mail by SMTP: the envelope, the message, and every answer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/utf8.h"

#include "calls.h"

#define KEY "send_email/6f1c1f0e-5d0c-4b8e-9a56-0f6a3c1b2d4e"
#define PAYLOAD                                                                                                                  \
    "{\"message_id\": 1, \"from_address\": \"Shop <a@x.example>\", \"to_address\": \"b@y.example\", \"subject\": \"s\","         \
    " \"html\": \"<p>h</p>\"}"

static struct call
begin(const char *payload, const char *url)
{
    return call_begin(set_of((struct channel_options){.smtp_url = url}), "email", payload, NULL, KEY);
}

static void
test_smtp_request_is_a_message_with_an_envelope(void **state)
{
    struct call call = begin(PAYLOAD, "smtp://user:pass@mail.example.com:587");

    (void)state;
    assert_int_equal(call.step, CHANNEL_SEND);
    assert_string_equal(call.request.method, "");
    assert_string_equal(call.request.url, "smtp://user:pass@mail.example.com:587");
    assert_true(call.request.is_trusted);
    assert_false(call.request.is_repeatable);
    assert_string_equal(call.request.mail_from, "<a@x.example>");
    assert_string_equal(call.request.mail_to, "<b@y.example>");
    assert_int_equal(call.request.header_count, 0);
    assert_int_equal(call.request.body_length, strlen(call.request.body));
    assert_non_null(strstr(call.request.body, "From: Shop <a@x.example>\r\nTo: b@y.example\r\nSubject: s\r\nDate: "));
    assert_non_null(strstr(call.request.body, "\r\nMessage-ID: <" KEY "@x.example>\r\n"));
    call_end(&call);
}

static void
test_smtp_needs_tls_unless_the_server_is_on_this_machine(void **state)
{
    static const struct {
        const char *url;
        bool needs_tls;
    } urls[] = {
        {"smtp://mail.example.com", true},
        {"smtps://mail.example.com", true},
        {"smtp://u:p@mail.example.com:587/helo", true},
        {"smtp://10.0.0.25", true},
        {"smtp://localhost", false},
        {"smtp://localhost:2525", false},
        {"smtp://u:p@localhost/helo", false},
        {"smtp://127.0.0.1:25", false},
        {"smtp://[::1]:25", false},
        {"smtp://localhost.example.com", true},
        {"smtp://localhost-relay", true},
        {"smtp://127.example.com", true},
        {"smtp://mail.example.com/@localhost", true},
        {"smtp://u@localhost:p@mail.example.com", true},
        {"smtp://LOCALHOST", false},
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(urls); i++) {
        struct call call = begin(PAYLOAD, urls[i].url);

        assert_int_equal(call.request.needs_tls, urls[i].needs_tls);
        call_end(&call);
    }
}

static void
test_smtp_payloads_that_cannot_be_sent_are_not_sent(void **state)
{
    static const struct {
        const char *from, *to, *subject;
        const char *error;
    } payloads[] = {
        {"a@x\\r\\nBcc: c@z", "b@y", "s", "email payload: line break in \"from_address\""},
        {"a@x", "b@y\\nRCPT TO:<c@z>", "s", "email payload: line break in \"to_address\""},
        {"a@x", "b@y", "s\\rBcc: c@z", "email payload: line break in \"subject\""},
        {"nobody", "b@y", "s", "email payload: \"from_address\" is not an address"},
        {"a@x", "N <nobody>", "s", "email payload: \"to_address\" is not an address"},
        {"a@x", "b@y c@z", "s", "email payload: \"to_address\" is not an address"},
        {"a@x", "", "s", "email payload: \"to_address\" is not an address"},
        {"a@x", "b@y\\u0001", "s", "email payload: control character in \"to_address\""},
        {"a\\u009b@x", "b@y", "s", "email payload: control character in \"from_address\""},
        {"a@x", "b@y", "s\\u0008\\u0008", "email payload: control character in \"subject\""},
        {"a@x", "b@y\\u202ez", "s", "email payload: \"to_address\" is not an address"},
        {"a@x", "b@y\\tz", "s", "email payload: \"to_address\" is not an address"},
        {"a@x", "b@y", "s\", \"reply_to\": \"c@z d", "email payload: \"reply_to\" is not an address"},
        {"a@x", "b@y", "s\", \"reply_to\": \"c@z\\u007f", "email payload: control character in \"reply_to\""},
    };
    struct call call = begin("{\"from_address\": \"a@x\", \"to_address\": \"b@y\", \"subject\": \"s\"}", "smtp://x");

    (void)state;
    assert_outcome(&call, "failed", NULL, "email payload: \"html\" is not a text", "payload");
    call_end(&call);
    for (size_t i = 0; i < LENGTH(payloads); i++) {
        char *payload = must_format("{\"from_address\": \"%s\", \"to_address\": \"%s\", \"subject\": \"%s\", \"html\": \"h\"}",
            payloads[i].from, payloads[i].to, payloads[i].subject);

        call = begin(payload, "smtp://x");
        assert_outcome(&call, "failed", NULL, payloads[i].error, "payload");
        call_end(&call);
        free(payload);
    }
}

static void
test_smtp_message_that_is_too_large_is_not_sent(void **state)
{
    char *html = must_alloc(7 << 20);
    char *payload;
    struct call call;

    (void)state;
    memset(html, 'h', (7 << 20) - 1);
    payload = must_format("{\"from_address\": \"a@x\", \"to_address\": \"b@y\", \"subject\": \"s\", \"html\": \"%s\"}", html);
    call = begin(payload, "smtp://x");
    assert_outcome(&call, "failed", NULL, "email payload: the message is too large", "payload");
    call_end(&call);
    free(payload);
    free(html);
}

static void
test_smtp_accepted_mail_has_its_message_id_as_id(void **state)
{
    struct call call = begin(PAYLOAD, "smtp://x");

    (void)state;
    call_answer(&call, 250, "");
    assert_outcome(&call, "succeeded", "{\"id\": \"<" KEY "@x.example>\", \"provider\": \"smtp\"}", NULL, NULL);
    call_end(&call);
}

static void
test_smtp_replies_become_errors_with_cleaned_text(void **state)
{
    static const struct {
        int status;
        const char *reply;
        const char *error;
        const char *error_class;
    } replies[] = {
        {550, "550 5.1.1 no such user\r\n", "smtp error 550: 5.1.1 no such user", "refused"},
        {554, "554 x\x1b[2J\xff\r\n", "smtp error 554: x [2J\xef\xbf\xbd", "refused"},
        {421, "421-4.7.0 busy\r\n", "smtp error 421: 4.7.0 busy", "server"},
        {451, "451\r\n", "smtp error 451: ", "server"},
        {451, "", "smtp error 451: ", "server"},
        {535, "gone wrong", "smtp error 535: gone wrong", "refused"},
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(replies); i++) {
        struct call call = begin(PAYLOAD, "smtp://x");

        call_take(&call, (struct http_answer){.end = HTTP_ANSWERED, .status = replies[i].status}, "", 0, replies[i].reply);
        assert_outcome(&call, "failed", NULL, replies[i].error, replies[i].error_class);
        call_end(&call);
    }
}

static void
test_smtp_long_reply_is_cut(void **state)
{
    struct call call = begin(PAYLOAD, "smtp://x");
    char reply[1025];

    (void)state;
    memset(reply, 'r', 1024);
    memcpy(reply, "550 ", 4);
    reply[1024] = '\0';
    call_take(&call, (struct http_answer){.end = HTTP_ANSWERED, .status = 550}, "", 0, reply);
    assert_true(strlen(call.outcome.error) <= 512 + 16);
    call_end(&call);
}

static void
test_smtp_lost_connection_after_the_message_is_in_doubt_and_before_it_is_not(void **state)
{
    struct call call = begin(PAYLOAD, "smtp://x");

    (void)state;
    call_lose(&call, HTTP_IN_DOUBT, "no answer of \"x\" in time");
    assert_outcome(&call, "in_doubt", NULL, "in doubt: no answer of \"x\" in time", "in_doubt");
    call_end(&call);
    call = begin(PAYLOAD, "smtp://x");
    call_lose(&call, HTTP_UNSENT, "could not connect to \"x\": Connection refused");
    assert_outcome(&call, "failed", NULL, "could not connect to \"x\": Connection refused", "network");
    call_end(&call);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_smtp_request_is_a_message_with_an_envelope),
        cmocka_unit_test(test_smtp_needs_tls_unless_the_server_is_on_this_machine),
        cmocka_unit_test(test_smtp_payloads_that_cannot_be_sent_are_not_sent),
        cmocka_unit_test(test_smtp_message_that_is_too_large_is_not_sent),
        cmocka_unit_test(test_smtp_accepted_mail_has_its_message_id_as_id),
        cmocka_unit_test(test_smtp_replies_become_errors_with_cleaned_text),
        cmocka_unit_test(test_smtp_long_reply_is_cut),
        cmocka_unit_test(test_smtp_lost_connection_after_the_message_is_in_doubt_and_before_it_is_not),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
