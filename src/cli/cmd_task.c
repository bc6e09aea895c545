/*
 * Commands about tasks: enqueue, list, show; and small commands that have an option.
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

/* --- list and show ------------------------------------------------------------------- */

int
cmd_task_list(const struct command *command, const struct config *config)
{
    const char *params[] = {config_text(config, CONFIG_STATE), config_text(config, CONFIG_OF_QUEUE),
        config_text(config, CONFIG_TYPE), config_text(config, CONFIG_OUTCOME), config_text(config, CONFIG_LIMIT)};
    struct db_once *db;
    struct err err;
    int code = EXIT_OK;

    if (!command_connect(config, &db, &code))
        return code;
    if (!command_print_columns(db, config, command->columns,
            "select task_id, task_type, queue, priority, state, status, scheduled_at, completed_at, last_error"
            " from queues.task_state where ($1::text is null or state = $1) and ($2::text is null or queue = $2)"
            " and ($3::text is null or task_type = $3) and ($4::text is null or outcome = $4)"
            " order by task_id desc limit $5::integer",
            5, params, NULL, &err))
        code = command_fail(&err);
    db_once_close(db);
    return code;
}

/* The history of tasks ($1), one event per row, in the order of time: of one task, or of all attempts of a chain. */
#define STORY                                                                                                                    \
    "at, event, detail from ("                                                                                                   \
    " select task_id, enqueued_at as at, 0 as nth, 'enqueued' as event,"                                                         \
    "   format('%s in queue %s, priority %s, not before %s', task_type, queue, priority, scheduled_at)"                          \
    "   || coalesce(', retry of task ' || retry_of, '') || coalesce(', by task ' || origin_task_id, '')"                         \
    "   || coalesce(', process ' || process_id, '') as detail from queues.task where task_id = any($1::bigint[])"                \
    " union all select task_id, changed_at, 1, reason, format('available at %s, by %s', available_at, changed_by)"               \
    "   from queues.task_changed where task_id = any($1::bigint[])"                                                              \
    " union all select task_id, leased_at, 2, 'lease ' || lease_no,"                                                             \
    "   format('until %s, by %s%s', expires_at, leased_by, coalesce(', worker ' || worker_id, ''))"                              \
    "   from queues.lease_outcome where task_id = any($1::bigint[])"                                                             \
    " union all select task_id, renewed_at, 3, 'lease ' || lease_no || ' renewed', format('until %s', expires_at)"               \
    "   from queues.task_lease_renewed where task_id = any($1::bigint[])"                                                        \
    " union all select task_id, dispatched_at, 4, 'dispatched',"                                                                 \
    "   format('lease %s, %s, key %s', lease_no, adapter, idempotency_key)"                                                      \
    "   from queues.task_dispatched where task_id = any($1::bigint[])"                                                           \
    " union all select task_id, reported_at, 4, 'progress', left(progress::text, 200) from queues.task_progress"                 \
    "   where task_id = any($1::bigint[])"                                                                                       \
    " union all select task_id, created_at, 5, 'error', format('%s%s: %s', coalesce(source, 'client'),"                          \
    "   coalesce(' ' || sqlstate, ''), error_message) from queues.error where task_id = any($1::bigint[])"                       \
    " union all select task_id, ended_at, 6, 'lease ' || lease_no || ' ' || how, format('again at %s', retry_at)"                \
    "   || coalesce(', ' || error_message, '') from queues.task_lease_ended where task_id = any($1::bigint[])"                   \
    " union all select task_id, requested_at, 6, 'cancel requested',"                                                            \
    "   format('by %s%s', requested_by, coalesce(': ' || reason, ''))"                                                           \
    "   from queues.task_cancel_requested where task_id = any($1::bigint[])"                                                     \
    " union all select task_id, received_at, 7, 'late result', format('lease %s, %s', lease_no, outcome)"                        \
    "   from queues.late_result where task_id = any($1::bigint[])"                                                               \
    " union all select task_id, completed_at, 8, 'completed', outcome || coalesce(', status ' || status, '')"                    \
    "   || coalesce(', lease ' || lease_no, '') || coalesce(', by ' || completed_by, '')"                                        \
    "   from queues.task_completed where task_id = any($1::bigint[])"                                                            \
    ") as story order by at, task_id, nth"

#define CHAIN_STORY                                                                                                              \
    "select (select a.attempt from queues.task_attempt as a where a.task_id = story.task_id) as attempt, task_id, " STORY

/* All columns of the task, and its history or that of all its attempts. */
#define TASK_JSON(story)                                                                                                         \
    "select jsonb_pretty(to_jsonb(s.*) || jsonb_build_object('attempt', (select a.attempt from queues.task_attempt as a"         \
    " where a.task_id = s.task_id), 'history', (select coalesce(jsonb_agg(to_jsonb(h.*)), '[]') from (" story ") as h)))"        \
    " from queues.task_state as s where s.task_id = $2::bigint"

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
    if (!db_once_query(db,
            "select t.task_id, t.task_type, t.queue, r->>'state', jsonb_pretty(t.payload), coalesce(c.ids, array[t.task_id]),"
            " format(', attempt %s of %s of task %s', r->>'attempt', r->>'max_attempts', c.ids[1]), cardinality(c.ids) > 1"
            " from queues.task as t cross join queues.task_result(t.task_id) as r left join lateral (select array_agg(a.task_id"
            " order by a.attempt) as ids from queues.task_attempt as a where a.chain_id = (select o.chain_id"
            " from queues.task_attempt as o where o.task_id = t.task_id)) as c on true where t.task_id = $1::bigint",
            1, params, &result, &err)) {
        code = command_fail(&err);
    } else if (db_result_rows(result) == 0) {
        terminal_print(stderr, "reeve: task %s does not exist\n", params[0]);
        code = EXIT_NOTHING;
    } else {
        bool is_json = command_is_json(config);
        bool is_ready = strcmp(db_result_shown(result, 0, 3), "ready") == 0;
        bool is_chain = db_result_is_true(result, 0, 7);
        char *type = must_strdup(db_result_shown(result, 0, 1));
        char *queue = must_strdup(db_result_shown(result, 0, 2));
        char *ids = must_strdup(db_result_shown(result, 0, 5));
        const char *story_params[] = {ids, params[0]};

        if (is_json) {
            code = command_print_object(
                db, is_chain ? TASK_JSON(CHAIN_STORY) : TASK_JSON("select " STORY), 2, story_params, "task", params[0]);
        } else {
            terminal_print(stdout, "task %s, %s, %s%s\n%s\n\n", db_result_shown(result, 0, 0), type,
                db_result_shown(result, 0, 3), is_chain ? db_result_shown(result, 0, 6) : "", db_result_shown(result, 0, 4));
            if (!command_print(db, config, is_chain ? CHAIN_STORY : "select " STORY, 1, story_params, NULL, &err))
                code = command_fail(&err);
        }
        if (code == EXIT_OK && is_ready)
            warn_unserved(db, type, queue);
        free(ids);
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
