#include "cli/command.h"

#include <unistd.h>

#include "cli/bundle.h"
#include "cli/progress.h"
#include "base/exit.h"
#include "cli/table.h"
#include "cli/terminal.h"

/* Operands and options of one command, at most. */
enum { PARAMETERS = CONFIG_POSITIONALS + CONFIG_COUNT };

int
bundle_schema_version(void)
{
    return bundle_migrations[bundle_migration_count - 1].version;
}

/* What to do about an error that shows that our schema is missing or is another one, or about a wrong time; otherwise the hint of
 * the error. */
static const char *
hint_of(const struct err *err)
{
    bool is_ours = strstr(err->message, "queues") != NULL || strstr(err->message, "internal.") != NULL;

    if (err->hint[0] == '\0' && is_ours && strcmp(err->code, "3F000") == 0)
        return "Run: reeve install";
    if (is_ours && (strcmp(err->code, "42883") == 0 || strcmp(err->code, "42P01") == 0 || strcmp(err->code, "42703") == 0))
        return "The schema may be that of another version: reeve doctor says";
    if (err->hint[0] == '\0' && strcmp(err->code, "22007") == 0)
        return "A time is 2030-01-31 09:00, yesterday, or a duration: 30min, 2h, 3 days";
    return err->hint;
}

int
command_fail(const struct err *err)
{
    bool is_usage = strcmp(err->code, "usage") == 0;
    bool has_code = err->code[0] != '\0' && !is_usage;

    progress_end();
    terminal_print(
        stderr, "reeve: %s%s%s%s\n", err->message, has_code ? " (" : "", has_code ? err->code : "", has_code ? ")" : "");
    if (hint_of(err)[0] != '\0')
        terminal_print(stderr, "hint: %s\n", hint_of(err));
    if (strcmp(err->code, "QU004") == 0)
        return EXIT_SCHEMA;
    if (strcmp(err->code, "QU005") == 0)
        return EXIT_NOT_ADOPTED;
    if (strcmp(err->code, "08006") == 0)
        return EXIT_UNREACHABLE;
    if (is_usage)
        return EXIT_USAGE;
    return err->code[0] == '\0' ? EXIT_UNEXPECTED : EXIT_REFUSED;
}

static void
say_notice(const char *text)
{
    progress_clear();
    terminal_print(stderr, "note: %s\n", text);
}

bool
command_connect(const struct config *config, struct db_once **ret_db, int *ret_exit)
{
    struct err err;

    if (db_once_open(config_text(config, CONFIG_DATABASE_URL), say_notice, ret_db, &err))
        return true;
    *ret_exit = command_fail(&err);
    return false;
}

bool
command_has_colour(const struct config *config)
{
    const char *choice = config_text(config, CONFIG_COLOR);
    const char *refused = getenv("NO_COLOR"); /* see no-color.org: any text but "" counts */

    if (choice != NULL && strcmp(choice, "auto") != 0)
        return strcmp(choice, "always") == 0;
    return isatty(STDOUT_FILENO) == 1 && (refused == NULL || refused[0] == '\0');
}

/* The style of a table on this output.  A terminal needs the time of the server, which is asked for. */
static bool
choose_style(struct db_once *db, const struct config *config, const char *columns, struct table_style *ret_style, struct err *err)
{
    const struct db_result *result;

    *ret_style = (struct table_style){.columns = columns, .has_colour = command_has_colour(config)};
    ret_style->is_wide = strcmp(config_text(config, CONFIG_OUTPUT), "wide") == 0;
    if (isatty(STDOUT_FILENO) != 1)
        return true;
    if (!ret_style->is_wide)
        ret_style->width = terminal_width(stdout);
    if (config_is_on(config, CONFIG_WATCH))
        ret_style->lines = terminal_lines(stdout) - 4;
    if (!db_once_query(db, "select extract(epoch from clock_timestamp())", 0, NULL, &result, err))
        return false;
    ret_style->now = db_result_number(result, 0, 0);
    return true;
}

bool
command_is_json(const struct config *config)
{
    const char *form = config_text(config, CONFIG_OUTPUT);

    return form != NULL && strcmp(form, "json") == 0;
}

