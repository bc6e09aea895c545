#include "cli/command.h"

#include <unistd.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "cli/bundle.h"
#include "cli/channels.h"
#include "base/exit.h"
#include "cli/terminal.h"

#define LAST CONFIG_COUNT

/* clang-format off */
const struct command commands[] = {
    {"dev", "[DIR]", "start a private PostgreSQL in a folder, a worker, and a guided demo", 0, 1, cmd_dev, NULL,
        {CONFIG_ONCE, LAST}},
    {"install", "", "install the schema into a database", 0, 0, cmd_install, NULL,
        {CONFIG_DRY_RUN, CONFIG_RUNNER, CONFIG_STRICT, CONFIG_WITHOUT, CONFIG_WITH_EXAMPLE, LAST}},
    {"migrate", "", "bring the schema to the version of this program", 0, 0, cmd_migrate, NULL,
        {CONFIG_DRY_RUN, CONFIG_WITHOUT, CONFIG_PATIENCE, LAST}},
    {"uninstall", "", "remove the schema and everything in it", 0, 0, cmd_uninstall, NULL, {CONFIG_YES, CONFIG_DRY_RUN, LAST}},
    {"work", "", "run tasks until a signal stops the worker", 0, 0, cmd_work, NULL,
        {CONFIG_QUEUE, CONFIG_QUEUE_CONCURRENCY, CONFIG_TYPES, CONFIG_CONCURRENCY, CONFIG_NAME, CONFIG_POLL_INTERVAL,
         CONFIG_LEASE, CONFIG_STOP_GRACE, CONFIG_LOCK_TIMEOUT, CONFIG_IDLE_LOG, CONFIG_LISTEN, CONFIG_STALL_AFTER, CONFIG_INSTALLATION, CONFIG_SINGLE_INSTANCE,
         CONFIG_UNTIL_EMPTY, CONFIG_CHANNEL_CONCURRENCY, CONFIG_PER_HOST, CONFIG_HANDLER_TIMEOUT, CHANNEL_OPTIONS, LAST}},
    {"run", "-- PROGRAM [ARGUMENT ...]", "run tasks by a program in any language, as child processes", 1, CONFIG_POSITIONALS, cmd_run, NULL,
        {CONFIG_PROCESSES, CONFIG_STDIO, CONFIG_ONCE_PER_TASK, CONFIG_TYPES, CONFIG_ENV, CONFIG_ENV_FILE, CONFIG_DIRECTORY, CONFIG_USER,
         CONFIG_UMASK, CONFIG_LIMITS, CONFIG_HELLO_TIMEOUT, CONFIG_KILL_GRACE, CONFIG_PING, CONFIG_MAX_TASKS_PER_CHILD, CONFIG_CHILD_MEMORY,
         CONFIG_KEEP_OUTPUT, CONFIG_QUEUE, CONFIG_QUEUE_CONCURRENCY, CONFIG_CONCURRENCY, CONFIG_NAME, CONFIG_POLL_INTERVAL,
         CONFIG_LEASE, CONFIG_STOP_GRACE, CONFIG_LOCK_TIMEOUT, CONFIG_IDLE_LOG, CONFIG_LISTEN, CONFIG_STALL_AFTER, CONFIG_INSTALLATION, CONFIG_SINGLE_INSTANCE,
         CONFIG_UNTIL_EMPTY, CONFIG_HANDLER_TIMEOUT, LAST}},
    {"metrics list", "", "list the metrics of this program as a table", 0, 0, cmd_metrics_list, NULL, {LAST}},
    {"metrics", "", "export figures of the whole database for Prometheus", 0, 0, cmd_metrics, NULL, {CONFIG_LISTEN, LAST}},
    {"enqueue", "TYPE [JSON]", "add a task and print its id", 0, 2, cmd_enqueue, NULL,
        {CONFIG_AT, CONFIG_IN_QUEUE, CONFIG_PRIORITY, CONFIG_DEDUP_KEY, CONFIG_COMMAND, CONFIG_WAIT, LAST}},
    {"task list", "", "list tasks, newest first", 0, 0, cmd_task_list, NULL,
        {CONFIG_STATE, CONFIG_IN_QUEUE, CONFIG_TYPE, CONFIG_OUTCOME, CONFIG_LIMIT, CONFIG_OUTPUT, LAST}},
    {"task show", "ID", "show a task and its history", 1, 1, cmd_task_show, NULL, {CONFIG_OUTPUT, LAST}},
    {"task retry", "ID", "enqueue a completed task again, as a new task", 1, 1, cmd_sql,
        "select queues.retry_task($1::bigint) as task_id", {CONFIG_OUTPUT, LAST}},
    {"task cancel", "ID [REASON]", "cancel a task, or ask its run to stop", 1, 2, cmd_sql,
        "select queues.cancel_task($1::bigint, $2) as answer", {CONFIG_OUTPUT, LAST}},
    {"queue list", "", "list queues with their waiting and running tasks", 0, 0, cmd_sql,
        "select queue, ready, scheduled, running, handler_pending, waiting, oldest_ready, paused, max_running,"
        " top_level_limit from queues.queue_state order by queue", {CONFIG_OUTPUT, LAST}},
    {"queue pause", "QUEUE", "stop claims from a queue; running tasks finish", 1, 1, cmd_queue_pause, NULL, {CONFIG_FOR, LAST}},
    {"queue resume", "QUEUE", "allow claims from a paused queue again", 1, 1, cmd_sql,
        "select $1 as resumed from queues.resume_queue($1)", {LAST}},
    {"process list", "", "list supervised processes with their last result and decision", 0, 0, cmd_sql,
        "select process_id, supervisor, ids, state, next_run_at, runs, last_status, end_reason from queues.process_state"
        " order by process_id desc limit 200", {CONFIG_OUTPUT, LAST}},
    {"process show", "ID", "show the runs of a process", 1, 1, cmd_sql,
        "select run_no, task_id, ran_at, status, failed, facts, enqueued, next_run_at, quiet_runs, idle_runs"
        " from queues.process_run where process_id = $1::bigint order by run_no", {CONFIG_OUTPUT, LAST}},
    {"process revive", "ID", "give an ended process a new run", 1, 1, cmd_sql,
        "select queues.revive_process($1::bigint) as task_id", {CONFIG_OUTPUT, LAST}},
    {"process end", "ID REASON", "cancel the open runs of a process", 2, 2, cmd_sql,
        "select queues.end_process($1::bigint, $2) as was_live", {CONFIG_OUTPUT, LAST}},
    {"worker list", "", "list workers and the tasks that they hold", 0, 0, cmd_sql,
        "select worker_id, worker_name, version, state, tasks_held, started_at, seen_at, queues, types"
        " from queues.worker_state where stopped_at is null or stopped_at > now() - interval '1 day'"
        " order by started_at desc limit 100", {CONFIG_OUTPUT, LAST}},
    {"function list", "", "list functions that tasks may name", 0, 0, cmd_sql,
        "select function_name, kind, enabled, facts_function, added_at, added_by from internal.allowed_function"
        " order by function_name", {CONFIG_OUTPUT, LAST}},
    {"function allow", "FUNCTION", "register a function that tasks may name", 1, 1, cmd_function_allow, NULL,
        {CONFIG_KIND, CONFIG_OUTPUT, LAST}},
    {"function revoke", "FUNCTION", "remove the registration of a function", 1, 1, cmd_sql,
        "select internal.revoke_function($1) as was_enabled", {CONFIG_OUTPUT, LAST}},
    {"secret set", "NAME [DESCRIPTION]", "seal a secret and store it in the vault; the value is read from standard input", 1, 2,
        cmd_secret_set, NULL, {CONFIG_VAULT_KEY, CONFIG_OUTPUT, LAST}},
    {"secret list", "", "list named secrets without their values, with their users and hosts", 0, 0, cmd_sql,
        "select coalesce(s.name, a.secret_name) as name, s.description, s.is_sealed, s.updated_at,"
        " array_to_string(a.uses, ', ') as uses, array_to_string(a.hosts, ', ') as hosts, array_to_string(a.roles, ', ') as roles"
        " from internal.secret_names() as s full join internal.allowed_secret as a on a.secret_name = s.name order by 1",
        {CONFIG_OUTPUT, LAST}},
    {"secret remove", "NAME", "remove a named secret", 1, 1, cmd_sql,
        "select internal.drop_secret($1) as was_there", {CONFIG_OUTPUT, LAST}},
    {"job list", "[STATUS]", "list HTTP jobs, newest first", 0, 1, cmd_sql,
        "select job_id, job_type, url, job_status, response_status, retry_count, run_at, last_at from pgqueue.job_queue"
        " where $1::text is null or job_status::text = $1 order by job_id desc limit 200", {CONFIG_OUTPUT, LAST}},
    {"job show", "ID", "show a job, its runs and their answers", 1, 1, cmd_job_show, NULL, {CONFIG_OUTPUT, LAST}},
    {"job retry", "ID", "run a job again from the beginning", 1, 1, cmd_sql,
        "select pgqueue.retry_job($1::bigint) as task_id", {CONFIG_OUTPUT, LAST}},
    {"job cancel", "ID", "cancel a job", 1, 1, cmd_sql, "select pgqueue.cancel_job($1::bigint) as answer", {CONFIG_OUTPUT, LAST}},
    {"job replay", "URL SINCE", "run failed jobs again: those since a time whose URL begins like this", 2, 2, cmd_sql,
        "select pgqueue.replay_failed($1, $2::timestamptz) as jobs", {CONFIG_OUTPUT, LAST}},
    {"webhook list", "", "list webhooks on tables", 0, 0, cmd_sql,
        "select name, table_schema, table_name, events, url, enabled, disabled_reason from pgqueue.webhooks order by name",
        {CONFIG_OUTPUT, LAST}},
    {"webhook test", "NAME", "send a body of type TEST", 1, 1, cmd_sql, "select pgqueue.test_webhook($1) as job_id", {CONFIG_OUTPUT, LAST}},
    {"webhook pause", "NAME", "switch a webhook off; changes of rows meanwhile are not recorded", 1, 1, cmd_sql,
        "select $1 as paused, 'rows changed until it is resumed are not recorded; earlier ones are delivered' as note"
        " from pgqueue.enable_webhook($1, false)",
        {CONFIG_OUTPUT, LAST}},
    {"webhook resume", "NAME", "switch a webhook on again", 1, 1, cmd_sql,
        "select $1 as resumed from pgqueue.enable_webhook($1, true)", {CONFIG_OUTPUT, LAST}},
    {"schedule list", "", "list schedules in plain words, with their next and last fires", 0, 0, cmd_sql,
        "select schedule_name as name, words || case when next_fire is null then '; ' || state"
        " else '; next in ' || internal.wait_words(next_fire - clock_timestamp()) end as fires, state, last_fired_at, last_outcome,"
        " usual_delay, longest_delay, pause_reason from queues.schedule_state order by schedule_name", {CONFIG_OUTPUT, LAST}},
    {"schedule show", "NAME", "show a schedule and its last decisions", 1, 1, cmd_schedule_show, NULL, {CONFIG_OUTPUT, LAST}},
    {"schedule add", "NAME EXPRESSION [TYPE] [JSON]", "make or change a schedule", 2, 4, cmd_schedule_add, NULL,
        {CONFIG_FUNCTION, CONFIG_COMMAND, CONFIG_IN_QUEUE, CONFIG_PRIORITY, CONFIG_ZONE, CONFIG_OVERLAP, CONFIG_CATCH_UP, CONFIG_OUTPUT,
         LAST}},
    {"schedule remove", "NAME", "remove a schedule; its facts stay", 1, 1, cmd_sql,
        "select $1 as removed from queues.unschedule($1)", {CONFIG_OUTPUT, LAST}},
    {"schedule pause", "NAME [REASON]", "stop a schedule until it is resumed", 1, 2, cmd_sql,
        "select $1 as paused from queues.pause_schedule($1, $2)", {CONFIG_OUTPUT, LAST}},
    {"schedule resume", "NAME", "let a paused schedule go on", 1, 1, cmd_sql,
        "select $1 as resumed from queues.resume_schedule($1)", {CONFIG_OUTPUT, LAST}},
    {"schedule fire", "NAME", "fire a schedule now, besides its plan", 1, 1, cmd_sql,
        "select queues.fire_schedule($1) as task_id", {CONFIG_OUTPUT, LAST}},
    {"schedule backfill", "NAME FROM TO", "fire the slots of a time in the past that were not fired", 3, 3, cmd_sql,
        "select queues.backfill_schedule($1, $2::timestamptz, $3::timestamptz) as slots", {CONFIG_OUTPUT, LAST}},
    {"schedule next", "NAME|EXPRESSION [COUNT] [ZONE]", "show the next slots of a schedule or of an expression", 1, 3, cmd_sql,
        "select scheduled_for, local_time, 'in ' || internal.wait_words(scheduled_for - clock_timestamp()) as wait,"
        " queues.describe_schedule($1, $3) as words from queues.next_fires($1, coalesce($2::integer, 5), $3)", {CONFIG_OUTPUT, LAST}},
    {"schedule import", "FILE", "make schedules from a crontab, or from pg_cron's table with the word cron.job", 1, 1,
        cmd_schedule_import, NULL, {CONFIG_FUNCTION, CONFIG_ZONE, CONFIG_DRY_RUN, CONFIG_OUTPUT, LAST}},
    {"adopt", "", "let workers run in a copied or restored database", 0, 0, cmd_adopt, NULL,
        {CONFIG_CANCEL_OPEN, CONFIG_YES, LAST}},
    {"doctor", "", "check schema, rights, settings and invariants, and say what to do", 0, 0, cmd_doctor, NULL,
        {CONFIG_OUTPUT, CONFIG_REPAIR, CONFIG_FULL, CHANNEL_OPTIONS, LAST}},
    {"bench", "", "measure claims and throughput in a scratch database", 0, 0, cmd_bench, NULL,
        {CONFIG_TASKS, CONFIG_CONCURRENCY, LAST}},
};
/* clang-format on */
const int command_count = (int)LENGTH(commands);

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
    const char *params[CONFIG_POSITIONALS] = {NULL};

    if (!command_connect(config, &db, &code))
        return code;
    for (int i = 0; i < config->positional_count; i++)
        params[i] = config->positionals[i];
    if (!command_print(db, config, command->sql, command->operands_max, params, &rows, &err))
        code = command_fail(&err);
    else if (rows == 0 && strstr(command->name, " show") != NULL)
        code = EXIT_NOTHING;
    db_once_close(db);
    return code;
}
