/* Lines between this program and a child. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "program/lines.h"
#include "program/program_private.h"
#include "program/protocol.h"

static bool
reads(const char *line, struct protocol_message *message)
{
    struct err err;

    return protocol_read(line, strlen(line), message, &err);
}

static void
test_hello_names_types_and_places(void **state)
{
    struct protocol_message message;

    (void)state;
    assert_true(reads("{\"hello\":1,\"types\":[\"resize_image\",\"b2\"],\"at_once\":10}", &message));
    assert_int_equal(message.kind, PROTOCOL_HELLO);
    assert_string_equal(message.types, "{\"resize_image\",\"b2\"}");
    assert_int_equal(message.at_once, 10);
    protocol_message_release(&message);
    assert_true(reads("{\"hello\":1,\"types\":[\"a\"]}", &message));
    assert_int_equal(message.at_once, 1);
    protocol_message_release(&message);
}

static void
test_a_wrong_hello_is_refused(void **state)
{
    static const char *const lines[] = {"{\"hello\":2,\"types\":[\"a\"]}", "{\"hello\":1}", "{\"hello\":1,\"types\":[]}",
        "{\"hello\":1,\"types\":[\"A\"]}", "{\"hello\":1,\"types\":[\"a,b\"]}", "{\"hello\":1,\"types\":[1]}",
        "{\"hello\":1,\"types\":[\"a\"],\"at_once\":0}", "{\"hello\":1,\"types\":[\"a\"],\"at_once\":1001}",
        "{\"hello\":1,\"types\":[\"a\"],\"at_once\":\"1\"}"};
    struct protocol_message message;

    (void)state;
    for (size_t i = 0; i < LENGTH(lines); i++)
        assert_false(reads(lines[i], &message));
}

static void
test_a_result_keeps_the_text_of_the_child(void **state)
{
    static const struct {
        const char *line, *value;
    } cases[] = {
        {"{\"id\":\"17\",\"result\":{\"a\":0.10,\"b\":[1,\"}\\\"]\"]}}", "{\"a\":0.10,\"b\":[1,\"}\\\"]\"]}"},
        {" { \"result\" : 1.500 , \"id\" : \"17\" } ", "1.500"},
        {"{\"other\":{\"result\":1},\"id\":\"17\",\"result\":null}", "null"},
        {"{\"id\":\"17\",\"result\":\"a, b\" }", "\"a, b\""},
        {"{\"id\":\"17\",\"x\":\"result\",\"result\":[ ]}", "[ ]"},
    };
    struct protocol_message message;

    (void)state;
    for (size_t i = 0; i < LENGTH(cases); i++) {
        assert_true(reads(cases[i].line, &message));
        assert_int_equal(message.kind, PROTOCOL_RESULT);
        assert_int_equal(message.id, 17);
        assert_string_equal(message.value, cases[i].value);
        protocol_message_release(&message);
    }
}

static void
test_a_failure_says_whether_it_is_final(void **state)
{
    struct protocol_message message;

    (void)state;
    assert_true(reads("{\"id\":\"1\",\"error\":\"no\"}", &message));
    assert_int_equal(message.kind, PROTOCOL_FAILURE);
    assert_string_equal(message.error, "no");
    assert_false(message.is_final);
    assert_true(message.retry_after < 0);
    protocol_message_release(&message);
    assert_true(reads("{\"id\":\"1\",\"error\":\"no\",\"final\":true,\"retry_after\":1e99}", &message));
    assert_true(message.is_final);
    assert_true(message.retry_after == BOUND_RETRY_AFTER_S);
    protocol_message_release(&message);
    assert_false(reads("{\"id\":\"1\",\"error\":5}", &message));
    assert_false(reads("{\"id\":\"1\",\"error\":\"no\",\"final\":\"yes\"}", &message));
    assert_false(reads("{\"id\":\"1\",\"error\":\"no\",\"retry_after\":-1}", &message));
}

static void
test_garbage_is_refused(void **state)
{
    static const char *const lines[] = {"", "x", "[]", "1", "{}", "{\"id\":\"1\"}", "{\"id\":1,\"result\":1}",
        "{\"id\":\"0\",\"result\":1}", "{\"id\":\"1x\",\"result\":1}", "{\"id\":\"1\",\"result\":\"\\u0000\"}",
        "{\"id\":\"1\",\"id\":\"1\",\"result\":1}", "{\"id\":\"1\",\"result\":1} x", "{\"id\":\"1\",\"result\":1e999}",
        "{\"id\":\"1\",\"r\\u0065sult\":1}"};
    struct protocol_message message;

    (void)state;
    for (size_t i = 0; i < LENGTH(lines); i++)
        assert_false(reads(lines[i], &message));
}

static void
test_a_task_is_one_line(void **state)
{
    struct carrier_task task = {
        .id = 17, .type = "greet", .payload = "{\"a\": 1}", .key = "k\"\n", .attempt = 2, .timeout_ms = 1500};
    struct buf line;

    (void)state;
    buf_init(&line, 1000);
    protocol_write_task(&line, &task, 100.25);
    assert_string_equal(line.text,
        "{\"id\":\"17\",\"type\":\"greet\",\"attempt\":2,\"key\":\"k\\\"\\u000a\",\"deadline\":100.250,\"timeout\":1.500,"
        "\"traceparent\":null,\"payload\":{\"a\": 1}}\n");
    buf_clear(&line);
    task.timeout_ms = 0;
    task.traceparent = "00-a-b-01";
    protocol_write_task(&line, &task, 0);
    assert_non_null(strstr(line.text, "\"deadline\":null,\"timeout\":null,\"traceparent\":\"00-a-b-01\",\"payload\":{"));
    buf_release(&line);
}

struct seen {
    int lines;
    int over;
    char last[64];
};

static bool
see(void *cookie, const char *text, size_t length)
{
    struct seen *seen = cookie;

    seen->lines++;
    seen->over += text == NULL;
    (void)snprintf(seen->last, sizeof(seen->last), "%.*s", (int)length, text == NULL ? "" : text);
    return true;
}

static void
test_lines_are_cut_wherever_the_bytes_come(void **state)
{
    struct seen seen = {0};
    struct lines lines;

    (void)state;
    lines_init(&lines, 8);
    lines_take(&lines, "one\ntw", 6, see, &seen);
    assert_int_equal(seen.lines, 1);
    assert_string_equal(seen.last, "one");
    assert_true(lines_are_broken(&lines));
    lines_take(&lines, "o\n", 2, see, &seen);
    assert_string_equal(seen.last, "two");
    assert_false(lines_are_broken(&lines));
    lines_take(&lines, "123456789", 9, see, &seen);
    assert_int_equal(seen.lines, 3); /* reported before its line break */
    lines_take(&lines, "0\nok\n", 5, see, &seen);
    assert_int_equal(seen.lines, 4);
    assert_int_equal(seen.over, 1);
    assert_string_equal(seen.last, "ok");
    lines_release(&lines);
}

