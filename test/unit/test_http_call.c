/* A plain HTTP call: the payload to a request, the answer to a result. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/utf8.h"

#include "calls.h"
#include "wiped.h"

static struct call
begin(const char *payload, const char *body)
{
    return call_begin(set_of((struct channel_options){0}), "http", payload, body, "key");
}

static struct call
begin_with(const char *payload, const char *body, const char *secrets)
{
    return call_begin_with(set_of((struct channel_options){0}), "http", payload, body, secrets, "key");
}

static void
assert_not_sent_with(const char *payload, const char *secrets, const char *error, const char *error_class)
{
    struct call call = begin_with(payload, NULL, secrets);

    assert_outcome(&call, "failed", NULL, error, error_class);
    assert_null(call.request.url);
    call_end(&call);
}

static void
assert_not_sent(const char *payload, const char *body, const char *error)
{
    struct call call = begin(payload, body);

    assert_outcome(&call, "failed", NULL, error, "payload");
    assert_null(call.request.url);
    call_end(&call);
}

/* The traceparent header of a call, or NULL. */
static const char *
traceparent_of(const char *payload, const char *given)
{
    static char found[64];
    struct channel_set *set = set_of((struct channel_options){0});
    struct channel_call *call = channel_call_new(set, channel_find("http"), payload, NULL, NULL, "key", given);
    struct http_request request;
    int count = 0;

    assert_int_equal(channel_call_begin(call, &request), CHANNEL_SEND);
    for (int i = 0; i < request.header_count; i++) {
        if (strncasecmp(request.headers[i], "traceparent: ", 13) != 0)
            continue;
        (void)snprintf(found, sizeof(found), "%s", request.headers[i] + 13);
        count++;
    }
    assert_true(count <= 1);
    http_request_release(&request);
    channel_call_free(call);
    channel_set_free(set);
    return count == 0 ? NULL : found;
}

static void
test_http_call_carries_the_trace_unless_it_has_its_own(void **state)
{
    const char *own = "{\"url\": \"https://example.org/\", \"headers\": {\"TraceParent\": \"mine\"}}";

    (void)state;
    assert_null(traceparent_of("{\"url\": \"https://example.org/\"}", NULL));
    assert_string_equal(traceparent_of("{\"url\": \"https://example.org/\"}", "00-a-b-01"), "00-a-b-01");
    assert_string_equal(traceparent_of(own, "00-a-b-01"), "mine");
    assert_string_equal(traceparent_of(own, NULL), "mine");
}

static void
test_http_call_request_has_the_documented_shape(void **state)
{
    struct call call;

    (void)state;
    (void)setenv("REEVE_SECRET_HOOK_ROLE", "role-token", 1);
    wiped_forget();
    call = begin_with("{\"method\": \"POST\", \"url\": \"https://example.org/x\", \"headers\": {\"X-Custom-Header\": \"value\"},"
                      " \"body\": {\"data\": \"value\"},"
                      " \"secret_headers\": {\"Authorization\": {\"secret\": \"hook_role\", \"prefix\": \"Bearer \"}}}",
        "{\"data\": \"value\"}", "{\"named\": {\"hook_role\": null}}");
    assert_int_equal(call.step, CHANNEL_SEND);
    assert_string_equal(call.request.method, "POST");
    assert_string_equal(call.request.url, "https://example.org/x");
    assert_false(call.request.is_trusted);
    assert_false(call.request.is_repeatable);
    assert_int_equal(call.request.header_count, 4);
    assert_string_equal(call_header(&call, "X-Custom-Header"), "value");
    assert_string_equal(call_header(&call, "Authorization"), "Bearer role-token");
    assert_string_equal(call_header(&call, "Content-Type"), "application/json");
    assert_string_equal(call_header(&call, "Idempotency-Key"), "key");
    assert_string_equal(call.request.body, "{\"data\": \"value\"}"); /* the exact text of the database */
    assert_true(was_wiped("Bearer role-token\n"));
    assert_true(was_wiped("\nrole-token\n"));
    (void)unsetenv("REEVE_SECRET_HOOK_ROLE");
    call_end(&call);
}

