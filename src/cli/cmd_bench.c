/*
 * reeve bench measures this server and this program in a scratch database, which is dropped afterwards.  The ratios within
 * one bench matter: the same claim with and without history, with and without scheduled tasks.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "cli/command.h"
#include "base/exit.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/terminal.h"

/* HISTORY: tasks of a history, at most, and so many for each task of --tasks. */
enum { CLAIMS = 60, CLAIM_SIZE = 50, RIVALS = 8, RIVAL_CLAIMS = 2000, HISTORY = 1000000, HISTORY_PER_TASK = 100 };

struct bench {
    const struct config *config;
    struct db_once *db; /* connection to the scratch database */
    char *conninfo;     /* connection string of the scratch database */
    struct err err;
};

static double
now_s(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static bool
ask(struct bench *bench, const char *sql, const char *param, int64_t *ret_number)
{
    const struct db_result *result;
    const char *params[] = {param};

    if (!db_once_query(bench->db, sql, param == NULL ? 0 : 1, params, &result, &bench->err))
        return false;
    if (ret_number != NULL)
        *ret_number = db_result_i64(result, 0, 0, -1);
    return true;
}

static int
compare(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The median time of a claim of 50 tasks from the front, in microseconds. */
static bool
measure_claim(struct bench *bench, double *ret_us)
{
    double times[CLAIMS];
    char total[16];

    (void)snprintf(total, sizeof(total), "%d", CLAIMS * CLAIM_SIZE);
    if (!ask(bench,
            "select count(*) from queues.enqueue_many('db_function', array(select '{\"db_function\": \"bench.noop\"}'::jsonb"
            " from generate_series(1, $1::integer)))",
            total, NULL))
        return false;
    for (int i = 0; i < CLAIMS; i++) {
        double start = now_s();
        int64_t claimed;

        if (!ask(bench,
                "select count(*) from queues.claim('00000000-0000-4000-8000-0000000000be', '{default}',"
                " '{db_function}', 50, '1 hour', null, null, false)",
                NULL, &claimed))
            return false;
        times[i] = (now_s() - start) * 1e6;
        if (claimed != CLAIM_SIZE)
            return err_set(&bench->err, ERR_REFUSED, "", "claim returned %" PRId64 " tasks instead of %d", claimed, CLAIM_SIZE);
    }
    qsort(times, CLAIMS, sizeof(times[0]), compare);
    *ret_us = times[CLAIMS / 2];
    return ask(bench,
        "select count(*) from queues.release('00000000-0000-4000-8000-0000000000be',"
        " (select array_agg(task_id order by task_id) from queues.running),"
        " (select array_agg(lease_no order by task_id) from queues.running), '1 hour')",
        NULL, NULL);
}

/* History: tasks that were leased and completed, with the rows that the engine would have left. */
static const char history_sql[] =
    "with t as (insert into queues.task (task_type, payload, enqueued_at, queue)"
    "   select 'db_function', '{\"db_function\": \"bench.noop\"}', now(), 'default' from generate_series(1, $1::integer) "
    "returning "
    "task_id),"
    " l as (insert into queues.task_lease (task_id, leased_at, expires_at, lease_no, holder_id)"
    "   select task_id, now(), now() + interval '1 minute', 1, 0 from t)"
    " insert into queues.task_completed (task_id, completed_at, outcome, lease_no) select task_id, clock_timestamp(),"
    " 'succeeded', 1 from t";

static const char future_sql[] =
    "select count(*) from queues.enqueue_many('db_function', array(select '{\"db_function\": \"bench.noop\"}'::jsonb"
    " from generate_series(1, $1::integer)), now() + interval '1 day')";

/* Each measurement starts in the same state: pages that were claimed from before, no dead rows, and statistics.  The first
 * claims after a bulk load are slow because of its checkpoint. */
static bool
measure_settled_claim(struct bench *bench, double *ret_us)
{
    return measure_claim(bench, ret_us) && ask(bench, "vacuum analyze", NULL, NULL) && measure_claim(bench, ret_us);
}

static bool
compare_claims(struct bench *bench)
{
    int64_t count = config_number(bench->config, CONFIG_TASKS) * HISTORY_PER_TASK;
    char tasks[24];
    double empty;
    double history;
    double future;

    (void)snprintf(tasks, sizeof(tasks), "%" PRId64, count < HISTORY ? count : HISTORY);
    progress_step("claims from an empty history");
    if (!measure_settled_claim(bench, &empty))
        return false;
    progress_step("making %s completed tasks", tasks);
    if (!ask(bench, history_sql, tasks, NULL))
        return false;
    progress_step("claims beside %s completed tasks", tasks);
    if (!measure_settled_claim(bench, &history))
        return false;
    progress_step("making %s scheduled tasks", tasks);
    if (!ask(bench, future_sql, tasks, NULL))
        return false;
    progress_step("claims beside %s scheduled tasks", tasks);
    if (!measure_settled_claim(bench, &future))
        return false;
    progress_clear();
    (void)printf("claim of %d, empty history                 %9.0f us\n", CLAIM_SIZE, empty);
    (void)printf("claim of %d, %s completed tasks       %9.0f us   ratio %.2f\n", CLAIM_SIZE, tasks, history, history / empty);
    (void)printf("claim of %d, and %s scheduled tasks   %9.0f us   ratio %.2f\n", CLAIM_SIZE, tasks, future, future / empty);
    return true;
}

/* One of several processes that claim at once; its exit code tells whether it succeeded. */
static void
be_rival(const struct bench *bench)
{
    struct db_once *db;

    (void)signal(SIGINT, SIG_DFL);
    (void)signal(SIGTERM, SIG_DFL);
    if (!db_once_open(bench->conninfo, NULL, &db, NULL))
        _exit(1);
    for (int i = 0; i < RIVAL_CLAIMS; i++) {
        if (!db_once_query(db,
                "select 1 from queues.claim('00000000-0000-4000-8000-0000000000be', '{default}', '{db_function}', 1,"
                " '1 hour', null, null, false)",
                0, NULL, NULL, NULL))
            _exit(1);
    }
    db_once_close(db);
    _exit(0);
}

/* Waits for a child, which is asked to end if the user interrupts.  True: it ended without an error. */
static bool
wait_for_child(pid_t child, struct rusage *ret_usage)
{
    int status = 0;

    while (wait4(child, &status, 0, ret_usage) != child) {
        if (errno != EINTR)
            return false;
        if (interrupt_is_asked())
            (void)kill(child, SIGTERM);
    }
    return status == 0;
}

static bool
count_duplicates(struct bench *bench)
{
    pid_t rivals[RIVALS];
    char total[16];
    int64_t leases;
    int64_t distinct;
    double start;
    bool ok = true;

    (void)snprintf(total, sizeof(total), "%d", RIVALS * RIVAL_CLAIMS);
    if (!ask(bench,
            "select count(*) from queues.enqueue_many('db_function', array(select '{\"db_function\": \"bench.noop\"}'::jsonb"
            " from generate_series(1, $1::integer)), now() - interval '1 hour')",
            total, NULL)
        || !ask(bench, "select max(task_lease_id) from queues.task_lease", NULL, &leases))
        return false;
    start = now_s();
    progress_step("%d connections that claim", RIVALS);
    for (int i = 0; i < RIVALS; i++) {
        rivals[i] = fork();
        if (rivals[i] == 0)
            be_rival(bench);
    }
    for (int i = 0; i < RIVALS; i++)
        ok = wait_for_child(rivals[i], NULL) && ok;
    progress_clear();
    (void)snprintf(total, sizeof(total), "%" PRId64, leases);
    if (!ok || !ask(bench, "select count(*) from queues.task_lease where task_lease_id > $1::bigint", total, &leases)
        || !ask(
            bench, "select count(distinct task_id) from queues.task_lease where task_lease_id > $1::bigint", total, &distinct))
        return ok || err_set(&bench->err, ERR_REFUSED, "", "a claiming connection failed");
    (void)printf("%d connections x %d claims                %9" PRId64 " leases, %" PRId64 " duplicates, %.0f claims/s\n", RIVALS,
        RIVAL_CLAIMS, leases, leases - distinct, (double)leases / (now_s() - start));
    return leases == distinct || err_set(&bench->err, ERR_REFUSED, "", "a task was handed out twice");
}

/* Runs a worker until no task is due. */
static bool
measure_drain(struct bench *bench, const char *tasks)
{
    int64_t left;
    double start;
    double took;
    struct rusage usage;
    pid_t child;

    progress_step("drain of %s tasks", tasks);
    if (!ask(bench,
            "select count(*) from queues.enqueue_many('db_function', array(select '{\"db_function\": \"bench.noop\"}'::jsonb"
            " from generate_series(1, $1::integer)))",
            tasks, NULL))
        return false;
    start = now_s();
    child = fork();
    if (child == 0) {
        (void)execl("/proc/self/exe", "reeve", "work", "--until-empty", "--log-level", "warn", "--database-url", bench->conninfo,
            "--concurrency", config_text(bench->config, CONFIG_CONCURRENCY), (char *)NULL);
        _exit(127);
    }
    if (!wait_for_child(child, &usage))
        return err_set(&bench->err, ERR_REFUSED, "", "the worker failed");
    took = now_s() - start;
    if (!ask(bench, "select count(*) from queues.ready where available_at <= now()", NULL, &left))
        return false;
    progress_clear();
    (void)printf("drain of %s no-op functions            %9.0f /s   (%s connections, %.1f s)\n", tasks,
        strtod(tasks, NULL) / took, config_text(bench->config, CONFIG_CONCURRENCY), took);
    (void)printf("worker's resident memory                   %9.1f MB, %.2f s of CPU\n", (double)usage.ru_maxrss / 1024,
        (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
            + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6);
    return left == 0 || err_set(&bench->err, ERR_REFUSED, "", "%" PRId64 " tasks were left", left);
}

static bool
measure_enqueue(struct bench *bench)
{
    double start = now_s();
    int count = 2000;

    progress_step("%d tasks, enqueued one by one", count);
    for (int i = 0; i < count; i++) {
        if (!ask(bench, "select queues.enqueue('db_function', '{\"db_function\": \"bench.noop\"}', now() + interval '1 day')",
                NULL, NULL))
            return false;
    }
    progress_clear();
    (void)printf("enqueue one by one, one connection         %9.0f /s\n", count / (now_s() - start));
    return true;
}

static const char setup_sql[] =
    "create schema bench;"
    "create function bench.noop(_payload jsonb) returns jsonb language sql immutable"
    " as $$ select '{\"status\": \"succeeded\"}'::jsonb $$;"
    "select internal.allow_function('bench.noop');"
    "select queues.start_worker('00000000-0000-4000-8000-0000000000be', 'bench', 'bench', queues.schema_version());";

static bool
measure_all(struct bench *bench)
{
    int64_t violations;

    return db_once_script(bench->db, setup_sql, &bench->err) && measure_enqueue(bench)
           && measure_drain(bench, config_text(bench->config, CONFIG_TASKS))
           && ask(bench, "select count(*) from queues.check()", NULL, &violations)
           && (violations == 0 || err_set(&bench->err, ERR_REFUSED, "", "%" PRId64 " invariants are violated", violations))
           && count_duplicates(bench) && compare_claims(bench);
}

/* Makes the scratch database, and its connection string from that of the server. */
static bool
open_scratch(struct bench *bench, struct db_once *server, const char *name)
{
    const char *base = config_text(bench->config, CONFIG_DATABASE_URL);
    char *sql = must_format("create database %s", name);
    bool ok = db_once_script(server, sql, &bench->err);

    free(sql);
    if (!ok)
        return false;
    /* libpq takes the last dbname of a string; a URI gets it as a parameter. */
    if (strstr(base, "://") != NULL)
        bench->conninfo = must_format("%s%sdbname=%s", base, strchr(base, '?') == NULL ? "?" : "&", name);
    else
        bench->conninfo = must_format("%s dbname=%s", base, name);
    return true;
}

int
cmd_bench(const struct command *command, const struct config *config)
{
    struct bench bench = {.config = config};
    struct config ours = *config;
    struct db_once *server;
    char name[64];
    char *drop;
    int code = EXIT_OK;
    bool ok;

    if (!command_connect(config, &server, &code))
        return code;
    interrupt_catch();
    (void)snprintf(name, sizeof(name), "reeve_bench_%d", (int)getpid());
    drop = must_format("drop database if exists %s with (force)", name);
    ok = open_scratch(&bench, server, name);
    if (ok) {
        ours.values[CONFIG_DATABASE_URL] = bench.conninfo;
        ours.values[CONFIG_RUNNER] = "invoker";
        ours.values[CONFIG_DRY_RUN] = NULL;
        ours.values[CONFIG_STRICT] = NULL;
        ok = cmd_install(command, &ours) == EXIT_OK || err_set(&bench.err, ERR_REFUSED, "", "could not install the schema");
    }
    ok = ok && db_once_open(bench.conninfo, NULL, &bench.db, &bench.err);
    if (ok) {
        interrupt_cancels(bench.db);
        ok = measure_all(&bench) && !interrupt_is_asked();
        interrupt_cancels(NULL);
    }
    progress_end();
    if (!ok && !interrupt_is_asked())
        code = command_fail(&bench.err);
    db_once_close(bench.db);
    if (!db_once_script(server, drop, &bench.err))
        terminal_print(stderr, "note: database %s is left: %s\n", name, bench.err.message);
    else if (interrupt_is_asked())
        terminal_print(stderr, "reeve: interrupted; the scratch database is removed\n");
    if (interrupt_is_asked())
        code = EXIT_INTERRUPTED;
    db_once_close(server);
    free(drop);
    free(bench.conninfo);
    return code;
}
