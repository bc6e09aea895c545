/* Pages of the dashboard: the writer of HTML, the tables, and values from outside in every place of a page. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/buf.h"
#include "pages/document.h"
#include "pages/html.h"
#include "pages/page.h"
#include "pages/parts.h"

enum { BYTES = 4194304 };

static struct buf out;

static int
begin(void **state)
{
    (void)state;
    buf_init(&out, BYTES);
    return 0;
}

static int
end(void **state)
{
    (void)state;
    buf_release(&out);
    return 0;
}

static struct page_viewer
viewer_of(enum page_right right, bool is_read_only)
{
    return (struct page_viewer){.person = "ada",
        .right = right,
        .is_read_only = is_read_only,
        .token = "secret",
        .prefix = "/x",
        .path = "/tasks",
        .query = "",
        .notice = "",
        .database = "shop",
        .data_age_s = -1,
        .back = ""};
}

/* --- the writer of HTML ---------------------------------------------------------------- */

static const char *
written(const char *template, const char *value)
{
    struct page_viewer viewer = viewer_of(PAGE_ADMIN, false);
    struct html html = {.out = &out, .viewer = &viewer};

    buf_clear(&out);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    html_put(&html, template, value);
#pragma GCC diagnostic pop
    return out.text;
}

static void
test_a_text_is_escaped_where_it_stands(void **state)
{
    (void)state;
    assert_string_equal(written("<p>%s</p>", "<script>alert('1')</script>&\""),
        "<p>&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;&quot;</p>");
    assert_string_equal(written("<p title=\"%s\">x</p>", "\" onload=\"x"), "<p title=\"&quot; onload=&quot;x\">x</p>");
    assert_string_equal(written("<a href=\"~/tasks?queue=%s\">x</a>", "a&b=\"c\" /?#%"),
        "<a href=\"/x/tasks?queue=a%26b%3D%22c%22%20%2F%3F%23%25\">x</a>");
    assert_string_equal(written("<p>%s</p>", NULL), "<p></p>");
}

static void
test_an_address_that_is_a_value_is_a_path_of_ours(void **state)
{
    (void)state;
    assert_string_equal(written("<a href=\"%s\">x</a>", "/tasks?a=b&c=d"), "<a href=\"/x/tasks?a=b&amp;c=d\">x</a>");
    assert_string_equal(written("<a href=\"%s\">x</a>", "javascript:alert(1)"), "<a href=\"#\">x</a>");
    assert_string_equal(written("<a href=\"%s\">x</a>", "//example.com/"), "<a href=\"#\">x</a>");
    assert_string_equal(written("<a href=\"%s\">x</a>", "/\\example.com/"), "<a href=\"#\">x</a>");
    assert_string_equal(written("<a href=\"%s\">x</a>", "https://example.com/"), "<a href=\"#\">x</a>");
}

static void
test_characters_that_nobody_sees_are_shown(void **state)
{
    (void)state;
    assert_string_equal(written("<p>%s</p>", "a\x01z"), "<p>a<i class=\"odd\">U+0001</i>z</p>");
    assert_string_equal(written("<p>%s</p>", "a\xe2\x80\xaez"), "<p>a<i class=\"odd\">U+202E</i>z</p>");
    assert_string_equal(written("<p title=\"%s\">x</p>", "a\xe2\x80\xaez"), "<p title=\"a[U+202E]z\">x</p>");
    assert_string_equal(written("<p>%s</p>", "a\xff"), "<p>a\xef\xbf\xbd</p>");
    assert_string_equal(written("<p>%s</p>", "a\n\tb"), "<p>a\n\tb</p>");
}

static void
test_a_long_text_is_cut_between_characters(void **state)
{
    struct page_viewer viewer = viewer_of(PAGE_ADMIN, false);
    struct html html = {.out = &out, .viewer = &viewer};

    (void)state;
    buf_clear(&out);
    assert_true(html_text_cut(&html, "<<<<\xc3\xa6\xc3\xa6", 5));
    assert_string_equal(out.text, "&lt;&lt;&lt;&lt;\xc3\xa6\xe2\x80\xa6");
    buf_clear(&out);
    assert_false(html_text_cut(&html, "abc", 3));
    assert_string_equal(out.text, "abc");
}

/* --- paths ------------------------------------------------------------------------------ */

