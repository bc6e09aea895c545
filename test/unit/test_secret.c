/* Secrets by name: where they are found, and where they are not seen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/log.h"
#include "channel/secret.h"
#include "config/config.h"

#include "wiped.h"

static char folder[] = "/tmp/reeve-unit-XXXXXX";

static char *
path_of(const char *name)
{
    return must_format("%s/%s", folder, name);
}

static void
put_file(const char *name, const char *content)
{
    char *path = path_of(name);
    FILE *file = fopen(path, "we");

    assert_non_null(file);
    (void)fputs(content, file);
    (void)fclose(file);
    free(path);
}

static void
remove_file(const char *name)
{
    char *path = path_of(name);

    (void)unlink(path);
    free(path);
}

static void
assert_found(const char *name, const char *expected)
{
    char *value = secret_find(name);

    if (expected == NULL) {
        assert_null(value);
    } else {
        assert_non_null(value);
        assert_string_equal(value, expected);
    }
    secret_free(value);
}

static int
make_folder(void **state)
{
    (void)state;
    (void)unsetenv("CREDENTIALS_DIRECTORY");
    return mkdtemp(folder) == NULL;
}

static int
drop_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

static void
test_secret_comes_from_the_environment_by_its_name_in_upper_case(void **state)
{
    (void)state;
    (void)setenv("REEVE_SECRET_SERVICE_ROLE_2", "value-of-env", 1);
    assert_found("service_role_2", "value-of-env");
    assert_found("service.role-2", "value-of-env");
    assert_found("Service Role/2", "value-of-env");
    assert_found("service_role", NULL);
    (void)setenv("REEVE_SECRET_SERVICE_ROLE_2", "", 1);
    assert_found("service_role_2", NULL); /* empty is not set */
    (void)unsetenv("REEVE_SECRET_SERVICE_ROLE_2");
}

static void
test_secret_comes_from_the_credentials_directory_else(void **state)
{
    (void)state;
    put_file("service_role", "value-of-another\n");
    put_file("REEVE_SECRET_SERVICE_ROLE", "value-of-file\n");
    assert_found("service_role", NULL);
    (void)setenv("CREDENTIALS_DIRECTORY", folder, 1);
    assert_found("service_role", "value-of-file");
    (void)setenv("REEVE_SECRET_SERVICE_ROLE", "value-of-env", 1);
    assert_found("service_role", "value-of-env"); /* the environment comes first */
    (void)unsetenv("REEVE_SECRET_SERVICE_ROLE");
    assert_found("no_such_secret", NULL);
    (void)unsetenv("CREDENTIALS_DIRECTORY");
    remove_file("service_role");
    remove_file("REEVE_SECRET_SERVICE_ROLE");
}

static void
test_secret_name_never_leads_to_a_setting_of_the_program(void **state)
{
    static const char *const names[] = {"REEVE_VAULT_KEY", "DATABASE_URL", "REEVE_DATABASE_URL", "PGPASSWORD", "RESEND_API_KEY"};

    (void)state;
    (void)setenv("CREDENTIALS_DIRECTORY", folder, 1);
    for (size_t i = 0; i < LENGTH(names); i++) {
        put_file(names[i], "value-of-setting");
        (void)setenv(names[i], "value-of-setting", 1);
        assert_found(names[i], NULL);
        (void)unsetenv(names[i]);
        remove_file(names[i]);
    }
    (void)unsetenv("CREDENTIALS_DIRECTORY");
}

static void
test_secret_name_cannot_leave_the_credentials_directory(void **state)
{
    static const char *const names[] = {"../etc/passwd", "/etc/passwd", "..", ".", ".hidden", "a/b", ""};

    (void)state;
    put_file(".hidden", "hidden");
    (void)setenv("CREDENTIALS_DIRECTORY", folder, 1);
    for (size_t i = 0; i < LENGTH(names); i++)
        assert_found(names[i], NULL);
    (void)unsetenv("CREDENTIALS_DIRECTORY");
    remove_file(".hidden");
}

