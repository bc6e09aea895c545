#include "cli/command.h"

#include <unistd.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "cli/bundle.h"
#include "base/exit.h"
#include "cli/terminal.h"

int
bundle_schema_version(void)
{
    return bundle_migrations[bundle_migration_count - 1].version;
}

int
command_fail(const struct err *err)
{
    bool is_usage = strcmp(err->code, "usage") == 0;
    bool has_code = err->code[0] != '\0' && !is_usage;

    terminal_print(
        stderr, "reeve: %s%s%s%s\n", err->message, has_code ? " (" : "", has_code ? err->code : "", has_code ? ")" : "");
    if (err->hint[0] != '\0')
        terminal_print(stderr, "hint: %s\n", err->hint);
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

/* --- tables ------------------------------------------------------------------------ */

enum { COLUMN_MAX = 60, COLUMNS_MAX = 32 };

/* Characters, not bytes: UTF-8 continuation bytes do not count. */
static int
width(const char *text)
{
    int count = 0;

    for (; *text != '\0'; text++)
        count += ((unsigned char)*text & 0xc0) != 0x80;
    return count;
}

/* Prints foreign text on one line, cut to a column, without characters that a terminal obeys. */
static void
print_cell(const char *text, int column_width, bool is_last)
{
    struct buf line;
    int shown = 0;
    size_t end = 0;

    buf_init(&line, 3 * strlen(text) + 1);
    (void)utf8_clean_line(&line, text, strlen(text), line.ceiling);
    while (end < line.length && (is_last || shown < column_width)) {
        do
            end++;
        while (((unsigned char)line.text[end] & 0xc0) == 0x80);
        shown++;
    }
    (void)fwrite(line.text, 1, end, stdout);
    buf_release(&line);
    if (!is_last)
        (void)printf("%*s", column_width - shown + 2, "");
}

static void
print_table(const struct db_result *result)
{
    int widths[COLUMNS_MAX];
    int columns = db_result_columns(result) > COLUMNS_MAX ? COLUMNS_MAX : db_result_columns(result);
    int rows = db_result_rows(result);

    for (int c = 0; c < columns; c++) {
        widths[c] = width(db_result_name(result, c));
        for (int r = 0; r < rows; r++) {
            const char *text = db_result_text(result, r, c);
            int w = text == NULL ? 0 : width(text);

            widths[c] = w > widths[c] ? w : widths[c];
        }
        widths[c] = widths[c] > COLUMN_MAX ? COLUMN_MAX : widths[c];
        print_cell(db_result_name(result, c), widths[c], c == columns - 1);
    }
    (void)putchar('\n');
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < columns; c++) {
            const char *text = db_result_text(result, r, c);

            print_cell(text == NULL ? "" : text, widths[c], c == columns - 1);
        }
        (void)putchar('\n');
    }
}

bool
command_print(struct db_once *db, const struct config *config, const char *sql, int count, const char *const *params,
    int *ret_rows, struct err *err)
{
    const char *form = config_text(config, CONFIG_OUTPUT);
    const struct db_result *result;
    bool is_json = form != NULL && strcmp(form, "json") == 0;
    char *wrapped = NULL;
    bool ok;

    if (is_json)
        wrapped = must_format("select jsonb_pretty(coalesce(jsonb_agg(to_jsonb(x)), '[]')), count(*) from (%s) as x", sql);
    ok = db_once_query(db, is_json ? wrapped : sql, count, params, &result, err);
    free(wrapped);
    if (!ok)
        return false;
    if (is_json)
        terminal_print(stdout, "%s\n", db_result_shown(result, 0, 0));
    else if (db_result_columns(result) > 0)
        print_table(result);
    if (ret_rows != NULL)
        *ret_rows = is_json ? (int)db_result_i64(result, 0, 1, 0) : db_result_rows(result);
    return true;
}

int
cmd_sql(const struct command *command, const struct config *config)
{
    struct db_once *db;
    struct err err;
    int code = EXIT_OK;
    int rows = 0;
    int least = 0;
    int most = 0;
    const char *params[CONFIG_POSITIONALS] = {NULL};

    if (!command_connect(config, &db, &code))
        return code;
    command_operands(command, &least, &most);
    for (int i = 0; i < config->positional_count; i++)
        params[i] = config->positionals[i];
    if (!command_print(db, config, command->sql, most, params, &rows, &err))
        code = command_fail(&err);
    else if (rows == 0 && strstr(command->name, " show") != NULL)
        code = EXIT_NOTHING;
    db_once_close(db);
    return code;
}
