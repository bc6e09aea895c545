/* Templates, names and values of reeve new. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "cli/new_values.h"
#include "cli/sql_name.h"
#include "cli/template.h"

static const struct template_value values[] = {{"name", "reminder"}, {"empty", ""}, {NULL, NULL}};
static const char *const words[] = {"http", "owner", NULL};
static const struct template_fill fill = {values, words};

static void
assert_filled(const char *template, const char *expected)
{
    struct buf text;

    buf_init(&text, 256);
    assert_true(template_fill(&text, template, &fill, NULL));
    assert_string_equal(text.text, expected);
    buf_release(&text);
}

static void
assert_refused(const char *template, const char *message)
{
    struct buf text;
    struct err err;

    buf_init(&text, 16);
    assert_false(template_fill(&text, template, &fill, &err));
    assert_string_equal(err.message, message);
    buf_release(&text);
}

static void
test_template_fills_its_gaps(void **state)
{
    (void)state;
    assert_filled("", "");
    assert_filled("plain {text} }}\n", "plain {text} }}\n");
    assert_filled("a {{name}}_{{name}}{{empty}}.", "a reminder_reminder.");
    assert_filled("{x,{{name}}_id}", "{x,reminder_id}");
}

static void
test_template_keeps_one_half_of_a_block(void **state)
{
    (void)state;
    assert_filled("a\n{{if http}}\nb\n{{else}}\nc\n{{end}}\nd\n", "a\nb\nd\n");
    assert_filled("{{if sms}}\nb\n{{else}}\nc\n{{end}}\nd", "c\nd");
    assert_filled("{{if sms owner}}\nb\n{{end}}\n", "b\n");
    assert_filled("{{if htt}}\nb\n{{end}}\n", "");
    assert_filled("{{if https}}\nb\n{{end}}\n", "");
    assert_filled("{{if sms}}\n{{unknown}}\n{{end}}\n", ""); /* what is left out is not read */
}

static void
test_wrong_template_is_refused(void **state)
{
    (void)state;
    assert_refused("{{unknown}}", "a template has a gap \"unknown\" without a value");
    assert_refused("{{name\n}}", "a gap of a template is not closed");
    assert_refused("{{if http}}\n", "a block of a template is not closed");
    assert_refused("{{if http}}\n{{if owner}}\n{{end}}\n{{end}}\n", "blocks of a template nest");
    assert_refused("{{else}}\n", "a template has a gap \"else\" without a value");
    assert_refused("a text of more than 16 bytes", "the text is longer than 16 bytes");
}

static void
assert_name(const char *text, enum sql_name_kind kind, int affix, const char *message)
{
    struct sql_name name;
    struct err err = {.message = ""};

    assert_int_equal(sql_name_read(text, kind, affix, &name, &err), message[0] == '\0');
    assert_string_equal(err.message, message);
}

static void
test_names_are_checked(void **state)
{
    struct sql_name name;

    (void)state;
    assert_true(sql_name_read("billing.reminder", SQL_NAME_NEW, 21, &name, NULL));
    assert_string_equal(name.schema, "billing");
    assert_string_equal(name.name, "reminder");
    assert_name("reminder", SQL_NAME_NEW, 0, "\"reminder\" is no name with a schema");
    assert_name("a.b.c", SQL_NAME_NEW, 0, "\"a.b.c\" is no name with a schema");
    assert_name(".b", SQL_NAME_NEW, 0, "schema \"\" is not made of a-z, 0-9 and _, with a letter first");
    assert_name("a.", SQL_NAME_NEW, 0, "name \"\" is not made of a-z, 0-9 and _, with a letter first");
    assert_name("a.B", SQL_NAME_NEW, 0, "name \"B\" is not made of a-z, 0-9 and _, with a letter first");
    assert_name("1a.b", SQL_NAME_NEW, 0, "schema \"1a\" is not made of a-z, 0-9 and _, with a letter first");
    assert_name("a.b;drop", SQL_NAME_NEW, 0, "name \"b;drop\" is not made of a-z, 0-9 and _, with a letter first");
    assert_name("a.b'", SQL_NAME_EXISTING, 0, "name \"b'\" is not made of letters, digits, _, $ and -");
    assert_name("a.b\"", SQL_NAME_EXISTING, 0, "name \"b\"\" is not made of letters, digits, _, $ and -");
    assert_name("a.Order-Lines", SQL_NAME_EXISTING, 0, "");
    assert_name("queues.a", SQL_NAME_NEW, 0, "schema \"queues\" belongs to PostgreSQL or to Reeve");
    assert_name("pg_x.a", SQL_NAME_NEW, 0, "schema \"pg_x\" belongs to PostgreSQL or to Reeve");
    assert_name("queues.a", SQL_NAME_EXISTING, 0, "");
    assert_name("a.abc", SQL_NAME_NEW, 60, "");
    assert_name("a.abcd", SQL_NAME_NEW, 60, "name \"abcd\" is longer than 3 characters");
}

static void
test_keywords_and_strange_names_are_quoted(void **state)
{
    (void)state;
    assert_string_equal(sql_name_quote("billing").text, "billing");
    assert_string_equal(sql_name_quote("order").text, "\"order\"");
    assert_string_equal(sql_name_quote("all").text, "\"all\"");
    assert_string_equal(sql_name_quote("xmltable").text, "\"xmltable\"");
    assert_string_equal(sql_name_quote("orders").text, "orders");
    assert_string_equal(sql_name_quote("Billing").text, "\"Billing\"");
    assert_string_equal(sql_name_quote("a-b").text, "\"a-b\"");
}

static void
test_intervals_have_the_largest_whole_unit(void **state)
{
    (void)state;
    assert_string_equal(new_interval(10000).text, "10 seconds");
    assert_string_equal(new_interval(1000).text, "1 second");
    assert_string_equal(new_interval(1500).text, "1500 milliseconds");
    assert_string_equal(new_interval(90000).text, "90 seconds");
    assert_string_equal(new_interval(120000).text, "2 minutes");
    assert_string_equal(new_interval(3600000).text, "1 hour");
    assert_string_equal(new_interval(172800000).text, "2 days");
}

static void
test_urls_are_checked_and_events_are_sorted(void **state)
{
    (void)state;
    assert_true(new_check_url("https://example.org/a?b=c&d=%20", NULL));
    assert_true(new_check_url("http://127.0.0.1:8000/", NULL));
    assert_false(new_check_url("ftp://example.org/", NULL));
    assert_false(new_check_url("https://example.org/'", NULL));
    assert_false(new_check_url("https://example.org/\n", NULL));
    assert_false(new_check_url("https://example.org/\xc3\xa4", NULL));
    assert_string_equal(new_events("insert,update,delete").text, "{INSERT,UPDATE,DELETE}");
    assert_string_equal(new_events("delete,insert,insert").text, "{INSERT,DELETE}");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_template_fills_its_gaps),
        cmocka_unit_test(test_template_keeps_one_half_of_a_block),
        cmocka_unit_test(test_wrong_template_is_refused),
        cmocka_unit_test(test_names_are_checked),
        cmocka_unit_test(test_keywords_and_strange_names_are_quoted),
        cmocka_unit_test(test_intervals_have_the_largest_whole_unit),
        cmocka_unit_test(test_urls_are_checked_and_events_are_sorted),
    };

    return cmocka_run_group_tests_name("new", tests, NULL, NULL);
}
