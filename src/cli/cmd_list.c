/*
 * Lists of things that grow, and counts: task list, process list, job list, queue list.  The functions behind them look at a
 * bounded part of history (sql/schema/look); what a list did not look at is said on stderr, with the cursor to go on.
 */
#include "base/exit.h"
#include "cli/command.h"
#include "cli/terminal.h"

/* A list: one statement that answers with a page ($1 ... are the options of the command, in their order), and one that makes rows
 * of the page ($1). */
struct list {
    const char *name; /* of the command */
    const char *page;
    const char *rows;
};

#define PAGE(call)                                                                                                               \
    "select l.page, l.page->>'cursor', l.page->>'scanned', l.page->>'looked_back_to'"                                            \
    " from (select " call " as page offset 0) as l"
#define ROWS(columns) "select r.* from jsonb_to_recordset($1::jsonb->'rows') as r(" columns ")"

/* The newest rows of a table with a time, since $1, at most $2, below $3. */
#define LATEST(table, id, columns, at)                                                                                           \
    "select p.page, p.page->>'cursor', null, null from (select jsonb_build_object('rows', coalesce(jsonb_agg(to_jsonb(t.*)"      \
    " order by t." id " desc), '[]'), 'cursor', case when count(*) = $2::integer then min(t." id ") end) as page"                \
    " from (select " columns " from " table " where ($1::text is null or " at                                                    \
    " >= " COMMAND_SINCE("$1") ")"                                                                                               \
                               " and ($3::bigint is null or " id " < $3::bigint) order by " id                                   \
                               " desc limit $2::integer) as t) as p"

static const struct list lists[] = {
    {"task list",
        PAGE("queues.list_tasks(_state => $1, _outcome => $2, _task_type => $3, _queue => $4, _since => " COMMAND_SINCE(
            "$5") ", _until => " COMMAND_SINCE("$6") ", _error_like => $7, _limit => $8::integer, _cursor => $9)"),
        ROWS("task_id bigint, task_type text, queue text, priority bigint, state text, status text, scheduled_at timestamptz,"
             " completed_at timestamptz, last_error text")},
    {"process list",
        PAGE("queues.list_processes(_state => $1, _supervisor => $2, _since => " COMMAND_SINCE("$3") ", _until => " COMMAND_SINCE(
            "$4") ", _limit => $5::integer, _cursor => $6)"),
        ROWS(
            "process_id bigint, supervisor text, ids jsonb, state text, next_run_at timestamptz, runs integer, last_status text,"
            " end_reason text, created_at timestamptz, last_run_at timestamptz, ended_at timestamptz, parent_process_id bigint")},
    {"job list",
        PAGE("pgqueue.list_jobs(_status => $1, _job_type => $2, _url => $3, _since => " COMMAND_SINCE(
            "$4") ", _until => " COMMAND_SINCE("$5") ", _limit => $6::integer, _cursor => $7)"),
        ROWS("job_id bigint, job_type text, url text, job_status text, response_status integer, retry_count integer, run_at "
             "timestamptz,"
             " last_at timestamptz")},
    {"audit list", LATEST("queues.audit", "audit_id", "audit_id, acted_at, actor, action, object, detail", "acted_at"),
        ROWS("audit_id bigint, acted_at timestamptz, actor text, action text, object text, detail jsonb")},
    {"bulk list",
        LATEST("queues.bulk_state", "act_id",
            "act_id, kind, state, counted, done, skipped, refused, remaining, made_at, made_by, started_at", "made_at"),
        ROWS(
            "act_id bigint, kind text, state text, counted bigint, done bigint, skipped bigint, refused bigint, remaining bigint,"
            " made_at timestamptz, made_by text, started_at timestamptz")},
};

/* Says what the page did not show. */
static void
say_rest(const struct config *config, int rows, const char *cursor, const char *scanned, const char *looked_back_to)
{
    if (cursor == NULL || config_is_on(config, CONFIG_WATCH))
        return;
    if (rows >= config_number(config, CONFIG_LIMIT))
        terminal_print(stderr, "note: there may be more; to go on: --cursor %s\n", cursor);
    else
        terminal_print(stderr, "note: looked at %s, back to %s; to look further back: --cursor %s\n", scanned,
            looked_back_to == NULL ? "an unknown time" : looked_back_to, cursor);
}