static void
test_a_path_fits_its_pattern(void **state)
{
    char operand[64];

    (void)state;
    assert_true(page_path_fits("/tasks", "/tasks", operand, sizeof(operand)));
    assert_false(page_path_fits("/tasks", "/tasks/", operand, sizeof(operand)));
    assert_true(page_path_fits("/tasks/{#}", "/tasks/4711", operand, sizeof(operand)));
    assert_string_equal(operand, "4711");
    assert_false(page_path_fits("/tasks/{#}", "/tasks/4711a", operand, sizeof(operand)));
    assert_false(page_path_fits("/tasks/{#}", "/tasks/", operand, sizeof(operand)));
    assert_false(page_path_fits("/tasks/{#}", "/tasks/1234567890123456789", operand, sizeof(operand)));
    assert_true(page_path_fits("/queues/{}/pause", "/queues/a%2Fb%20%C3%A6/pause", operand, sizeof(operand)));
    assert_string_equal(operand, "a/b \xc3\xa6");
    assert_false(page_path_fits("/queues/{}/pause", "/queues/a/b/pause", operand, sizeof(operand)));
    assert_false(page_path_fits("/queues/{}", "/queues/%00", operand, sizeof(operand)));
    assert_false(page_path_fits("/queues/{}", "/queues/%ff", operand, sizeof(operand)));
    assert_false(page_path_fits("/queues/{}", "/queues/%4", operand, sizeof(operand)));
    assert_false(page_path_fits("/queues/{}",
        "/queues/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", operand, sizeof(operand)));
}

static void
test_a_viewer_gets_the_page_of_the_right(void **state)
{
    char operand[64];
    bool is_refused;

    (void)state;
    assert_int_equal(page_find("/processes/7", PAGE_OBSERVER, operand, sizeof(operand), &is_refused)->right, PAGE_OBSERVER);
    assert_int_equal(page_find("/processes/7", PAGE_ADMIN, operand, sizeof(operand), &is_refused)->right, PAGE_OPERATOR);
    assert_null(page_find("/audit", PAGE_OBSERVER, operand, sizeof(operand), &is_refused));
    assert_true(is_refused);
    assert_null(page_find("/nothing", PAGE_ADMIN, operand, sizeof(operand), &is_refused));
    assert_false(is_refused);
    assert_null(page_find_act("/tasks/7/cancel", PAGE_OBSERVER, operand, sizeof(operand), &is_refused));
    assert_true(is_refused);
    assert_non_null(page_find_act("/jobs/replay", PAGE_OPERATOR, operand, sizeof(operand), &is_refused));
}

/* --- tables ------------------------------------------------------------------------------ */

/* The largest $n of a statement. */
static int
parameters_of(const char *sql)
{
    int most = 0;

    for (const char *at = strchr(sql, '$'); at != NULL; at = strchr(at + 1, '$')) {
        int number = atoi(at + 1);

        most = number > most ? number : most;
    }
    return most;
}

static void
assert_statement(const char *path, const char *sql, const char *const *names)
{
    int most = strchr(path, '{') != NULL;

    while (*names != NULL) {
        names++;
        most++;
    }
    if (parameters_of(sql) > most)
        fail_msg("%s: its statement has more parameters than operand and arguments", path);
    /* A statement may leave out none in the middle, because the server passes them in order. */
}

static const json_t *
description_of(json_t *api, const char *path)
{
    char key[256];
    size_t length = 0;

    for (const char *at = path; *at != '\0' && length < sizeof(key) - 10; at++) {
        if (strncmp(at, "{#}", 3) == 0 || strncmp(at, "{}", 2) == 0) {
            length += (size_t)snprintf(key + length, sizeof(key) - length, at[1] == '#' ? "{id}" : "{name}");
            at += at[1] == '#' ? 2 : 1;
        } else {
            key[length++] = *at;
        }
    }
    key[length] = '\0';
    return json_object_get(json_object_get(api, "paths"), key);
}

static json_t *
load_api(void)
{
    for (int i = 0; i < page_asset_count; i++) {
        if (strcmp(page_assets[i].path, "/assets/openapi.json") == 0)
            return json_loadb(page_assets[i].text, page_assets[i].length, 0, NULL);
    }
    return NULL;
}