static void
test_http_call_methods_and_their_bodies(void **state)
{
    static const struct {
        const char *method; /* as JSON */
        const char *sent;
        bool has_body;
        bool is_repeatable;
    } methods[] = {
        {"\"GET\"", "GET", false, true},
        {"\"HEAD\"", "HEAD", false, true},
        {"\"POST\"", "POST", true, false},
        {"\"PUT\"", "PUT", true, true},
        {"\"PATCH\"", "PATCH", true, false},
        {"\"DELETE\"", "DELETE", false, true},
        {"null", "POST", true, false},
    };
    struct call call = begin("{\"url\": \"https://x.example/\"}", NULL);

    (void)state;
    assert_string_equal(call.request.method, "GET");
    call_end(&call);
    for (size_t i = 0; i < LENGTH(methods); i++) {
        char *payload = must_format("{\"url\": \"https://x.example/\", \"method\": %s, \"body\": 1}", methods[i].method);

        call = begin(payload, "1");
        assert_string_equal(call.request.method, methods[i].sent);
        assert_int_equal(call.request.body != NULL, methods[i].has_body);
        assert_int_equal(call_header(&call, "Content-Type") != NULL, methods[i].has_body);
        assert_int_equal(call.request.is_repeatable, methods[i].is_repeatable);
        assert_int_equal(call_header(&call, "Idempotency-Key") == NULL,
            strcmp(methods[i].sent, "GET") == 0 || strcmp(methods[i].sent, "HEAD") == 0);
        call_end(&call);
        free(payload);
    }
}

static void
test_http_call_text_is_sent_as_it_is_and_a_given_type_is_kept(void **state)
{
    struct call call = begin("{\"url\": \"https://x.example/\", \"body\": \"a=1\"}", "a=1");

    (void)state;
    assert_string_equal(call.request.body, "a=1");
    assert_null(call_header(&call, "Content-Type"));
    call_end(&call);
    call = begin("{\"url\": \"https://x.example/\", \"headers\": {\"content-TYPE\": \"text/csv\"}, \"body\": [1]}", "[1]");
    assert_int_equal(call.request.header_count, 2);
    assert_string_equal(call_header(&call, "Content-Type"), "text/csv");
    call_end(&call);
    call = begin("{\"url\": \"https://x.example/\", \"headers\": {\"idempotency-KEY\": \"mine\"}, \"body\": 1}", "1");
    assert_string_equal(call_header(&call, "Idempotency-Key"), "mine");
    assert_int_equal(call.request.header_count, 2);
    call_end(&call);
}

static void
test_http_call_payloads_that_cannot_be_sent_are_not_sent(void **state)
{
    (void)state;
    assert_not_sent("{}", NULL, "http payload: missing \"url\"");
    assert_not_sent("{\"url\": null}", NULL, "http payload: missing \"url\"");
    assert_not_sent("{\"url\": \"https://x\", \"method\": \"TRACE\"}", NULL, "http payload: unknown method \"TRACE\"");
    assert_not_sent("{\"url\": \"https://x\", \"method\": \"get\"}", NULL, "http payload: unknown method \"get\"");
    assert_not_sent(
        "{\"url\": \"https://x\", \"method\": \"GET\\r\\nX: y\"}", NULL, "http payload: unknown method \"GET  X: y\"");
    assert_not_sent("{\"url\": \"https://x\", \"headers\": []}", NULL, "http payload: \"headers\" is not an object");
    assert_not_sent("{\"url\": \"https://x\", \"headers\": {\"X\": 1}}", NULL, "http payload: header \"X\" is not a text");
    assert_not_sent("{\"url\": \"https://x\", \"headers\": {\"X\": \"a\\r\\nY: b\"}}", NULL, "line break in header \"X\"");
    assert_not_sent("{\"url\": \"https://x\", \"headers\": {\"X: y\\r\\nZ\": \"a\"}}", NULL, "header name is not a token");
    assert_not_sent("{\"url\": \"https://x\", \"headers\": {\"\": \"a\"}}", NULL, "header name is not a token");
    assert_not_sent(
        "{\"url\": \"https://x\", \"headers\": {\"hOst\": \"y\"}}", NULL, "http payload: header \"hOst\" cannot be chosen");
    assert_not_sent("{\"url\": \"https://x\", \"headers\": {\"Content-Length\": \"0\"}}", NULL,
        "http payload: header \"Content-Length\" cannot be chosen");
    assert_not_sent("{\"url\": \"https://x\", \"headers\": {\"Transfer-Encoding\": \"chunked\"}}", NULL,
        "http payload: header \"Transfer-Encoding\" cannot be chosen");
    assert_not_sent("{\"url\": \"https://x\", \"sign\": {}}", NULL, "the signing secret is gone");
}

