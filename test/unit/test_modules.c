/* Modules of the schema that may be left out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "cli/modules.h"

static const char text[] = "first\n"
                           "-- module: comms\n"
                           "comms\n"
                           "-- end of module\n"
                           "between -- module: files\n"
                           "-- module: files\n"
                           "files\n"
                           "-- end of module\n"
                           "last";

static void
assert_sql(const char *list, const char *expected)
{
    struct modules modules = {0};
    struct buf script;

    assert_true(modules_leave_out(&modules, list, NULL));
    buf_init(&script, 4096);
    modules_add_sql(&modules, &script, text);
    assert_string_equal(script.text, expected);
    buf_release(&script);
}

static void
test_modules_left_out_leave_no_line(void **state)
{
    (void)state;
    assert_sql(NULL, text);
    assert_sql("", text);
    assert_sql("comms", "first\nbetween -- module: files\n-- module: files\nfiles\n-- end of module\nlast");
    assert_sql("files", "first\n-- module: comms\ncomms\n-- end of module\nbetween -- module: files\nlast");
    assert_sql("files,comms", "first\nbetween -- module: files\nlast");
}

static void
test_modules_are_named_in_their_own_order(void **state)
{
    struct modules modules = {0};
    struct buf script;

    (void)state;
    buf_init(&script, 64);
    modules_add_names(&modules, &script);
    assert_string_equal(script.text, "");
    assert_true(modules_leave_out(&modules, "files,comms", NULL));
    modules_add_names(&modules, &script);
    assert_string_equal(script.text, "comms,files");
    buf_release(&script);
}

static void
test_modules_unknown_name_is_refused(void **state)
{
    struct modules modules = {0};
    struct err err;

    (void)state;
    assert_false(modules_leave_out(&modules, "comms,queues", &err));
    assert_string_equal(err.message, "unknown module \"queues\"");
    assert_false(modules_leave_out(&modules, "comm", &err));
    assert_false(modules_leave_out(&modules, "commsx", &err));
    assert_false(modules_leave_out(&modules, ",", &err));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_modules_left_out_leave_no_line),
        cmocka_unit_test(test_modules_are_named_in_their_own_order),
        cmocka_unit_test(test_modules_unknown_name_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