static void
test_each_page_is_complete_and_described(void **state)
{
    json_t *api = load_api();

    (void)state;
    assert_non_null(api);
    for (int i = 0; i < page_count; i++) {
        const json_t *path = description_of(api, pages[i].path);
        const json_t *parameters = json_object_get(json_object_get(path, "get"), "parameters");

        assert_true(pages[i].path[0] == '/' && pages[i].title != NULL && pages[i].sql != NULL && pages[i].write != NULL);
        assert_statement(pages[i].path, pages[i].sql, pages[i].arguments);
        if (path == NULL)
            fail_msg("assets/openapi.json does not describe %s", pages[i].path);
        for (int k = 0; pages[i].arguments[k] != NULL; k++) {
            bool is_described = false;
            size_t index;
            const json_t *parameter;

            json_array_foreach(parameters, index, parameter)
                is_described = is_described
                               || strcmp(json_string_value(json_object_get(parameter, "name")), pages[i].arguments[k]) == 0;
            if (!is_described)
                fail_msg("assets/openapi.json does not describe the argument %s of %s", pages[i].arguments[k], pages[i].path);
        }
    }
    json_decref(api);
}

static void
test_each_act_is_complete_described_and_not_for_observers(void **state)
{
    json_t *api = load_api();

    (void)state;
    for (int i = 0; i < page_act_count; i++) {
        assert_true(page_acts[i].right >= PAGE_OPERATOR && page_acts[i].title != NULL && page_acts[i].sql != NULL);
        assert_statement(page_acts[i].path, page_acts[i].sql, page_acts[i].fields);
        assert_non_null(page_acts[i].write_question);
        if (json_object_get(description_of(api, page_acts[i].path), "post") == NULL)
            fail_msg("assets/openapi.json does not describe %s", page_acts[i].path);
    }
    json_decref(api);
}

/* --- every page with evil values ----------------------------------------------------------- */

static const char evil[] = "</td><script>alert(1)</script>\"'><img src=x onerror=alert(1)>\xe2\x80\xae\x01 javascript:alert(1)";

/* A document in which each field that a page could ask for has the evil value. */
static json_t *
evil_document(int depth)
{
    static const char *const fields[] = {"task_id", "task_type", "queue", "state", "status", "outcome", "last_error",
        "worker_name", "error", "name", "supervisor", "end_reason", "end_message", "url", "job_status", "job_type",
        "response_content", "table_name", "disabled_reason", "schedule_name", "words", "target", "pause_reason", "recipient",
        "subject", "body", "actor", "action", "object", "problem", "hint", "sample", "kind", "id", "title", "sentence", "event",
        "detail", "command", "message", "reason", "made_by", "host", "version", "stop_reason", "area", "invariant", "decision",
        "first_slot", "minute", "cursor", "looked_back_to", "completed_at", "enqueued_at"};
    static const char *const lists[] = {"rows", "history", "children", "tasks", "runs_seen", "runs", "failures", "running",
        "workers", "oldest", "queues", "fires", "next", "advice", "violations", "examples", "problems", "jobs", "attempts",
        "closed", "types", "registered", "minutes"};
    static const char *const objects[] = {
        "payload", "result", "facts", "evidence", "why", "info", "merges", "counts", "totals", "ids", "attention"};
    json_t *document = json_object();

    for (size_t i = 0; i < LENGTH(fields); i++)
        json_object_set_new(document, fields[i], json_string(evil));
    json_object_set_new(document, evil, json_string(evil));
    for (size_t i = 0; i < LENGTH(lists) && depth > 0; i++)
        json_object_set_new(document, lists[i], json_pack("[o]", evil_document(depth - 1)));
    for (size_t i = 0; i < LENGTH(objects) && depth > 0; i++)
        json_object_set_new(document, objects[i], evil_document(depth - 1));
    return document;
}

/* The page holds nothing of the evil value that a browser would take for more than text. */
static void
assert_harmless(const char *path)
{
    if (out.overflowed || strstr(out.text, "<script>alert") != NULL || strstr(out.text, "<img") != NULL
        || strstr(out.text, "\"'>") != NULL || strstr(out.text, "href=\"javascript") != NULL
        || strstr(out.text, "\xe2\x80\xae") != NULL || strchr(out.text, '\x01') != NULL)
        fail_msg("%s writes a value as it came", path);
}