static void
test_http_call_is_not_sent_without_its_secrets(void **state)
{
    static const char permitted[] = "{\"named\": {\"no_such_secret\": null, \"broken\": null}}";

    (void)state;
    (void)setenv("REEVE_SECRET_BROKEN", "a\r\nX-Evil: 1", 1);
    assert_not_sent_with("{\"url\": \"https://x\", \"secret_headers\": {\"A\": {\"secret\": \"no_such_secret\"}}}", permitted,
        "secret \"no_such_secret\" not found", "payload");
    assert_not_sent("{\"url\": \"https://x\", \"secret_headers\": {\"A\": {}}}", NULL, "secret \"\" not found");
    assert_not_sent("{\"url\": \"https://x\", \"secret_headers\": {\"A\": \"broken\"}}", NULL, "secret \"\" not found");
    assert_not_sent_with("{\"url\": \"https://x\", \"secret_headers\": {\"A\": {\"secret\": \"broken\"}}}", permitted,
        "line break in header \"A\"", "payload");
    assert_not_sent_with("{\"url\": \"https://x\", \"secret_headers\": [{\"secret\": \"broken\"}]}", permitted,
        "http payload: \"secret_headers\" is not an object", "payload");
    assert_not_sent_with("{\"url\": \"https://x\", \"secret_headers\": {\"Host\": {\"secret\": \"broken\"}}}", permitted,
        "http payload: header \"Host\" cannot be chosen", "payload");
    (void)unsetenv("REEVE_SECRET_BROKEN");
}

static void
test_http_call_uses_only_secrets_that_the_database_permits(void **state)
{
    static const char header[] = "{\"url\": \"https://x\", \"secret_headers\": {\"A\": {\"secret\": \"mine\"}}}";
    static const char signature[] = "{\"url\": \"https://x\", \"sign\": {\"secret\": \"mine\"}}";
    static const char *const unsaid[] = {NULL, "{}", "{\"named\": {}}", "{\"named\": {\"other\": null}}"};

    (void)state;
    (void)setenv("REEVE_SECRET_MINE", "own-value", 1);
    (void)setenv("REEVE_SECRET_SERVICE_ROLE", "own-role", 1);
    for (size_t i = 0; i < LENGTH(unsaid); i++) {
        assert_not_sent_with(header, unsaid[i], "secret \"mine\" not found", "payload");
        assert_not_sent_with(signature, unsaid[i], "secret \"mine\" not found", "payload");
    }
    assert_not_sent_with(
        header, "{\"problem\": \"secret \\\"mine\\\" has no record\"}", "secret \"mine\" has no record", "policy");
    assert_not_sent_with(header, "{\"named\": {}, \"vault_problem\": \"the vault cannot be read: no\"}",
        "secret \"mine\" not found: the vault cannot be read: no", "payload");
    assert_not_sent_with(header, "{\"named\": {\"mine\": {\"sealed\": \"reeve:v1:AAAA\"}}}",
        "secret \"mine\" is sealed, and the worker has no REEVE_VAULT_KEY", "payload");
    /* Not even if it is there: these belong to edge functions. */
    assert_not_sent_with("{\"url\": \"https://x\", \"secret_headers\": {\"A\": {\"secret\": \"service_role\"}}}",
        "{\"named\": {\"service_role\": null}}", "secret \"service_role\" not found", "payload");
    assert_not_sent_with("{\"url\": \"https://x\", \"sign\": {\"secret\": \"consumer_edge_base\"}}",
        "{\"named\": {\"consumer_edge_base\": \"https://x\"}}", "secret \"consumer_edge_base\" not found", "payload");
    (void)unsetenv("REEVE_SECRET_MINE");
    (void)unsetenv("REEVE_SECRET_SERVICE_ROLE");
}