/* An empty list may come from a name with a slip: says that nothing has this name. */
static void
say_unknown(struct db_once *db, const char *kind, const char *name)
{
    const char *params[] = {kind, name};
    const struct db_result *result;

    if (name != NULL
        && db_once_query(db, "select not exists (select 1 from queues.find($2) as f where f.kind = $1 and f.id = $2)", 2, params,
            &result, NULL)
        && db_result_is_true(result, 0, 0))
        terminal_print(stderr, "note: there is no %s \"%s\"; see: reeve %s list\n", kind, name, kind);
}

static bool
print_page(struct db_once *db, const struct command *command, const struct config *config, struct err *err)
{
    const char *params[CONFIG_COUNT] = {NULL};
    const struct list *list = lists;
    const struct db_result *result;
    char *cells[4] = {NULL};
    int rows = 0;
    bool ok;

    while (strcmp(list->name, command->name) != 0)
        list++; /* Every command with this function is in the table. */
    for (int i = 0; command->keys[i] != CONFIG_COUNT; i++)
        params[i] = config_text(config, command->keys[i]);
    if (!db_once_query(db, list->page, command_parameters(list->page), params, &result, err))
        return false;
    for (int i = 0; i < 4; i++)
        cells[i] = db_result_text(result, 0, i) == NULL ? NULL : must_strdup(db_result_text(result, 0, i));
    params[0] = cells[0];
    ok = command_print_columns(db, config, command->columns, list->rows, 1, params, &rows, err);
    if (ok)
        say_rest(config, rows, cells[1], cells[2], cells[3]);
    if (ok && rows == 0 && strcmp(list->name, "task list") == 0) {
        say_unknown(db, "queue", config_text(config, CONFIG_OF_QUEUE));
        say_unknown(db, "type", config_text(config, CONFIG_TYPE));
    }
    for (int i = 0; i < 4; i++)
        free(cells[i]);
    return ok;
}

int
cmd_list(const struct command *command, const struct config *config)
{
    struct db_once *db;
    struct err err;
    int code = EXIT_OK;

    if (!command_connect(config, &db, &code))
        return code;
    if (!print_page(db, command, config, &err))
        code = command_fail(&err);
    db_once_close(db);
    return code;
}

/* --- counts ------------------------------------------------------------------------------ */

static bool
print_counts(struct db_once *db, const struct command *command, const struct config *config, struct err *err)
{
    const struct db_result *result;
    const char *params[1] = {NULL};
    char *counts;
    bool ok;

    if (!db_once_query(db,
            "select c.counts, c.counts->>'age_s', (c.counts->>'age_s')::numeric >= 0.5 from (select queues.open_counts() as "
            "counts offset 0) as c",
            0, NULL, &result, err))
        return false;
    if (db_result_is_true(result, 0, 2))
        terminal_print(stderr, "note: counted %.1f s ago, for all who ask\n", db_result_number(result, 0, 1));
    counts = must_strdup(db_result_shown(result, 0, 0));
    params[0] = counts;
    ok = command_print_columns(db, config, command->columns,
        "select r.* from jsonb_to_recordset($1::jsonb->'queues') as r(queue text, ready bigint, scheduled bigint, running bigint,"
        " handler_pending bigint, waiting bigint, oldest_ready timestamptz, paused boolean, max_running integer, top_level_limit "
        "integer)",
        1, params, NULL, err);
    free(counts);
    return ok;
}

int
cmd_queue_list(const struct command *command, const struct config *config)
{
    struct db_once *db;
    struct err err;
    int code = EXIT_OK;

    if (!command_connect(config, &db, &code))
        return code;
    if (!print_counts(db, command, config, &err))
        code = command_fail(&err);
    db_once_close(db);
    return code;
}
