/*
 * reeve job show: the request of an HTTP job, then each run and its answer.
 */
#include "cli/command.h"
#include "base/exit.h"
#include "cli/terminal.h"

/* Each run of the job, with its answer. */
#define RUNS                                                                                                                     \
    "select r.job_run as run, r.task_id, t.scheduled_at as due, c.completed_at as ended, coalesce(c.status,"                     \
    " c.outcome) as status, coalesce(f.response_status, e.response_status) as answer,"                                           \
    " left(coalesce(f.response_content, e.response_content), 200) as content from pgqueue.job_run as r join"                     \
    " queues.task as t on t.task_id = r.task_id left join queues.task_completed as c on c.task_id = r.task_id left"              \
    " join pgqueue.failed_log as f on f.job_id = r.job_id and f.job_run = r.job_run left join pgqueue.job_ended as"              \
    " e on e.job_id = r.job_id and e.job_run = r.job_run where r.job_id = $1::bigint order by r.job_run"

static const char *const job_json =
    "select jsonb_pretty(to_jsonb(j.*) || jsonb_build_object('runs', (select coalesce(jsonb_agg(to_jsonb(r.*)), '[]') from (" RUNS
    ") as r))) from pgqueue.job_queue as j where j.job_id = $1::bigint";

int
cmd_job_show(const struct command *command, const struct config *config)
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
        code = command_print_object(db, job_json, 1, params, "job", params[0]);
    } else if (!db_once_query(db,
                   "select job_id, job_type, url, job_status, coalesce(jsonb_pretty(payload), '') from pgqueue.job_queue"
                   " where job_id = $1::bigint",
                   1, params, &result, &err)) {
        code = command_fail(&err);
    } else if (db_result_rows(result) == 0) {
        terminal_print(stderr, "reeve: job %s does not exist\n", params[0]);
        code = EXIT_NOTHING;
    } else {
        terminal_print(stdout, "job %s, %s %s, %s\n%s\n\n", db_result_shown(result, 0, 0), db_result_shown(result, 0, 1),
            db_result_shown(result, 0, 2), db_result_shown(result, 0, 3), db_result_shown(result, 0, 4));
        if (!command_print(db, config, RUNS, 1, params, NULL, &err))
            code = command_fail(&err);
    }
    db_once_close(db);
    return code;
}