static void
test_http_call_payload_does_not_make_it_a_job_or_an_edge_function(void **state)
{
    struct call call = begin_with(
        "{\"url\": \"/name\", \"base\": \"consumer_edge_base\", \"job\": true, \"token\": true, \"edge\": true}", NULL,
        "{\"named\": {\"consumer_edge_base\": \"https://edge.example/\", \"service_role\": \"role\"}}");

    (void)state;
    assert_string_equal(call.request.url, "/name"); /* which the outbound policy refuses */
    assert_false(call.request.is_trusted);
    assert_int_equal(call.request.header_count, 0);
    call_end(&call);
}

static void
test_http_call_edge_function_is_below_its_base_and_judged_like_all_others(void **state)
{
    static const char secrets[] =
        "{\"job\": true, \"edge\": true, \"named\": {\"consumer_edge_base\": \"https://edge.example/fn/\","
        " \"service_role\": \"role-value\"}}";
    struct call call = begin_with("{\"method\": \"POST\", \"url\": \"/name?a=1\"}", "{}", secrets);

    (void)state;
    assert_string_equal(call.request.url, "https://edge.example/fn/name?a=1");
    assert_false(call.request.is_trusted);
    assert_string_equal(call_header(&call, "Authorization"), "Bearer role-value");
    call_end(&call);
    call = begin_with("{\"url\": \"/name\", \"headers\": {\"authorization\": \"mine\"}}", NULL, secrets);
    assert_string_equal(call_header(&call, "Authorization"), "mine");
    call_end(&call);
    call = begin_with("{\"url\": \"/name\"}", NULL,
        "{\"job\": true, \"edge\": true, \"token\": \"token-value\", \"named\": {\"consumer_edge_base\": "
        "\"https://edge.example\"}}");
    assert_string_equal(call_header(&call, "Authorization"), "Bearer token-value");
    call_end(&call);
    assert_not_sent_with("{\"url\": \"/../admin\"}", secrets, "url could lead out of the base of edge functions", "policy");
    assert_not_sent_with(
        "{\"url\": \"@169.254.169.254/x\"}", secrets, "url could lead out of the base of edge functions", "policy");
    assert_not_sent_with(
        "{\"url\": \"https://evil.example/\"}", secrets, "url could lead out of the base of edge functions", "policy");
}

static void
test_http_call_a_signature_stands_alone(void **state)
{
    struct call call = begin_with(
        "{\"url\": \"https://x\", \"headers\": {\"x-hmac-signature\": \"forged\"}, \"sign\": {\"secret\": null}}", "{}",
        "{\"job\": true, \"signing\": \"63616e6172792d76616c7565\"}");
    int count = 0;

    (void)state;
    assert_int_equal(call.step, CHANNEL_SEND);
    for (int i = 0; i < call.request.header_count; i++)
        count += strncasecmp(call.request.headers[i], "X-HMAC-Signature:", 17) == 0;
    assert_int_equal(count, 1);
    assert_string_not_equal(call_header(&call, "X-HMAC-Signature"), "forged");
    call_end(&call);
}

