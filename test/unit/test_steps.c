/* How a migration is cut into its steps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/attr.h"
#include "cli/steps.h"

static void
test_a_statement_ends_at_its_own_semicolon(void **state)
{
    static const char *const expected[] = {"create table a (b text default ';''', \"c;\" int); ", "do $$ begin x; y; end $$;",
        "select $1, $a$ $$;$$ -- ' $a$;", "last -- ; no"};
    struct steps steps = {0};

    (void)state;
    steps_add(&steps, 3,
        "-- first; a comment\n\n  create table a (b text default ';''', \"c;\" int);"
        "do $$ begin x; y; end $$;\n-- it's;\nselect $1, $a$ $$;$$ -- ' $a$;\nlast -- ; no");
    assert_int_equal(steps.count, 4);
    for (size_t i = 0; i < steps.count; i++) {
        assert_int_equal(steps.items[i].file, 3);
        assert_int_equal(strncmp(steps.items[i].sql, expected[i], strlen(steps.items[i].sql)), 0);
        assert_int_equal(steps.items[i].kind, STEP_TABLE);
    }
    steps_release(&steps);
    steps_add(&steps, 0, " \n-- nothing;\n");
    assert_int_equal(steps.count, 0);
}

static void
test_what_is_left_open_ends_with_the_text(void **state)
{
    static const char *const texts[] = {"select '", "do $$ ;", "select $a", "select \";", "--", "select $"};
    struct steps steps = {0};

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        steps_add(&steps, 0, texts[i]);
    assert_int_equal(steps.count, 5);
    steps_release(&steps);
}

static void
test_the_first_words_say_when_a_step_is_made(void **state)
{
    static const enum step_kind kinds[] = {STEP_FUNCTION, STEP_FUNCTION, STEP_VIEW, STEP_TYPE, STEP_DATA, STEP_TABLE, STEP_TABLE};
    struct steps steps = {0};

    (void)state;
    steps_add(&steps, 0,
        "drop function a(b); drop procedure a(); drop view a, b; alter type a add attribute b text; update a set b = 1; drop "
        "index a;"
        " alter table a add column b text;");
    assert_int_equal(steps.count, sizeof(kinds) / sizeof(kinds[0]));
    for (size_t i = 0; i < steps.count; i++)
        assert_int_equal(steps.items[i].kind, kinds[i]);
    steps_release(&steps);
}

static void
test_a_new_function_takes_calls_of_an_old_one_if_it_takes_as_many_arguments(void **state)
{
    static const char sql[] =
        "create or replace function a.none() returns void as $$ create or replace function a.inner(x) $$;\n"
        "create or replace procedure a.f(_x numeric(3, 2), -- one, two\n        _y text[] default array['a)', ',']::text[],\n"
        "    out z text) language sql as '';\ncomment on function a.g(int, int) is '';";
    static const struct {
        const char *function;
        int least;
        int most;
        bool expected;
    } cases[] = {
        {"a.f(int)", 1, 1, true},
        {"a.f(int, text)", 2, 2, true},
        {"a.f(int, text, text)", 3, 3, false},
        {"a.f(int, text, text)", 2, 3, true},
        {"a.f()", 0, 0, false},
        {"a.none()", 0, 0, true},
        {"a.none(int)", 1, 1, false},
        {"a.none(int)", 0, 1, true},
        {"a.non()", 0, 0, false},
        {"a.g(int, int)", 2, 2, false},
        {"a.inner(x)", 1, 1, false},
    };
    struct steps steps = {0};

    (void)state;
    steps_add(&steps, 0, sql);
    for (size_t i = 0; i < LENGTH(cases); i++)
        assert_int_equal(steps_take_calls(&steps, cases[i].function, cases[i].least, cases[i].most), cases[i].expected);
    steps_release(&steps);
}

static void
test_a_step_names_the_function_that_it_drops(void **state)
{
    static const char *const names[] = {"a.b(text, int[])", "a.c()", "d.e(f.g)"};
    struct steps steps = {0};
    struct buf name;

    (void)state;
    buf_init(&name, 64);
    steps_add(&steps, 0, "drop function a.b(text, int[]);\ndrop procedure if exists a.c();drop function if exists d.e(f.g);");
    for (size_t i = 0; i < LENGTH(names); i++) {
        steps_function(&steps.items[i], &name);
        assert_string_equal(name.text, names[i]);
    }
    buf_release(&name);
    steps_release(&steps);
}

/* Databases may be half way through a file: how it is cut stays as it is. */
static void
test_a_file_is_cut_as_ever(void **state)
{
    static const size_t counts[] = {[STEP_TABLE] = 400, [STEP_VIEW] = 2, [STEP_FUNCTION] = 37, [STEP_TYPE] = 4, [STEP_DATA] = 3};
    struct steps steps = {0};
    FILE *file = fopen("test/upgrade/before_first_release.sql", "r");
    size_t found[LENGTH(counts)] = {0};
    char text[131072];

    (void)state;
    assert_non_null(file);
    text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
    (void)fclose(file);
    steps_add(&steps, 0, text);
    for (size_t i = 0; i < steps.count; i++)
        found[steps.items[i].kind]++;
    for (size_t i = 0; i < LENGTH(counts); i++)
        assert_int_equal(found[i], counts[i]);
    steps_release(&steps);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_statement_ends_at_its_own_semicolon),
        cmocka_unit_test(test_what_is_left_open_ends_with_the_text),
        cmocka_unit_test(test_the_first_words_say_when_a_step_is_made),
        cmocka_unit_test(test_a_new_function_takes_calls_of_an_old_one_if_it_takes_as_many_arguments),
        cmocka_unit_test(test_a_step_names_the_function_that_it_drops),
        cmocka_unit_test(test_a_file_is_cut_as_ever),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