static void
test_no_page_lets_a_value_through(void **state)
{
    static const char *const values[PAGE_ARGUMENTS + 1] = {
        evil, evil, evil, evil, evil, evil, evil, evil, evil, evil, evil, evil, evil, evil, evil, evil};
    json_t *document = evil_document(2);
    char *json = json_dumps(document, 0);
    struct page_viewer viewer = viewer_of(PAGE_ADMIN, false);

    (void)state;
    viewer.person = viewer.notice = viewer.database = viewer.query = viewer.back = viewer.operand = evil;
    viewer.values = values;
    for (int i = 0; i < page_count; i++) {
        viewer.path = "/tasks";
        buf_clear(&out);
        page_write(&pages[i], json, &viewer, &out);
        assert_harmless(pages[i].path);
    }
    for (int i = 0; i < page_act_count; i++) {
        buf_clear(&out);
        page_write_question(&page_acts[i], json, &viewer, &out);
        assert_harmless(page_acts[i].path);
    }
    buf_clear(&out);
    page_write_problem(400, evil, evil, evil, &viewer, &out);
    assert_harmless("a problem");
    buf_clear(&out);
    page_write_login(PAGE_LOGIN_PASSWORD, evil, evil, &viewer, &out);
    assert_harmless("the login");
    free(json);
    json_decref(document);
}

static void
test_pages_bear_documents_without_any_field(void **state)
{
    static const char *const documents[] = {"{}", "null", "[]", "{\"rows\": null}", "{\"rows\": [null, 1, {}]}", "\"x\""};
    struct page_viewer viewer = viewer_of(PAGE_ADMIN, false);

    (void)state;
    for (int i = 0; i < page_count; i++) {
        for (size_t k = 0; k < LENGTH(documents); k++) {
            buf_clear(&out);
            page_write(&pages[i], documents[k], &viewer, &out);
            assert_non_null(strstr(out.text, "</html>"));
        }
    }
}

static void
test_numbers_that_no_machine_holds_keep_their_digits(void **state)
{
    json_t *document = document_read(
        "{\"a\": 123456789012345678901234567890, \"b\": 0.1, \"c\": \"1e5 \\\" 2\", \"d\": [-7, 1e999]}");
    struct part_word word;

    (void)state;
    assert_string_equal(part_text(document, "a", &word), "123456789012345678901234567890");
    assert_string_equal(part_text(document, "b", &word), "0.1");
    assert_string_equal(part_text(document, "c", &word), "1e5 \" 2");
    assert_int_equal(json_integer_value(json_array_get(json_object_get(document, "d"), 0)), -7);
    assert_string_equal(json_string_value(json_array_get(json_object_get(document, "d"), 1)), "1e999");
    json_decref(document);
    assert_null(document_read("{\"a\": \"b"));
    assert_null(document_read(""));
}

static void
test_observers_and_readers_get_no_buttons(void **state)
{
    json_t *document = evil_document(2);
    char *json = json_dumps(document, 0);

    (void)state;
    for (int i = 0; i < page_count; i++) {
        struct page_viewer viewers[] = {viewer_of(PAGE_OBSERVER, false), viewer_of(PAGE_ADMIN, true)};

        for (size_t k = 0; k < LENGTH(viewers); k++) {
            buf_clear(&out);
            page_write(&pages[i], json, &viewers[k], &out);
            if (strstr(out.text, "back=") != NULL || strstr(out.text, "name=\"" PAGE_FIELD_KEY "\"") != NULL)
                fail_msg("%s has a button for somebody who may not press it", pages[i].path);
        }
    }
    free(json);
    json_decref(document);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_text_is_escaped_where_it_stands, begin, end),
        cmocka_unit_test_setup_teardown(test_an_address_that_is_a_value_is_a_path_of_ours, begin, end),
        cmocka_unit_test_setup_teardown(test_characters_that_nobody_sees_are_shown, begin, end),
        cmocka_unit_test_setup_teardown(test_a_long_text_is_cut_between_characters, begin, end),
        cmocka_unit_test(test_a_path_fits_its_pattern),
        cmocka_unit_test(test_a_viewer_gets_the_page_of_the_right),
        cmocka_unit_test(test_each_page_is_complete_and_described),
        cmocka_unit_test(test_each_act_is_complete_described_and_not_for_observers),
        cmocka_unit_test_setup_teardown(test_no_page_lets_a_value_through, begin, end),
        cmocka_unit_test_setup_teardown(test_pages_bear_documents_without_any_field, begin, end),
        cmocka_unit_test(test_numbers_that_no_machine_holds_keep_their_digits),
        cmocka_unit_test_setup_teardown(test_observers_and_readers_get_no_buttons, begin, end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