static void
test_http_call_answer_that_repeats_a_secret_is_masked(void **state)
{
    static const char *const kinds[] = {
        "{\"job\": true, \"edge\": true, \"token\": \"canary-value\", \"named\": {\"consumer_edge_base\": "
        "\"https://e.example\"}}",
        "{\"job\": true, \"edge\": true, \"named\": {\"consumer_edge_base\": \"https://e.example\", \"service_role\": "
        "\"canary-value\"}}",
        "{\"named\": {\"x\": \"canary-value\"}}",
        "{\"job\": true, \"signing\": \"63616e6172792d76616c7565\"}",
    };
    static const char *const payloads[] = {
        "{\"url\": \"/n\"}",
        "{\"url\": \"/n\"}",
        "{\"url\": \"https://x\", \"secret_headers\": {\"A\": {\"secret\": \"x\"}}}",
        "{\"url\": \"https://x\", \"sign\": {\"secret\": null}}",
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(kinds); i++) {
        struct call call = begin_with(payloads[i], NULL, kinds[i]);

        call_take(
            &call, (struct http_answer){.end = HTTP_ANSWERED, .status = 500}, "a canary-value b", 16, "x-said: canary-value\n");
        assert_outcome(&call, "answered",
            "{\"status\": 500, \"headers\": {\"x-said\": \"***\"}, \"body\": \"a *** b\", \"truncated\": false, \"took_ms\": 0}",
            NULL, "server");
        call_end(&call);
        call = begin_with(payloads[i], NULL, kinds[i]);
        call_lose(&call, HTTP_UNSENT, "they said canary-value");
        assert_outcome(&call, "failed", NULL, "they said ***", "network");
        call_end(&call);
    }
}

static void
test_http_call_every_answer_is_given_to_the_database(void **state)
{
    static const struct {
        int status;
        const char *error_class;
    } answers[] = {{200, NULL}, {201, NULL}, {204, NULL}, {299, NULL}, {301, "refused"}, {304, "refused"}, {400, "refused"},
        {404, "refused"}, {408, "server"}, {410, "refused"}, {425, "server"}, {429, "rate_limited"}, {500, "server"},
        {502, "server"}, {503, "server"}, {999, "server"}};

    (void)state;
    for (size_t i = 0; i < LENGTH(answers); i++) {
        struct call call = begin("{\"url\": \"https://x.example/\"}", NULL);
        char *result = must_format(
            "{\"status\": %d, \"headers\": {}, \"body\": \"{}\", \"truncated\": false, \"took_ms\": 12}", answers[i].status);

        call_answer(&call, answers[i].status, "{}");
        assert_outcome(&call, "answered", result, NULL, answers[i].error_class);
        call_end(&call);
        free(result);
    }
}

static void
test_http_call_result_has_the_headers_and_says_what_is_missing(void **state)
{
    struct call call = begin("{\"url\": \"https://x.example/\"}", NULL);

    (void)state;
    call_take(&call, (struct http_answer){.end = HTTP_ANSWERED, .status = 200, .is_truncated = true, .took_ms = 3}, "part", 4,
        "content-type: application/json\nx-odd:  a\xff\x01\nno colon\nx-empty:\n\xff\xfe: 1\nset-cookie: a\n");
    assert_outcome(&call, "answered",
        "{\"status\": 200, \"headers\": {\"content-type\": \"application/json\", \"x-odd\": \"a\xef\xbf\xbd\\u0001\","
        " \"x-empty\": \"\", \"set-cookie\": \"a\"}, \"body\": \"part\", \"truncated\": true, \"took_ms\": 3}",
        NULL, NULL);
    call_end(&call);
}

static void
test_http_call_foreign_bytes_are_cleaned(void **state)
{
    struct call call = begin("{\"url\": \"https://x.example/\"}", NULL);

    (void)state;
    call_take(&call, (struct http_answer){.end = HTTP_ANSWERED, .status = 200}, "a\0b\xff\xed\xa0\x80", 7, "");
    assert_outcome(&call, "answered",
        "{\"status\": 200, \"headers\": {}, \"body\": \"a\xef\xbf\xbd"
        "b\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\","
        " \"truncated\": false, \"took_ms\": 0}",
        NULL, NULL);
    call_end(&call);
}

/* The size of a result as the database will write it: with a space after each colon and comma
 * between values. */
static size_t
stored_bytes(const char *result)
{
    json_t *value = json_loads(result, 0, NULL);
    char *text = json_dumps(value, 0);
    size_t length = strlen(text);

    json_decref(value);
    free(text);
    return length;
}

