/*
 * reeve schedule add, show and import.  The other commands of schedules are single statements (command.c).
 */
#include <errno.h>
#include <stdio.h>

#include "base/bounds.h"
#include "base/buf.h"
#include "base/exit.h"
#include "cli/command.h"
#include "cli/terminal.h"

static const char *const add_sql =
    "select $1 as name, a.answer->>'words' || '; next in '"
    " || internal.wait_words((a.answer->>'next_fire')::timestamptz - clock_timestamp()) as fires,"
    " case when (a.answer->>'created')::boolean then 'created' when a.answer->'changed' = '{}' then 'unchanged'"
    " else 'changed: ' || (select string_agg(k, ', ') from jsonb_object_keys(a.answer->'changed') as k) end as answer"
    " from (select queues.schedule($1, $2, $3, coalesce($4::jsonb, '{}'), _function => $5, _command => $6, _queue => $7,"
    " _priority => $8::bigint, _zone => $9, _overlap => coalesce($10, 'skip'), _catch_up => coalesce($11, 'once')) as answer"
    " offset 0) as a";

/* The last decisions of a schedule. */
#define FIRES                                                                                                                    \
    "select decision, first_slot, case when slots <> 1 then last_slot end as last_slot, slots, decided_at, task_id, late"        \
    " from queues.schedule_fire where schedule_name = $1 order by fire_id desc limit 20"

static const char *const schedule_json = "select jsonb_pretty(to_jsonb(s.*) || jsonb_build_object('fires', (select "
                                         "coalesce(jsonb_agg(to_jsonb(f.*)), '[]') from (" FIRES
                                         ") as f))) from queues.schedule_state as s where s.schedule_name = $1";

int
cmd_schedule_add(const struct command *command, const struct config *config)
{
    const char *function = config_text(config, CONFIG_FUNCTION);
    const char *name = config_text(config, CONFIG_COMMAND);
    bool has_type = function == NULL && name == NULL;
    /* With a function or a command, the operand after the expression is the payload. */
    const char *params[] = {config->positionals[0], config->positionals[1], has_type ? config->positionals[2] : NULL,
        config->positionals[has_type ? 3 : 2], function, name, config_text(config, CONFIG_IN_QUEUE),
        config_text(config, CONFIG_PRIORITY), config_text(config, CONFIG_ZONE), config_text(config, CONFIG_OVERLAP),
        config_text(config, CONFIG_CATCH_UP)};
    struct db_once *db;
    struct err err;
    int code = EXIT_OK;

    (void)command;
    if (has_type && params[2] == NULL) {
        (void)err_set(&err, ERR_REFUSED, "usage", "a task type, --function or --command is missing");
        (void)err_hint(&err, "reeve schedule add --help");
        return command_fail(&err);
    }
    if (!command_connect(config, &db, &code))
        return code;
    if (!command_print(db, config, add_sql, 11, params, NULL, &err))
        code = command_fail(&err);
    db_once_close(db);
    return code;
}

int
cmd_schedule_show(const struct command *command, const struct config *config)
{
    const char *params[] = {config->positionals[0]};
    const struct db_result *result;
    struct db_once *db;
    struct err err;
    int code = EXIT_OK;

    (void)command;
    if (!command_connect(config, &db, &code))
        return code;
    if (command_is_json(config)) {
        code = command_print_object(db, schedule_json, 1, params, "schedule", params[0]);
    } else if (!db_once_query(db,
                   "select words || case when next_fire is null then '; ' || state"
                   " else '; next in ' || internal.wait_words(next_fire - clock_timestamp()) end,"
                   " concat_ws(' ', work, target) || ', owner ' || owner, 'overlap ' || overlap || ', catch-up ' || catch_up || "
                   "' "
                   "within '"
                   " || catch_up_window, coalesce(E'\\npaused by ' || paused_by || ': ' || pause_reason, '')"
                   " || coalesce(E'\\nnot fired since ' || skip_first || ': ' || skip_slots || ' slots, ' || skip_reason, '')"
                   " from queues.schedule_state where schedule_name = $1",
                   1, params, &result, &err)) {
        code = command_fail(&err);
    } else if (db_result_rows(result) == 0) {
        terminal_print(stderr, "reeve: schedule %s does not exist\n", params[0]);
        code = EXIT_NOTHING;
    } else {
        terminal_print(stdout, "%s: %s\n%s\n%s%s\n\n", params[0], db_result_shown(result, 0, 0), db_result_shown(result, 0, 1),
            db_result_shown(result, 0, 2), db_result_shown(result, 0, 3));
        if (!command_print(db, config, FIRES, 1, params, NULL, &err))
            code = command_fail(&err);
    }
    db_once_close(db);
    return code;
}

/* Reads a file as a text.  False: `err` says why. */
static bool
read_text(const char *path, struct buf *text, struct err *err)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "re");
    char part[4096];
    size_t count;
    bool ok;

    if (file == NULL)
        return err_set(err, ERR_REFUSED, "usage", "could not open %s: %s", path, strerror(errno));
    while (!text->overflowed && (count = fread(part, 1, sizeof(part), file)) > 0)
        buf_add(text, part, count);
    ok = !ferror(file);
    if (file != stdin)
        (void)fclose(file);
    if (text->overflowed)
        return err_set(err, ERR_LIMIT, "usage", "%s is over the limit of %d bytes", path, BOUND_CRONTAB_BYTES);
    return ok || err_set(err, ERR_REFUSED, "usage", "could not read %s", path);
}

int
cmd_schedule_import(const struct command *command, const struct config *config)
{
    const char *path = config->positionals[0];
    const char *params[] = {NULL, config_text(config, CONFIG_FUNCTION), config_text(config, CONFIG_ZONE),
        config_is_on(config, CONFIG_DRY_RUN) ? "t" : "f"};
    struct db_once *db = NULL;
    struct buf text;
    struct err err;
    int code = EXIT_OK;

    (void)command;
    buf_init(&text, BOUND_CRONTAB_BYTES);
    /* The word cron.job stands for the table of pg_cron in the database. */
    if (strcmp(path, "cron.job") != 0) {
        if (!read_text(path, &text, &err)) {
            buf_release(&text);
            return command_fail(&err);
        }
        params[0] = text.text;
    }
    if (command_connect(config, &db, &code)) {
        if (!command_print(db, config,
                "select line, schedule_name as name, expression, work, words, problem"
                " from queues.import_schedules($1, $2, $3, $4::boolean)",
                4, params, NULL, &err))
            code = command_fail(&err);
        db_once_close(db);
    }
    buf_release(&text);
    return code;
}
