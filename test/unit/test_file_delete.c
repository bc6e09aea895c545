/* Deleting a file: the signed URL, then the DELETE. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "calls.h"
#include "wiped.h"

#define PAYLOAD "{\"file_id\": 987, \"bucket\": \"b\", \"object_key\": \"k\", \"mime_type\": \"audio/mp4\"}"
#define SIGNED "https://storage.example/obj?sig=credential"

static struct call
begin(const char *payload, const char *hosts)
{
    return call_begin(
        set_of((struct channel_options){
            .file_service_url = "http://files.internal:8080/", .file_service_key = "k", .file_delete_hosts = hosts}),
        "file_delete", payload, NULL, "key");
}

/* The call up to its second request. */
static struct call
begin_delete(void)
{
    struct call call = begin(PAYLOAD, NULL);

    call_answer(&call, 200, "{\"url\": \"" SIGNED "\"}");
    assert_int_equal(call.step, CHANNEL_SEND);
    return call;
}

static void
test_file_delete_asks_the_files_service_for_a_signed_url(void **state)
{
    struct call call = begin(PAYLOAD, NULL);

    (void)state;
    assert_int_equal(call.step, CHANNEL_SEND);
    assert_string_equal(call.request.method, "POST");
    assert_string_equal(call.request.url, "http://files.internal:8080/signed_delete_url");
    assert_true(call.request.is_trusted);
    assert_int_equal(call.request.header_count, 2);
    assert_string_equal(call_header(&call, "X-File-Service-Api-Key"), "k");
    assert_string_equal(call_header(&call, "Content-Type"), "application/json");
    assert_string_equal(call.request.body, "{\"file_id\":987}");
    call_end(&call);
}

static void
test_file_delete_sends_no_header_and_no_body_of_ours_to_the_store(void **state)
{
    struct call call = begin_delete();

    (void)state;
    assert_string_equal(call.request.method, "DELETE");
    assert_string_equal(call.request.url, SIGNED);
    assert_int_equal(call.request.header_count, 0);
    assert_null(call.request.body);
    assert_null(call.request.user);
    assert_false(call.request.is_trusted); /* the policy judges it */
    assert_true(call.request.is_repeatable);
    wiped_forget();
    call_end(&call);
    assert_true(was_wiped(SIGNED "\n"));
}

static void
test_file_delete_keeps_the_form_of_the_file_id(void **state)
{
    static const char *const ids[] = {"\"a-b\"", "9223372036854775807", "-1"};

    (void)state;
    for (size_t i = 0; i < LENGTH(ids); i++) {
        char *payload = must_format("{\"file_id\": %s}", ids[i]);
        char *question = must_format("{\"file_id\":%s}", ids[i]);
        char *result = must_format("{\"file_id\": %s, \"delete_status\": \"deleted\"}", ids[i]);
        struct call call = begin(payload, NULL);

        assert_string_equal(call.request.body, question);
        call_answer(&call, 200, "{\"url\": \"" SIGNED "\"}");
        call_answer(&call, 204, "");
        assert_outcome(&call, "succeeded", result, NULL, NULL);
        call_end(&call);
        free(payload);
        free(question);
        free(result);
    }
}

static void
test_file_delete_without_a_file_id_is_not_sent(void **state)
{
    struct call call = begin("{\"bucket\": \"b\"}", NULL);

    (void)state;
    assert_outcome(&call, "failed", NULL, "file_delete payload: missing \"file_id\"", "payload");
    call_end(&call);
}

static void
test_file_delete_answers_of_the_files_service(void **state)
{
    static const struct {
        int status;
        const char *body;
        const char *error;
        const char *error_class;
    } answers[] = {
        {403, "forbidden", "files service returned status 403", "refused"},
        {404, "file not found", "files service returned status 404", "refused"},
        {400, "invalid file_id", "files service returned status 400", "refused"},
        {405, "method not allowed", "files service returned status 405", "refused"},
        {429, "", "files service returned status 429", "rate_limited"},
        {500, "{\"url\": \"" SIGNED "\"}", "files service returned status 500", "server"},
        {302, "", "files service returned status 302", "refused"},
        {300, "", "files service returned status 300", "refused"},
        {200, "", "files service answer has no url", "server"},
        {200, "{}", "files service answer has no url", "server"},
        {200, "{\"url\": null}", "files service answer has no url", "server"},
        {200, "{\"url\": 7}", "files service answer has no url", "server"},
        {200, "{\"url\": \"\"}", "files service answer has no url", "server"},
        {200, "{\"url\": \"" SIGNED "\\u0000\"}", "files service answer has no url", "server"},
        {200, "\"" SIGNED "\"", "files service answer has no url", "server"},
        {200, "{\"url\": \"file:///etc/passwd\"}", "signed delete url refused: not an http url", "policy"},
        {200, "{\"url\": \"gopher://x/\"}", "signed delete url refused: not an http url", "policy"},
        {200, "{\"url\": \"smtp://mail.example.com/\"}", "signed delete url refused: not an http url", "policy"},
        {200, "{\"url\": \"/obj?sig\"}", "signed delete url refused: not an http url", "policy"},
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(answers); i++) {
        struct call call = begin(PAYLOAD, NULL);

        call_answer(&call, answers[i].status, answers[i].body);
        assert_outcome(&call, "failed", NULL, answers[i].error, answers[i].error_class);
        call_end(&call);
    }
}