static void
test_http_call_result_fits_a_fact_whatever_was_answered(void **state)
{
    static const char *const bytes[] = {"a", "\x01", "\"", "\\", "\n", "\xff", "\xc3\xa9", "\xf0\x9f\x98\x80"};
    char *body = must_alloc(BOUND_BODY_BYTES + 1);
    char *headers = must_alloc(BOUND_HEADER_BYTES + 1);

    (void)state;
    for (size_t i = 0; i < LENGTH(bytes); i++) {
        size_t width = strlen(bytes[i]);
        struct call call = begin("{\"url\": \"https://x.example/\"}", NULL);
        json_t *result;
        const char *kept;

        for (size_t at = 0; at < BOUND_BODY_BYTES; at++)
            body[at] = bytes[i][at % width];
        memcpy(headers, body, BOUND_HEADER_BYTES);
        for (size_t at = 0; at < BOUND_HEADER_BYTES; at += 2048)
            memcpy(headers + at, "\nx-header-000: ", 15);
        for (size_t at = 0; at < BOUND_HEADER_BYTES; at += 2048)
            headers[at + 12] = (char)('a' + at / 2048);
        call_take(&call, (struct http_answer){.end = HTTP_ANSWERED, .status = 200}, body, BOUND_BODY_BYTES, headers);
        assert_true(stored_bytes(call.outcome.result) <= 65536);
        result = json_loads(call.outcome.result, 0, NULL);
        assert_int_equal(json_integer_value(json_object_get(result, "status")), 200);
        assert_true(json_is_true(json_object_get(result, "truncated")));
        kept = json_string_value(json_object_get(result, "body"));
        assert_true(strlen(kept) >= 8000);
        assert_true(json_object_size(json_object_get(result, "headers")) > 0);
        json_decref(result);
        call_end(&call);
    }
    free(body);
    free(headers);
}

static void
test_http_call_without_an_answer_is_classified(void **state)
{
    struct call call = begin("{\"url\": \"https://x.example/?token=secret\"}", NULL);

    (void)state;
    call_lose(&call, HTTP_IN_DOUBT, "no answer of \"x.example\" in time");
    assert_outcome(&call, "in_doubt", NULL, "in doubt: no answer of \"x.example\" in time", "in_doubt");
    call_end(&call);
    call = begin("{\"url\": \"http://127.0.0.1/\"}", NULL);
    call_lose(&call, HTTP_REFUSED, "outbound request refused: x");
    assert_outcome(&call, "failed", NULL, "outbound request refused: x", "policy");
    call_end(&call);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_http_call_carries_the_trace_unless_it_has_its_own),
        cmocka_unit_test(test_http_call_request_has_the_documented_shape),
        cmocka_unit_test(test_http_call_methods_and_their_bodies),
        cmocka_unit_test(test_http_call_text_is_sent_as_it_is_and_a_given_type_is_kept),
        cmocka_unit_test(test_http_call_payloads_that_cannot_be_sent_are_not_sent),
        cmocka_unit_test(test_http_call_is_not_sent_without_its_secrets),
        cmocka_unit_test(test_http_call_uses_only_secrets_that_the_database_permits),
        cmocka_unit_test(test_http_call_payload_does_not_make_it_a_job_or_an_edge_function),
        cmocka_unit_test(test_http_call_edge_function_is_below_its_base_and_judged_like_all_others),
        cmocka_unit_test(test_http_call_a_signature_stands_alone),
        cmocka_unit_test(test_http_call_answer_that_repeats_a_secret_is_masked),
        cmocka_unit_test(test_http_call_every_answer_is_given_to_the_database),
        cmocka_unit_test(test_http_call_result_has_the_headers_and_says_what_is_missing),
        cmocka_unit_test(test_http_call_foreign_bytes_are_cleaned),
        cmocka_unit_test(test_http_call_result_fits_a_fact_whatever_was_answered),
        cmocka_unit_test(test_http_call_without_an_answer_is_classified),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