static void
test_secret_that_is_empty_or_too_long_is_none(void **state)
{
    char *large = must_alloc(BOUND_SECRET_BYTES + 2);

    (void)state;
    (void)setenv("CREDENTIALS_DIRECTORY", folder, 1);
    put_file("REEVE_SECRET_EMPTY", " \n");
    assert_found("empty", NULL);
    memset(large, 'x', BOUND_SECRET_BYTES + 1);
    put_file("REEVE_SECRET_LARGE", large);
    assert_found("large", NULL); /* half of a secret is none */
    (void)unsetenv("CREDENTIALS_DIRECTORY");
    remove_file("REEVE_SECRET_EMPTY");
    remove_file("REEVE_SECRET_LARGE");
    free(large);
}

static void
test_secret_is_wiped_when_it_is_given_back(void **state)
{
    char *value;

    (void)state;
    (void)setenv("REEVE_SECRET_WIPED", "value-to-wipe", 1);
    value = secret_find("wiped");
    wiped_forget();
    secret_free(value);
    assert_true(was_wiped("value-to-wipe\n"));
    secret_free(NULL);
    (void)unsetenv("REEVE_SECRET_WIPED");
}

/* What a log line shows of a text. */
static char written[8192];

static void
capture(const char *value)
{
    int saved = dup(STDERR_FILENO);
    ssize_t length;
    int pipes[2];

    assert_int_equal(pipe(pipes), 0);
    (void)dup2(pipes[1], STDERR_FILENO);
    log_event(LOG_ERROR, "said", "value", value, NULL);
    (void)dup2(saved, STDERR_FILENO);
    (void)close(pipes[1]);
    (void)close(saved);
    length = read(pipes[0], written, sizeof(written) - 1);
    written[length < 0 ? 0 : length] = '\0';
    (void)close(pipes[0]);
}

static void
test_secret_is_hidden_in_every_log_line_from_then_on(void **state)
{
    (void)state;
    (void)setenv("REEVE_SECRET_HIDDEN", "canary-value", 1);
    capture("call with canary-value and canary-value.");
    assert_non_null(strstr(written, "canary-value"));
    secret_free(secret_find("hidden"));
    capture("call with canary-value and canary-value.");
    assert_non_null(strstr(written, "value=\"call with *** and ***.\"\n"));
    assert_true(log_set_format("json"));
    capture("canary-value");
    assert_non_null(strstr(written, "{\"value\":\"***\"}}\n"));
    assert_true(log_set_format("text"));
    (void)unsetenv("REEVE_SECRET_HIDDEN");
}

static const enum config_key keys[] = {CONFIG_RESEND_API_KEY, CONFIG_SMTP_URL, CONFIG_COUNT};

static void
assert_key(const char *expected)
{
    struct config config;
    struct err err = {0};

    assert_true(config_read(&config, keys, 0, NULL, &err));
    if (expected == NULL)
        assert_null(config_text(&config, CONFIG_RESEND_API_KEY));
    else
        assert_string_equal(config_text(&config, CONFIG_RESEND_API_KEY), expected);
    config_release(&config);
}

static void
test_secret_option_comes_from_variable_file_or_credential_in_this_order(void **state)
{
    char *path = path_of("key");

    (void)state;
    assert_key(NULL);
    put_file("RESEND_API_KEY", "of-credential\n");
    (void)setenv("CREDENTIALS_DIRECTORY", folder, 1);
    assert_key("of-credential");
    put_file("key", "  of-file \n\n");
    (void)setenv("RESEND_API_KEY_FILE", path, 1);
    assert_key("of-file");
    (void)setenv("RESEND_API_KEY", "of-older-name", 1);
    assert_key("of-older-name");
    (void)setenv("REEVE_RESEND_API_KEY_FILE", path, 1);
    assert_key("of-file");
    (void)setenv("REEVE_RESEND_API_KEY", "of-variable", 1);
    assert_key("of-variable");
    (void)unsetenv("REEVE_RESEND_API_KEY");
    (void)unsetenv("REEVE_RESEND_API_KEY_FILE");
    (void)unsetenv("RESEND_API_KEY");
    (void)unsetenv("RESEND_API_KEY_FILE");
    (void)unsetenv("CREDENTIALS_DIRECTORY");
    remove_file("RESEND_API_KEY");
    remove_file("key");
    free(path);
}