static void
test_file_delete_goes_to_listed_hosts_only_if_there_is_a_list(void **state)
{
    static const struct {
        const char *url;
        const char *error; /* NULL: sent */
    } urls[] = {
        {"https://storage.example/x?sig", NULL},
        {"http://STORAGE.example:9000/x", NULL},
        {"https://b.example/x", NULL},
        {"https://evil.example/x?sig=credential", "signed delete url refused: host \"evil.example\""},
        {"https://storage.example.evil.example/", "signed delete url refused: host \"storage.example.evil.example\""},
        {"https://storage.example@evil.example/", "signed delete url refused: host \"evil.example\""},
        {"https://age.example/", "signed delete url refused: host \"age.example\""},
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(urls); i++) {
        struct call call = begin(PAYLOAD, "Storage.Example, b.example");
        char *body = must_format("{\"url\": \"%s\"}", urls[i].url);

        call_answer(&call, 200, body);
        if (urls[i].error == NULL)
            assert_string_equal(call.request.url, urls[i].url);
        else
            assert_outcome(&call, "failed", NULL, urls[i].error, "policy");
        call_end(&call);
        free(body);
    }
}

static void
test_file_delete_answers_of_the_store(void **state)
{
    static const struct {
        int status;
        const char *outcome;
        const char *result;
        const char *error;
        const char *error_class;
    } answers[] = {
        {200, "succeeded", "{\"file_id\": 987, \"delete_status\": \"deleted\"}", NULL, NULL},
        {204, "succeeded", "{\"file_id\": 987, \"delete_status\": \"deleted\"}", NULL, NULL},
        {404, "succeeded", "{\"file_id\": 987, \"delete_status\": \"already_gone\"}", NULL, NULL},
        {410, "succeeded", "{\"file_id\": 987, \"delete_status\": \"already_gone\"}", NULL, NULL},
        {301, "failed", NULL, "delete returned status 301", "refused"},
        {403, "failed", NULL, "delete returned status 403", "refused"},
        {412, "failed", NULL, "delete returned status 412", "refused"},
        {429, "failed", NULL, "delete returned status 429", "rate_limited"},
        {500, "failed", NULL, "delete returned status 500", "server"},
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(answers); i++) {
        struct call call = begin_delete();

        call_answer(&call, answers[i].status, "<Error>sig=credential</Error>");
        assert_outcome(&call, answers[i].outcome, answers[i].result, answers[i].error, answers[i].error_class);
        call_end(&call);
    }
}

static void
test_file_delete_lost_answers_are_plain_failures(void **state)
{
    struct call call = begin(PAYLOAD, NULL);

    (void)state;
    call_lose(&call, HTTP_IN_DOUBT, "no answer of \"files.internal\" in time");
    assert_outcome(&call, "failed", NULL, "files service: no answer of \"files.internal\" in time", "network");
    call_end(&call);
    call = begin_delete();
    call_lose(&call, HTTP_IN_DOUBT, "no answer of \"storage.example\" in time");
    assert_outcome(&call, "failed", NULL, "delete: no answer of \"storage.example\" in time", "network");
    call_end(&call);
    call = begin_delete();
    call_lose(&call, HTTP_REFUSED, "outbound request refused: x");
    assert_outcome(&call, "failed", NULL, "outbound request refused: x", "policy");
    call_end(&call);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_file_delete_asks_the_files_service_for_a_signed_url),
        cmocka_unit_test(test_file_delete_sends_no_header_and_no_body_of_ours_to_the_store),
        cmocka_unit_test(test_file_delete_keeps_the_form_of_the_file_id),
        cmocka_unit_test(test_file_delete_without_a_file_id_is_not_sent),
        cmocka_unit_test(test_file_delete_answers_of_the_files_service),
        cmocka_unit_test(test_file_delete_goes_to_listed_hosts_only_if_there_is_a_list),
        cmocka_unit_test(test_file_delete_answers_of_the_store),
        cmocka_unit_test(test_file_delete_lost_answers_are_plain_failures),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
