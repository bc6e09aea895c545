/*
 * Commands about tasks: enqueue, show; and small commands that have an option.
 */
#include <inttypes.h>
#include <unistd.h>

#include "base/buf.h"
#include "channel/channel.h"
#include "cli/command.h"
#include "base/exit.h"
#include "cli/terminal.h"

/* --- enqueue ----------------------------------------------------------------------- */

/* Waits until the task has ended, and prints its outcome; the exit code is 0 only if it succeeded. */
static int
wait_for(struct db_once *db, const struct config *config, const char *id, int64_t wait_ms)
{
    const struct db_result *result;
    const char *params[] = {id};
    struct err err;
    int code = EXIT_UNEXPECTED;

    for (int64_t waited_ms = 0;; waited_ms += 100) {
        if (!db_once_query(db,
                "select r, r->>'state', r->>'outcome', jsonb_pretty(jsonb_build_object('task_id', $1::bigint) || r)"
                " from queues.task_result($1::bigint) as r",
                1, params, &result, &err))
            return command_fail(&err);
        if (strcmp(db_result_shown(result, 0, 1), "completed") == 0 || waited_ms >= wait_ms)
            break;
        (void)usleep(100000);
    }
    terminal_print(stdout, "%s\n", db_result_shown(result, 0, command_is_json(config) ? 3 : 0));
    if (strcmp(db_result_shown(result, 0, 2), "succeeded") == 0)
        code = EXIT_OK;
    return code;
}

static void
warn_unserved(struct db_once *db, const char *type, const char *queue)
{
    const struct db_result *result;
    const char *params[] = {type, queue};
    int channel = channel_find(type);

    if (db_once_query(db,
            "select exists (select 1 from queues.worker_state as w where w.state = 'live'"
            " and (w.types is null or $1 = any(w.types)) and (w.queues is null or $2::text is null or $2 = any(w.queues)))",
            2, params, &result, NULL)
        && !db_result_is_true(result, 0, 0))
        terminal_print(stderr, "note: no live worker serves type %s%s%s; %s%sstart one: reeve work\n", type,
            queue == NULL ? "" : " in queue ", queue == NULL ? "" : queue, channel < 0 ? "" : channel_missing(channel),
            channel < 0 || channel_missing(channel)[0] == '\0' ? "" : ", then ");
}

/* With --command the type may be left out. */
static bool
read_operands(const struct config *config, const char **ret_type, const char **ret_payload, struct err *err)
{
    bool is_command = config_text(config, CONFIG_COMMAND) != NULL;
    bool has_type = config->positional_count > 0 && (!is_command || strcmp(config->positionals[0], "command") == 0);

    if (!is_command && !has_type)
        return err_set(err, ERR_REFUSED, "usage", "too few arguments");
    if (is_command && config->positional_count > 1 && !has_type)
        return err_set(err, ERR_REFUSED, "usage", "--command needs type command, not \"%s\"", config->positionals[0]);
    if (is_command && (config_text(config, CONFIG_IN_QUEUE) != NULL || config_text(config, CONFIG_DEDUP_KEY) != NULL))
        return err_set(err, ERR_REFUSED, "usage", "queue and key of a command are those of its registration");
    *ret_type = is_command ? "command" : config->positionals[0];
    *ret_payload = config->positional_count > has_type ? config->positionals[has_type] : "{}";
    return true;
}

int
cmd_enqueue(const struct command *command, const struct config *config)
{
    const char *type = NULL;
    const char *name = config_text(config, CONFIG_COMMAND);
    const char *params[] = {NULL, NULL, config_text(config, CONFIG_AT), config_text(config, CONFIG_PRIORITY),
        config_text(config, CONFIG_IN_QUEUE), config_text(config, CONFIG_DEDUP_KEY)};
    const struct db_result *result;
    struct db_once *db;
    struct err err;
    char id[24];
    int code = EXIT_OK;

    (void)command;
    if (!read_operands(config, &type, &params[1], &err)) {
        (void)err_hint(&err, "reeve enqueue --help");
        return command_fail(&err);
    }
    params[0] = name == NULL ? type : name;
    if (!command_connect(config, &db, &code))
        return code;
    if (!db_once_query(db,
            name == NULL ? "select queues.enqueue($1, $2::jsonb, coalesce($3::timestamptz, now()), $5, $4::bigint, $6)"
                         : "select worker.enqueue($1, $2::jsonb, $3::timestamptz, $4::bigint)",
            name == NULL ? 6 : 4, params, &result, &err)) {
        code = command_fail(&err);
        db_once_close(db);
        return code;
    }
    (void)snprintf(id, sizeof(id), "%s", db_result_shown(result, 0, 0));
    if (!command_is_json(config))
        terminal_print(stdout, "%s\n", id);
    else if (config_text(config, CONFIG_WAIT) == NULL)
        terminal_print(stdout, "{\"task_id\": %s}\n", id);
    warn_unserved(db, type, params[4]);
    if (config_text(config, CONFIG_WAIT) != NULL)
        code = wait_for(db, config, id, config_ms(config, CONFIG_WAIT));
    db_once_close(db);
    return code;
}

