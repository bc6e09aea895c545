/* Requests and answers as values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "http/http_request.h"

#include "wiped.h"

static void
test_request_header_is_one_line_of_name_and_value(void **state)
{
    struct http_request request;

    (void)state;
    http_request_init(&request);
    assert_true(http_request_header(&request, "X-A", "b c", NULL));
    assert_true(http_request_header(&request, "!#$%&'*+-.^_`|~09Az", "caf\xc3\xa9;\t,\"", NULL));
    assert_string_equal(request.headers[0], "X-A: b c");
    assert_string_equal(request.headers[1], "!#$%&'*+-.^_`|~09Az: caf\xc3\xa9;\t,\"");
    http_request_release(&request);
}

static void
test_request_empty_header_is_sent_empty_not_removed(void **state)
{
    struct http_request request;

    (void)state;
    http_request_init(&request);
    assert_true(http_request_header(&request, "X-Empty", "", NULL));
    assert_string_equal(request.headers[0], "X-Empty;"); /* "X-Empty:" would tell libcurl to leave it out */
    http_request_release(&request);
}

static void
test_request_refuses_line_breaks_in_values_and_says_where(void **state)
{
    static const char *const values[] = {"a\r\nX-Evil: 1", "a\nb", "a\rb", "\n", "a\r\n", "\r"};
    struct http_request request;
    struct err err;

    (void)state;
    http_request_init(&request);
    for (size_t i = 0; i < LENGTH(values); i++) {
        assert_false(http_request_header(&request, "X-A", values[i], &err));
        assert_string_equal(err.message, "line break in header \"X-A\"");
        assert_int_equal(err.kind, ERR_REFUSED);
    }
    assert_int_equal(request.header_count, 0);
    http_request_release(&request);
}

static void
test_request_refuses_control_characters_in_values(void **state)
{
    static const char *const values[] = {"a\x01", "\x08z", "\x1b[2J", "\x0b", "\x7f", "a\xc2\x85z", "\xc2\x9b", "a\xc2\x80"};
    struct http_request request;
    struct err err;

    (void)state;
    http_request_init(&request);
    for (size_t i = 0; i < LENGTH(values); i++) {
        assert_false(http_request_header(&request, "X-A", values[i], &err));
        assert_string_equal(err.message, "control character in header \"X-A\"");
    }
    assert_true(http_request_header(&request, "X-A", "tab\tand \xff latin \xc2\xa0", NULL));
    assert_int_equal(request.header_count, 1);
    http_request_release(&request);
}

static void
test_request_refuses_names_that_are_no_tokens(void **state)
{
    static const char *const names[] = {"", " ", "X A", "X:A", "X-A:", "X\r\nY", "X\n", "(x)", "x@y", "x/y", "x=y", "x;", "x,y",
        "x\"", "caf\xc3\xa9", "x\x7f", "x\x01", "{x}", "[x]", "x\\y", "<x>", "?"};
    struct http_request request;
    char long_name[130];
    struct err err;

    (void)state;
    http_request_init(&request);
    for (size_t i = 0; i < LENGTH(names); i++) {
        assert_false(http_request_header(&request, names[i], "v", &err));
        assert_string_equal(err.message, "header name is not a token");
    }
    memset(long_name, 'x', sizeof(long_name));
    long_name[129] = '\0';
    assert_false(http_request_header(&request, long_name, "v", &err));
    long_name[128] = '\0';
    assert_true(http_request_header(&request, long_name, "v", &err));
    http_request_release(&request);
}

