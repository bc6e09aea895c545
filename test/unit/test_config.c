/* Options: flag, environment, older name, default. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "config/config.h"

static const enum config_key keys[] = {
    CONFIG_CONCURRENCY, CONFIG_LEASE, CONFIG_QUEUE, CONFIG_UNTIL_EMPTY, CONFIG_OUTPUT, CONFIG_COUNT};

static bool
read_words(struct config *config, int count, const char **words, struct err *err)
{
    return config_read(config, keys, count, (char **)(uintptr_t)words, err);
}

static void
test_config_flag_wins_over_environment_over_older_name_over_default(void **state)
{
    const char *words[] = {"--concurrency", "7"};
    struct config config;

    (void)state;
    assert_true(read_words(&config, 0, NULL, NULL));
    assert_int_equal(config_number(&config, CONFIG_CONCURRENCY), 2);
    config_release(&config);
    (void)setenv("WORKER_DEFAULT_CONCURRENCY", "3", 1);
    assert_true(read_words(&config, 0, NULL, NULL));
    assert_int_equal(config_number(&config, CONFIG_CONCURRENCY), 3);
    config_release(&config);
    (void)setenv("WORKER_CONCURRENCY", "4", 1);
    (void)setenv("REEVE_CONCURRENCY", " 5 ", 1);
    assert_true(read_words(&config, 0, NULL, NULL));
    assert_int_equal(config_number(&config, CONFIG_CONCURRENCY), 5);
    config_release(&config);
    assert_true(read_words(&config, 2, words, NULL));
    assert_int_equal(config_number(&config, CONFIG_CONCURRENCY), 7);
    config_release(&config);
    (void)setenv("REEVE_CONCURRENCY", "  ", 1); /* empty counts as not set */
    assert_true(read_words(&config, 0, NULL, NULL));
    assert_int_equal(config_number(&config, CONFIG_CONCURRENCY), 4);
    config_release(&config);
    (void)unsetenv("REEVE_CONCURRENCY");
    (void)unsetenv("WORKER_CONCURRENCY");
    (void)unsetenv("WORKER_DEFAULT_CONCURRENCY");
}

static void
test_config_bad_value_names_where_it_came_from(void **state)
{
    struct config config;
    struct err err;

    (void)state;
    (void)setenv("REEVE_LEASE", "soon", 1);
    assert_false(read_words(&config, 0, NULL, &err));
    assert_non_null(strstr(err.message, "REEVE_LEASE"));
    assert_non_null(strstr(err.message, "soon"));
    config_release(&config);
    (void)unsetenv("REEVE_LEASE");
}

static void
test_config_repeated_lists_are_joined_and_flags_are_switches(void **state)
{
    const char *words[] = {"--queue", "a:1", "--queue=b", "--until-empty", "-o", "json", "operand"};
    struct config config;

    (void)state;
    assert_true(read_words(&config, 7, words, NULL));
    assert_string_equal(config_text(&config, CONFIG_QUEUE), "a:1,b");
    assert_true(config_is_on(&config, CONFIG_UNTIL_EMPTY));
    assert_string_equal(config_text(&config, CONFIG_OUTPUT), "json");
    assert_int_equal(config.positional_count, 1);
    config_release(&config);
}

static void
test_config_refuses_unknown_options_and_missing_values(void **state)
{
    const char *unknown[] = {"--colour"};
    const char *foreign[] = {"--reason", "x"};
    const char *missing[] = {"--lease"};
    const char *valued[] = {"--until-empty=yes"};
    const char *word[] = {"-o", "xml"};
    struct config config;
    struct err err;

    (void)state;
    assert_false(read_words(&config, 1, unknown, &err));
    assert_string_equal(err.code, "usage");
    assert_false(read_words(&config, 2, foreign, &err));
    assert_false(read_words(&config, 1, missing, &err));
    assert_false(read_words(&config, 1, valued, &err));
    assert_false(read_words(&config, 2, word, &err));
    config_release(&config);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_config_flag_wins_over_environment_over_older_name_over_default),
        cmocka_unit_test(test_config_bad_value_names_where_it_came_from),
        cmocka_unit_test(test_config_repeated_lists_are_joined_and_flags_are_switches),
        cmocka_unit_test(test_config_refuses_unknown_options_and_missing_values),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
