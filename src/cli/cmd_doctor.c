/*
 * reeve doctor finds problems and says what to do about them.  Exit code 1: there is a problem.
 */
#include <stdio.h>
#include <time.h>

#include "base/buf.h"
#include "cli/channels.h"
#include "cli/command.h"
#include "base/exit.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/schema.h"
#include "cli/terminal.h"

/* Each check is a query that returns problem and hint; no rows: there is no problem. */
struct check_row {
    const char *area;
    const char *sql;
};

static const struct check_row checks[] = {
    {"set-up", "select area || ': ' || problem, hint from queues.advise()"},
    {"rights", "select format('role worker_service_user may not execute %s', f), 'Run: reeve migrate'"
               " from unnest(array["
               "'queues.claim_batch(uuid,text[],text[],integer,interval,jsonb,boolean,text[],integer[],integer[],integer,integer,"
               "integer)',"
               " 'queues.execute_batch(uuid,bigint[],integer[])', 'queues.renew(uuid,bigint[],integer[],interval)']) as f"
               " where not has_function_privilege('worker_service_user', f, 'execute')"},
    {"rights",
        "select format('role worker_service_user may read %s', c.oid::regclass),"
        " format('revoke all on %s from worker_service_user;', c.oid::regclass)"
        " from pg_class as c join pg_namespace as n on n.oid = c.relnamespace"
        " where n.nspname in ('queues', 'internal', 'worker', 'pgqueue', 'vault', 'comms', 'files') and c.relkind in ('r', 'v')"
        " and has_table_privilege('worker_service_user', c.oid, 'select')"},
    {"copy", "select 'this database is a copy of another installation', 'Run: reeve adopt'"
             " from (select * from internal.installation order by adopted_at desc limit 1) as i"
             " where i.database_name <> current_database()"
             " or i.database_oid <> (select oid from pg_database where datname = current_database())"},
    {"notifications", "select format('the notification queue is %s full', to_char(pg_notification_queue_usage(), 'FM0.00')),"
                      " 'Some session listens inside an open transaction.' where pg_notification_queue_usage() > 0.5"},
};

/* Parts of the invariants (queues.check_part).  Without --full only the quick parts are checked, in their quick form, whose
 * cost does not grow with history. */
static const struct {
    const char *name;
    bool has_quick_form;
} parts[] = {
    {"working_set", true},
    {"trees", true},
    {"leases", false},
    {"completions", false},
    {"dispatches", false},
    {"schedules", false},
    {"processes", false},
};

/* What was found so far. */
struct report {
    const struct config *config;
    int problems;
    int lines; /* results that were printed */
};

/* Adds a member of a JSON object; NULL is null. */
static void
add_member(struct buf *to, const char *name, const char *text)
{
    buf_printf(to, ", \"%s\": ", name);
    if (text == NULL)
        buf_puts(to, "null");
    else
        buf_json(to, text);
}

/* Prints the result of one check.  problem NULL: there is none; `note`, which may be NULL, says more then. */
static void
report_result(struct report *report, const char *area, const char *problem, const char *hint, const char *note)
{
    report->problems += problem != NULL;
    if (command_is_json(report->config)) {
        struct buf line;

        buf_init(&line, BOUND_FINDINGS_BYTES);
        buf_printf(&line, "%s{\"area\": \"%s\", \"ok\": %s", report->lines == 0 ? "[" : ",\n ", area,
            problem == NULL ? "true" : "false");
        add_member(&line, "problem", problem);
        add_member(&line, "hint", problem == NULL ? NULL : hint);
        add_member(&line, "note", note);
        terminal_print(stdout, "%s}", line.text);
        buf_release(&line);
    } else if (problem != NULL) {
        terminal_print(stdout, "WRONG  %-13s %s\n       %-13s %s\n", area, problem, "", hint);
    } else {
        terminal_print(stdout, note == NULL ? "ok     %s\n" : "ok     %-13s %s\n", area, note);
    }
    report->lines++;
}

static int
do_check(struct db_once *db, struct report *report, const struct check_row *check)
{
    const struct db_result *result;
    struct err err;

    if (!db_once_query(db, check->sql, 0, NULL, &result, &err))
        return command_fail(&err);
    for (int i = 0; i < db_result_rows(result); i++)
        report_result(report, check->area, db_result_shown(result, i, 0), db_result_shown(result, i, 1), NULL);
    if (db_result_rows(result) == 0)
        report_result(report, check->area, NULL, NULL, NULL);
    return EXIT_OK;
}