/* --- show ----------------------------------------------------------------------------- */

/* The task ($1); if it was retried, with the state of its last attempt. */
static const char *const task_sql =
    "select t.task->>'task_type', t.task->>'queue', coalesce(l.state, t.task->>'state'),"
    " coalesce(jsonb_pretty(nullif(t.task->'payload', 'null')), ''),"
    " format(', attempt %s of %s of task %s', l.attempt, l.max_attempts, l.chain_id), coalesce(l.attempt > 1, false)"
    " from (select queues.show_task($1::bigint) as task offset 0) as t"
    " left join lateral (select c.* from queues.task_chain as c where c.chain_id = (select a.chain_id from queues.task_chain as a"
    " where a.task_id = $1::bigint) order by c.attempt desc limit 1) as l on true where t.task is not null";

static const char *const story_sql = "select at, event, detail from queues.task_story($1::bigint)";
static const char *const chain_sql = "select attempt, task_id, at, event, detail from queues.task_story($1::bigint)";

/* All columns of the task, and its history. */
static int
print_json(struct db_once *db, const char *id, const char *story)
{
    const char *params[] = {id};
    char *sql = must_format(
        "select jsonb_pretty(queues.show_task($1::bigint) || jsonb_build_object('attempt', (select a.attempt from"
        " queues.task_chain as a where a.task_id = $1::bigint), 'history', (select coalesce(jsonb_agg(to_jsonb(h.*)),"
        " '[]') from (%s) as h)))",
        story);
    int code = command_print_object(db, sql, 1, params, "task", id);

    free(sql);
    return code;
}

int
cmd_task_show(const struct command *command, const struct config *config)
{
    const char *params[] = {config->positionals[0]};
    const struct db_result *result;
    struct db_once *db;
    struct err err;
    int code = EXIT_OK;

    (void)command;
    if (!command_connect(config, &db, &code))
        return code;
    if (!db_once_query(db, task_sql, 1, params, &result, &err)) {
        code = command_fail(&err);
    } else if (db_result_rows(result) == 0) {
        terminal_print(stderr, "reeve: task %s does not exist\n", params[0]);
        code = EXIT_NOTHING;
    } else {
        bool is_ready = strcmp(db_result_shown(result, 0, 2), "ready") == 0;
        bool is_chain = db_result_is_true(result, 0, 5);
        const char *story = is_chain ? chain_sql : story_sql;
        char *type = must_strdup(db_result_shown(result, 0, 0));
        char *queue = must_strdup(db_result_shown(result, 0, 1));

        if (command_is_json(config)) {
            code = print_json(db, params[0], story);
        } else {
            terminal_print(stdout, "task %s, %s, %s%s\n%s\n\n", params[0], type, db_result_shown(result, 0, 2),
                is_chain ? db_result_shown(result, 0, 4) : "", db_result_shown(result, 0, 3));
            if (!command_print(db, config, story, 1, params, NULL, &err))
                code = command_fail(&err);
        }
        if (code == EXIT_OK && is_ready)
            warn_unserved(db, type, queue);
        free(type);
        free(queue);
    }
    db_once_close(db);
    return code;
}

/* --- small ones ---------------------------------------------------------------------- */

static int
print_statement(const struct config *config, const char *sql, int count, const char *const *params)
{
    struct db_once *db;
    struct err err;
    int code = EXIT_OK;

    if (!command_connect(config, &db, &code))
        return code;
    if (!command_print(db, config, sql, count, params, NULL, &err))
        code = command_fail(&err);
    db_once_close(db);
    return code;
}

int
cmd_adopt(const struct command *command, const struct config *config)
{
    const char *params[] = {config_is_on(config, CONFIG_CANCEL_OPEN) ? "t" : "f"};

    (void)command;
    if (!config_is_on(config, CONFIG_YES)) {
        char line[16] = "";

        (void)fprintf(
            stderr, "After this, workers run the open tasks of this database and send their messages.  Continue? [yes/no] ");
        if (fgets(line, sizeof(line), stdin) == NULL || strcmp(line, "yes\n") != 0)
            return EXIT_USAGE;
    }
    return print_statement(config, "select current_database() as adopted from queues.adopt_database($1::boolean)", 1, params);
}