static void
test_request_has_room_for_64_headers_of_64_kib(void **state)
{
    struct http_request request;
    char *value = must_alloc(BOUND_HEADER_BYTES + 2);
    struct err err;

    (void)state;
    http_request_init(&request);
    memset(value, 'v', BOUND_HEADER_BYTES + 1);
    assert_false(http_request_header(&request, "X-A", value, &err));
    assert_int_equal(err.kind, ERR_LIMIT);
    value[BOUND_HEADER_BYTES] = '\0';
    for (int i = 0; i < HTTP_HEADERS; i++)
        assert_true(http_request_header(&request, "X-A", i == 0 ? value : "v", &err));
    assert_false(http_request_header(&request, "X-A", "v", &err));
    assert_int_equal(err.kind, ERR_LIMIT);
    assert_int_equal(request.header_count, HTTP_HEADERS);
    free(value);
    http_request_release(&request);
}

static void
test_request_keeps_a_body_of_any_bytes(void **state)
{
    struct http_request request;

    (void)state;
    http_request_init(&request);
    http_request_start(&request, "DELETE", "https://example.com/", true);
    http_request_body(&request, "a\0b", 3);
    assert_string_equal(request.method, "DELETE");
    assert_true(request.is_trusted);
    assert_int_equal(request.timeout_ms, BOUND_CALL_MS);
    assert_int_equal(request.body_length, 3);
    assert_memory_equal(request.body, "a\0b", 4);
    http_request_release(&request);
}

static void
test_request_release_wipes_what_may_be_secret_and_can_be_repeated(void **state)
{
    struct http_request request;

    (void)state;
    http_request_init(&request);
    http_request_start(&request, "POST", "https://example.com/?token=of-url", false);
    assert_true(http_request_header(&request, "Authorization", "Bearer of-header", NULL));
    request.user = must_strdup("of-user");
    request.password = must_strdup("of-password");
    request.mail_from = must_strdup("<a@x>");
    request.mail_to = must_strdup("<b@y>");
    wiped_forget();
    http_request_release(&request);
    assert_true(was_wiped("Authorization: Bearer of-header\n"));
    assert_true(was_wiped("https://example.com/?token=of-url\n"));
    assert_true(was_wiped("of-user\n"));
    assert_true(was_wiped("of-password\n"));
    assert_null(request.url);
    assert_null(request.password);
    assert_int_equal(request.header_count, 0);
    http_request_release(&request);
}

static struct http_answer
answer_with(struct buf *head, const char *text)
{
    buf_init(head, 4096);
    buf_puts(head, text);
    return (struct http_answer){.headers = head};
}

static void
test_answer_header_is_found_by_its_whole_name(void **state)
{
    struct buf head;
    struct http_answer answer = answer_with(&head, "retry-after-x: 1\nretry: 2\nretry-after: \t 30\nempty:\nlast: z");
    const char *value;
    size_t length = 0;

    (void)state;
    value = http_answer_header(&answer, "retry-after", &length);
    assert_int_equal(length, 2);
    assert_memory_equal(value, "30", 2);
    assert_non_null(http_answer_header(&answer, "empty", &length));
    assert_int_equal(length, 0);
    value = http_answer_header(&answer, "last", &length);
    assert_int_equal(length, 1);
    assert_memory_equal(value, "z", 1);
    assert_null(http_answer_header(&answer, "retry-aft", &length));
    assert_null(http_answer_header(&answer, "z", &length));
    buf_release(&head);
    assert_null(http_answer_header(&(struct http_answer){0}, "a", &length));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_request_header_is_one_line_of_name_and_value),
        cmocka_unit_test(test_request_empty_header_is_sent_empty_not_removed),
        cmocka_unit_test(test_request_refuses_line_breaks_in_values_and_says_where),
        cmocka_unit_test(test_request_refuses_control_characters_in_values),
        cmocka_unit_test(test_request_refuses_names_that_are_no_tokens),
        cmocka_unit_test(test_request_has_room_for_64_headers_of_64_kib),
        cmocka_unit_test(test_request_keeps_a_body_of_any_bytes),
        cmocka_unit_test(test_request_release_wipes_what_may_be_secret_and_can_be_repeated),
        cmocka_unit_test(test_answer_header_is_found_by_its_whole_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