/* Checks all parts in one transaction, and so in one snapshot; on_found gets the result of each part. */
static bool
look_at_parts(struct db_once *db, const struct config *config, void (*on_found)(const struct db_result *, void *), void *cookie,
    struct err *err)
{
    bool is_full = config_is_on(config, CONFIG_FULL);
    bool ok = db_once_script(db, "begin isolation level repeatable read, read only", err);

    for (size_t i = 0; i < LENGTH(parts) && ok; i++) {
        const char *params[] = {parts[i].name, is_full ? "false" : "true"};
        const struct db_result *result;

        if (!is_full && !parts[i].has_quick_form)
            continue;
        if (is_full)
            (void)fprintf(stderr, "note: checking %s\n", parts[i].name);
        progress_step("checking %s", parts[i].name);
        ok = db_once_query(db,
            "select invariant, format('%s: %s violation(s), for example %s', invariant, violations, sample)"
            " from queues.check_part($1, $2::boolean)",
            2, params, &result, err);
        progress_clear();
        if (ok)
            on_found(result, cookie);
    }
    progress_end();
    (void)!db_once_script(db, "rollback", NULL);
    return ok;
}

/* Names of the invariants that the first check found violated, each between spaces. */
struct findings {
    struct report *report;
    struct buf *seen;
};

static void
keep_names(const struct db_result *result, void *cookie)
{
    struct findings *findings = cookie;

    for (int i = 0; i < db_result_rows(result); i++)
        buf_printf(findings->seen, " %s ", db_result_text(result, i, 0));
}

/* Reports a violation that both checks have found: a passing one is no problem. */
static void
report_again(const struct db_result *result, void *cookie)
{
    struct findings *findings = cookie;

    for (int i = 0; i < db_result_rows(result); i++) {
        char *name = must_format(" %s ", db_result_text(result, i, 0));

        if (strstr(findings->seen->text, name) != NULL)
            report_result(findings->report, "invariants", db_result_shown(result, i, 1),
                "reeve doctor --repair rebuilds the working set from the facts", NULL);
        free(name);
    }
}

static int
check_invariants(struct db_once *db, struct report *report)
{
    const struct config *config = report->config;
    struct buf seen;
    struct findings findings = {.report = report, .seen = &seen};
    int before = report->problems;
    struct err err;
    bool ok;

    buf_init(&seen, BOUND_FINDINGS_BYTES);
    ok = look_at_parts(db, config, keep_names, &findings, &err);
    if (ok && seen.length > 0)
        ok = look_at_parts(db, config, report_again, &findings, &err);
    buf_release(&seen);
    if (!ok)
        return command_fail(&err);
    if (report->problems == before)
        report_result(report, "invariants", NULL, NULL,
            config_is_on(config, CONFIG_FULL) ? "of all tasks" : "of open tasks; of all tasks: reeve doctor --full");
    return EXIT_OK;
}

/* The server's clock decides.  If this machine's clock differs, only the times in the log are wrong. */
static int
check_clock(struct db_once *db, struct report *report)
{
    const struct db_result *result;
    struct timespec now;
    struct err err;
    double skew;
    bool is_off;

    if (!db_once_query(db, "select extract(epoch from clock_timestamp())::bigint", 0, NULL, &result, &err))
        return command_fail(&err);
    (void)clock_gettime(CLOCK_REALTIME, &now);
    skew = (double)(now.tv_sec - db_result_i64(result, 0, 0, now.tv_sec));
    is_off = skew > 5 || skew < -5;
    report_result(report, "clock", is_off ? "clocks of this machine and of the database server differ by more than 5 s" : NULL,
        "Check NTP on both.", NULL);
    return EXIT_OK;
}

/* Nobody on the network must be able to read or change the connection. */
static void
check_connection(struct db_once *db, struct report *report)
{
    char mode[32];
    char text[200];
    bool is_exposed = db_once_is_exposed(db, mode, sizeof(mode));

    (void)snprintf(text, sizeof(text), "sslmode %s lets the connection to another machine go without protection", mode);
    report_result(report, "connection", is_exposed ? text : NULL,
        "Set sslmode=verify-full and sslrootcert in the connection string, or PGSSLMODE and PGSSLROOTCERT.", NULL);
}