static void
test_output_keeps_the_latest_bytes(void **state)
{
    struct output output;
    char *text;

    (void)state;
    assert_true(log_set_level("error"));
    output_init(&output);
    for (int i = 0; i < 40000; i++)
        output_take(&output, i % 2, "0123456789\n", 11, 1, 0);
    output_take(&output, 1, "the end\n", 8, 1, 0);
    text = output_last_words(&output);
    assert_non_null(strstr(text, "the end"));
    assert_true(strlen(text) <= BOUND_CHILD_WORDS_BYTES);
    free(text);
    text = output_result(&output, true, 2.5);
    assert_true(strlen(text) <= BOUND_CHILD_OUTPUT_BYTES && strlen(text) > BOUND_CHILD_OUTPUT_BYTES / 2);
    assert_non_null(strstr(text, "\"retry_after\": 2.500"));
    free(text);
    assert_null(output_result(&output, false, -1));
    output_release(&output);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hello_names_types_and_places),
        cmocka_unit_test(test_a_wrong_hello_is_refused),
        cmocka_unit_test(test_a_result_keeps_the_text_of_the_child),
        cmocka_unit_test(test_a_failure_says_whether_it_is_final),
        cmocka_unit_test(test_garbage_is_refused),
        cmocka_unit_test(test_a_task_is_one_line),
        cmocka_unit_test(test_lines_are_cut_wherever_the_bytes_come),
        cmocka_unit_test(test_output_keeps_the_latest_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