/* Prints rows; a table without rows has its head only if has_empty_head. */
static bool
print_rows(struct db_once *db, const struct config *config, const char *columns, bool has_empty_head, const char *sql, int count,
    const char *const *params, int *ret_rows, struct err *err)
{
    const struct db_result *result;
    struct table_style style;
    bool is_json = command_is_json(config);
    char *wrapped = NULL;
    bool ok;

    if (!is_json && !choose_style(db, config, columns, &style, err))
        return false;
    if (is_json)
        wrapped = must_format("select jsonb_pretty(coalesce(jsonb_agg(to_jsonb(x)), '[]')), count(*) from (%s) as x", sql);
    ok = db_once_query(db, is_json ? wrapped : sql, count, params, &result, err);
    free(wrapped);
    if (!ok)
        return false;
    if (is_json)
        terminal_print(stdout, "%s\n", db_result_shown(result, 0, 0));
    else if (has_empty_head || db_result_rows(result) > 0)
        table_print(stdout, result, &style);
    if (ret_rows != NULL)
        *ret_rows = is_json ? (int)db_result_i64(result, 0, 1, 0) : db_result_rows(result);
    return true;
}

bool
command_print_columns(struct db_once *db, const struct config *config, const char *columns, const char *sql, int count,
    const char *const *params, int *ret_rows, struct err *err)
{
    return print_rows(db, config, columns, true, sql, count, params, ret_rows, err);
}

bool
command_print(struct db_once *db, const struct config *config, const char *sql, int count, const char *const *params,
    int *ret_rows, struct err *err)
{
    return command_print_columns(db, config, NULL, sql, count, params, ret_rows, err);
}

int
command_print_object(
    struct db_once *db, const char *sql, int count, const char *const *params, const char *what, const char *name)
{
    const struct db_result *result;
    struct err err;

    if (!db_once_query(db, sql, count, params, &result, &err))
        return command_fail(&err);
    if (db_result_rows(result) == 0 || db_result_text(result, 0, 0) == NULL) {
        terminal_print(stderr, "reeve: %s %s does not exist\n", what, name);
        return EXIT_NOTHING;
    }
    terminal_print(stdout, "%s\n", db_result_text(result, 0, 0));
    return EXIT_OK;
}

int
command_parameters(const char *sql)
{
    int most = 0;

    for (const char *at = strchr(sql, '$'); at != NULL; at = strchr(at + 1, '$')) {
        int number = (int)strtol(at + 1, NULL, 10);

        most = number > most ? number : most;
    }
    return most;
}

/* The operands, then the values of the options. */
static void
fill_parameters(const struct command *command, const struct config *config, const char *params[PARAMETERS])
{
    int least = 0;
    int most = 0;
    int count;

    command_operands(command, &least, &most);
    for (count = 0; count < most; count++)
        params[count] = config->positionals[count];
    for (const enum config_key *key = command->keys; *key != CONFIG_COUNT; key++)
        params[count++] = config_text(config, *key);
}

static int
print_sql(struct db_once *db, const struct command *command, const struct config *config)
{
    const char *params[PARAMETERS] = {NULL};
    int rows = 0;
    struct err err;
    char noun[32];

    (void)snprintf(noun, sizeof(noun), "%.*s", (int)strcspn(command->name, " "), command->name);
    fill_parameters(command, config, params);
    if (command->act != NULL && !db_once_query(db, command->act, command_parameters(command->act), params, NULL, &err))
        return command_fail(&err);
    if (command->json != NULL && command_is_json(config))
        return command_print_object(db, command->json, command_parameters(command->json), params, noun, params[0]);
    if (!print_rows(db, config, command->columns, command->json == NULL, command->sql, command_parameters(command->sql), params,
            &rows, &err))
        return command_fail(&err);
    if (rows > 0 || command->json == NULL)
        return EXIT_OK;
    terminal_print(stderr, "reeve: %s %s does not exist\n", noun, params[0]);
    return EXIT_NOTHING;
}

int
cmd_sql(const struct command *command, const struct config *config)
{
    struct db_once *db;
    int code = EXIT_OK;

    if (!command_connect(config, &db, &code))
        return code;
    code = print_sql(db, command, config);
    db_once_close(db);
    return code;
}