static int
check_version(struct db_once *db, struct report *report)
{
    const struct db_result *result;
    struct err err;
    char *note;

    if (!db_once_query(db, "select to_regclass('queues.migration') is not null", 0, NULL, &result, &err))
        return command_fail(&err);
    if (!db_result_is_true(result, 0, 0)) {
        (void)fputs("reeve: Reeve is not installed in this database\nhint: Run: reeve install\n", stderr);
        return EXIT_SCHEMA;
    }
    if (!db_once_query(db,
            "select queues.schema_version(), current_setting('server_version'), (select coalesce(format('%s (pid %s)',"
            " date_trunc('second', clock_timestamp() - xact_start), pid), 'none') from pg_stat_activity"
            " where backend_xmin is not null and pid <> pg_backend_pid() and datname = current_database()"
            " order by age(backend_xmin) desc limit 1)",
            0, NULL, &result, &err))
        return command_fail(&err);
    if (db_result_i64(result, 0, 0, 0) != bundle_schema_version()) {
        terminal_print(stderr, "reeve: schema version is %s, this program has %d\nhint: %s\n", db_result_shown(result, 0, 0),
            bundle_schema_version(), schema_hint((int)db_result_i64(result, 0, 0, 0)));
        return EXIT_SCHEMA;
    }
    note = must_format(
        "schema %s, program %s, PostgreSQL %s", db_result_shown(result, 0, 0), PROGRAM_VERSION, db_result_shown(result, 0, 1));
    report_result(report, "version", NULL, NULL, note);
    free(note);
    note = must_format("oldest: %s", db_result_text(result, 0, 2) == NULL ? "none" : db_result_text(result, 0, 2));
    report_result(report, "snapshot", NULL, NULL, note);
    free(note);
    return EXIT_OK;
}

/* The channels that a worker with this environment can serve.  Only a contradiction is a problem: a machine need not serve
 * every channel. */
static void
check_channels(struct report *report)
{
    struct channel_set *channels = NULL;
    struct http_policy *policy = NULL;
    struct err err;

    if (!channels_read(report->config, &channels, &err) || !channels_read_policy(report->config, &policy, &err))
        report_result(report, "channels", err.message, "See docs/channels.md.", NULL);
    for (int n = 0; n < channel_count() && channels != NULL; n++) {
        const char *provider = channel_provider(channels, n);
        char *note = must_format("%s: %s%s", channel_adapter(n), provider == NULL ? "not configured here: " : provider,
            provider == NULL ? channel_missing(n) : "");

        report_result(report, "channel", NULL, NULL, note);
        free(note);
    }
    channel_set_free(channels);
    http_policy_free(policy);
}

static int
repair(struct db_once *db)
{
    const struct db_result *result;
    struct err err;
    bool ok;

    progress_step("rebuilding the working set");
    ok = db_once_query(db, "select queues.rebuild_working_set()", 0, NULL, &result, &err);
    progress_end();
    if (!ok)
        return command_fail(&err);
    terminal_print(stderr, "note: %s working rows were repaired\n", db_result_shown(result, 0, 0));
    return EXIT_OK;
}

int
cmd_doctor(const struct command *command, const struct config *config)
{
    struct report report = {.config = config};
    struct db_once *db;
    int code = EXIT_OK;

    (void)command;
    if (!command_connect(config, &db, &code))
        return code;
    interrupt_catch();
    interrupt_cancels(db);
    code = check_version(db, &report);
    if (code == EXIT_OK && config_is_on(config, CONFIG_REPAIR))
        code = repair(db);
    if (code == EXIT_OK)
        code = check_invariants(db, &report);
    for (size_t i = 0; i < LENGTH(checks) && code == EXIT_OK; i++)
        code = do_check(db, &report, &checks[i]);
    if (code == EXIT_OK)
        code = check_clock(db, &report);
    if (code == EXIT_OK)
        check_connection(db, &report);
    if (code == EXIT_OK)
        check_channels(&report);
    if (report.lines > 0 && command_is_json(config))
        (void)puts("]");
    interrupt_cancels(NULL);
    db_once_close(db);
    if (interrupt_is_asked())
        return EXIT_INTERRUPTED;
    return code == EXIT_OK && report.problems > 0 ? EXIT_UNEXPECTED : code;
}
