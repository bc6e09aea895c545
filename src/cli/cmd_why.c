/*
 * reeve why: the sentence that explains why a task, process or job waits or has ended, and the evidence for it.
 */
#include "base/exit.h"
#include "base/parse.h"
#include "cli/command.h"
#include "cli/terminal.h"

/* What can be explained, and how to ask.  A command of the worker is a task. */
static const struct {
    const char *word; /* before the colon of the operand */
    const char *from; /* the explanation, as one row */
} subjects[] = {
    {"task", "queues.why($1::bigint)"},
    {"command", "queues.why($1::bigint)"},
    {"process", "queues.why_process($1::bigint)"},
    {"job", "pgqueue.why_job($1::bigint)"},
};

/* What is printed of an explanation w. */
static const char *const text_sql =
    "select w.reason, w.sentence || coalesce((select string_agg(E'\\nAlso: ' || (a->>'sentence'), '')"
    " from jsonb_array_elements(w.evidence->'also') as a), ''),"
    " (select string_agg(rpad(e.key, 24) || e.value, E'\\n' order by e.nth, e.key) from ("
    "  select 'reason' as key, w.reason as value, 0 as nth"
    "  union all select 'since', w.since::text, 1 where w.since is not null"
    "  union all select 'until', w.until::text, 2 where w.until is not null"
    "  union all select 'by', w.by_whom, 3 where w.by_whom is not null"
    "  union all select x.key, x.value, 4 from jsonb_each_text(w.evidence - 'also') as x) as e)";

/* Splits "job:5" into the index of its subject and the id; a plain id is that of a task. */
static bool
read_subject(const char *operand, int *ret_subject, const char **ret_id, struct err *err)
{
    const char *colon = strchr(operand, ':');
    const char *id = colon == NULL ? operand : colon + 1;
    int64_t number;
    int found = colon == NULL ? 0 : -1;

    for (int i = 0; colon != NULL && i < (int)LENGTH(subjects); i++) {
        size_t length = strlen(subjects[i].word);

        if ((size_t)(colon - operand) == length && strncmp(operand, subjects[i].word, length) == 0)
            found = i;
    }
    if (found < 0 || !parse_int(id, 1, INT64_MAX, &number, err)) {
        (void)err_set(err, ERR_REFUSED, "usage", "\"%s\" is not an id, or task:ID, command:ID, process:ID or job:ID", operand);
        return err_hint(err, "reeve why --help");
    }
    *ret_subject = found;
    *ret_id = id;
    return true;
}

int
cmd_why(const struct command *command, const struct config *config)
{
    const struct db_result *result;
    const char *params[1] = {NULL};
    struct db_once *db;
    struct err err;
    char *sql;
    int subject = 0;
    int code = EXIT_OK;

    (void)command;
    if (!read_subject(config->positionals[0], &subject, &params[0], &err))
        return command_fail(&err);
    if (!command_connect(config, &db, &code))
        return code;
    sql = must_format("%s from %s as w", text_sql, subjects[subject].from);
    if (!db_once_query(db, sql, 1, params, &result, &err)) {
        code = command_fail(&err);
    } else {
        if (strcmp(db_result_shown(result, 0, 0), "not_found") == 0)
            code = EXIT_NOTHING;
        if (strcmp(config_text(config, CONFIG_OUTPUT), "json") != 0) {
            terminal_print(stdout, "%s\n\n%s\n", db_result_shown(result, 0, 1), db_result_shown(result, 0, 2));
        } else {
            free(sql);
            sql = must_format("select * from %s as w", subjects[subject].from);
            if (!command_print(db, config, sql, 1, params, NULL, &err))
                code = command_fail(&err);
        }
    }
    free(sql);
    db_once_close(db);
    return code;
}
