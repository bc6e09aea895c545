#include "cli/top_feed.h"

#include <string.h>
#include <time.h>

#include "base/buf.h"

static const char *const part_sql[TOP_PARTS] = {
    [TOP_QUEUES] = "select * from queues.top_queues()",
    [TOP_WORKERS] = "select * from queues.top_workers()",
    [TOP_RUNNING] = "select * from queues.top_running()",
    [TOP_FAILURES] = "select * from queues.top_failures()",
};

static const char *const act_sql[ACTS] = {
    [ACT_PAUSE] = "select 'queue ' || $1 || ' is paused' from queues.pause_queue($1)",
    [ACT_RESUME] = "select 'queue ' || $1 || ' is resumed' from queues.resume_queue($1)",
    [ACT_RETRY] = "select 'task ' || $1 || ' runs again as task ' || queues.retry_task($1::bigint)",
    [ACT_CANCEL] = "select 'task ' || $1 || ': ' || queues.cancel_task($1::bigint, 'cancelled in reeve top')",
};

bool
top_begin(struct db_once *db, struct err *err)
{
    return db_once_script(db, "set application_name = 'reeve top'; set statement_timeout = '15s'; set lock_timeout = '5s'", err);
}

static struct top_table
copy_rows(const struct db_result *result)
{
    struct top_table table = {.rows = db_result_rows(result), .columns = db_result_columns(result)};

    table.cells = must_alloc(((size_t)table.rows * (size_t)table.columns + 1) * sizeof(table.cells[0]));
    for (int row = 0; row < table.rows; row++) {
        for (int column = 0; column < table.columns; column++) {
            const char *text = db_result_text(result, row, column);

            table.cells[row * table.columns + column] = text == NULL ? NULL : must_strdup(text);
        }
    }
    return table;
}

static int64_t
now_ms(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

bool
top_ask(struct db_once *db, struct top_figures *ret_figures, struct err *err)
{
    struct top_figures figures = {.took_ms = now_ms()};
    const struct db_result *result;

    if (!db_once_query(db,
            "select current_database(), to_char(clock_timestamp(), 'HH24:MI:SS'),"
            " has_function_privilege('queues.cancel_task(bigint, text)', 'execute')",
            0, NULL, &result, err))
        return false;
    (void)snprintf(figures.database, sizeof(figures.database), "%s", db_result_shown(result, 0, 0));
    (void)snprintf(figures.clock, sizeof(figures.clock), "%s", db_result_shown(result, 0, 1));
    figures.may_act = db_result_is_true(result, 0, 2);
    for (int part = 0; part < TOP_PARTS; part++) {
        if (!db_once_query(db, part_sql[part], 0, NULL, &result, err)) {
            top_figures_release(&figures);
            return false;
        }
        figures.parts[part] = copy_rows(result);
    }
    figures.took_ms = now_ms() - figures.took_ms;
    *ret_figures = figures;
    return true;
}

bool
top_look(struct db_once *db, const char *task_id, struct top_table *ret_lines, struct err *err)
{
    const struct db_result *result;

    if (!db_once_query(db, "select * from queues.top_task($1::bigint)", 1, &task_id, &result, err))
        return false;
    *ret_lines = copy_rows(result);
    return true;
}

bool
top_do(struct db_once *db, enum top_act act, const char *operand, char *ret_answer, size_t size, struct err *err)
{
    const struct db_result *result;

    if (!db_once_query(db, act_sql[act], 1, &operand, &result, err))
        return false;
    (void)snprintf(ret_answer, size, "%s", db_result_shown(result, 0, 0));
    return true;
}