static void
test_secret_file_that_is_named_and_cannot_be_read_is_an_error(void **state)
{
    struct config config;
    struct err err;

    (void)state;
    (void)setenv("RESEND_API_KEY_FILE", "/nonexistent/key", 1);
    assert_false(config_read(&config, keys, 0, NULL, &err));
    assert_string_equal(err.message, "RESEND_API_KEY_FILE: cannot read \"/nonexistent/key\": No such file or directory");
    config_release(&config);
    (void)unsetenv("RESEND_API_KEY_FILE");
}

static void
test_secret_file_that_is_too_long_is_an_error(void **state)
{
    char *path = path_of("key");
    char *large = must_alloc(BOUND_SECRET_BYTES + 2);
    struct config config;
    struct err err;

    (void)state;
    memset(large, 'x', BOUND_SECRET_BYTES + 1);
    put_file("key", large);
    (void)setenv("RESEND_API_KEY_FILE", path, 1);
    assert_false(config_read(&config, keys, 0, NULL, &err));
    assert_non_null(strstr(err.message, "RESEND_API_KEY_FILE"));
    config_release(&config);
    large[20000] = '\0';
    put_file("key", large);
    assert_key(large);
    (void)unsetenv("RESEND_API_KEY_FILE");
    remove_file("key");
    free(large);
    free(path);
}

static void
test_secret_option_is_wiped_when_it_is_released(void **state)
{
    char *path = path_of("key");

    (void)state;
    put_file("key", "of-file-to-wipe\n");
    (void)setenv("REEVE_RESEND_API_KEY_FILE", path, 1);
    wiped_forget();
    assert_key("of-file-to-wipe");
    assert_true(was_wiped("of-file-to-wipe\n\n")); /* as it was read */
    assert_true(was_wiped("\nof-file-to-wipe\n")); /* as it was kept */
    (void)unsetenv("REEVE_RESEND_API_KEY_FILE");
    remove_file("key");
    free(path);
}

static void
test_secret_option_is_hidden_in_logs(void **state)
{
    (void)state;
    (void)setenv("REEVE_RESEND_API_KEY", "canary-of-option", 1);
    assert_key("canary-of-option");
    capture("x canary-of-option y");
    assert_non_null(strstr(written, "\"x *** y\""));
    (void)unsetenv("REEVE_RESEND_API_KEY");
}

static void
test_secret_option_has_no_flag(void **state)
{
    const char *words[] = {"--resend-api-key", "x"};
    struct config config;
    struct err err;

    (void)state;
    assert_false(config_read(&config, keys, 2, (char **)(uintptr_t)words, &err));
    assert_string_equal(err.code, "usage");
    config_release(&config);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_secret_comes_from_the_environment_by_its_name_in_upper_case),
        cmocka_unit_test(test_secret_comes_from_the_credentials_directory_else),
        cmocka_unit_test(test_secret_name_never_leads_to_a_setting_of_the_program),
        cmocka_unit_test(test_secret_name_cannot_leave_the_credentials_directory),
        cmocka_unit_test(test_secret_that_is_empty_or_too_long_is_none),
        cmocka_unit_test(test_secret_is_wiped_when_it_is_given_back),
        cmocka_unit_test(test_secret_is_hidden_in_every_log_line_from_then_on),
        cmocka_unit_test(test_secret_option_comes_from_variable_file_or_credential_in_this_order),
        cmocka_unit_test(test_secret_file_that_is_named_and_cannot_be_read_is_an_error),
        cmocka_unit_test(test_secret_file_that_is_too_long_is_an_error),
        cmocka_unit_test(test_secret_option_is_wiped_when_it_is_released),
        cmocka_unit_test(test_secret_option_is_hidden_in_logs),
        cmocka_unit_test(test_secret_option_has_no_flag),
    };

    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
