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
    const char *foreign[] = {"--tasks", "100"};
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

/* Every option with every odd value, in every form: it is taken or refused with a reason. */
static void
test_config_every_option_is_taken_or_refused_with_a_reason_whatever_its_value(void **state)
{
    static const char *const odd[] = {"", " ", "=", "-", "--", ",", "a,b", "table,json", "text,json", "0", "-1", "1e999", "nan",
        "99999999999999999999", "0x10", "%s%n", "\xff", "\xe2\x80\xae", "x=y=z"};
    enum config_key all[CONFIG_COUNT + 1];

    (void)state;
    for (int key = 0; key <= CONFIG_COUNT; key++)
        all[key] = (enum config_key)key;
    for (int key = 0; key < CONFIG_COUNT; key++) {
        const char *flag = option_rows[key].flag;

        for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]) && flag != NULL; i++) {
            char joined[200];
            char alone[80];
            const char *forms[][2] = {{joined, NULL}, {alone, odd[i]}, {"-o", odd[i]}, {alone, NULL}};

            (void)snprintf(joined, sizeof(joined), "--%s=%s", flag, odd[i]);
            (void)snprintf(alone, sizeof(alone), "--%s", flag);
            for (size_t f = 0; f < sizeof(forms) / sizeof(forms[0]); f++) {
                struct config config;
                struct err err = {0};

                if (!config_read(&config, all, forms[f][1] == NULL ? 1 : 2, (char **)(uintptr_t)forms[f], &err))
                    assert_true(err.message[0] != '\0');
                else if (config_text(&config, CONFIG_OUTPUT) != NULL)
                    assert_non_null(strstr("table wide json", config_text(&config, CONFIG_OUTPUT)));
                config_release(&config);
            }
        }
    }
}

static void
test_config_takes_a_connection_string_out_of_the_arguments_that_others_can_read(void **state)
{
    char program[] = "reeve";
    char joined[] = "--database-url=postgres://me:geheim@db/x";
    char flag[] = "--database-url";
    char value[] = "host=db password=geheim";
    char plain[] = "--database-url=host=/tmp dbname=x";
    char last[] = "--database-url";
    char *argv[] = {program, joined, flag, value, plain, last};
    char **copies = config_take_arguments(6, argv);

    (void)state;
    assert_string_equal(copies[1], "--database-url=postgres://me:geheim@db/x");
    assert_string_equal(copies[3], "host=db password=geheim");
    assert_null(strstr(joined, "geheim"));
    assert_non_null(strstr(joined, "--database-url=x"));
    assert_null(strstr(value, "geheim"));
    assert_string_equal(plain, "--database-url=host=/tmp dbname=x"); /* nothing to hide, and good to see */
    for (int i = 0; i < 6; i++)
        free(copies[i]);
    free(copies);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_config_flag_wins_over_environment_over_older_name_over_default),
        cmocka_unit_test(test_config_bad_value_names_where_it_came_from),
        cmocka_unit_test(test_config_repeated_lists_are_joined_and_flags_are_switches),
        cmocka_unit_test(test_config_refuses_unknown_options_and_missing_values),
        cmocka_unit_test(test_config_every_option_is_taken_or_refused_with_a_reason_whatever_its_value),
        cmocka_unit_test(test_config_takes_a_connection_string_out_of_the_arguments_that_others_can_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
