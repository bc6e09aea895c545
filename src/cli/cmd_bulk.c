/*
 * Acts on one thing or on many: task retry and cancel, process revive, job retry and cancel; and reeve bulk, which shows and
 * continues acts.  The database freezes the ids of an act and records the result of each, so this file only shows the count,
 * asks, calls queues.run_bulk until nothing is left, and says how to go on if it is interrupted.
 */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/bounds.h"
#include "base/buf.h"
#include "base/exit.h"
#include "base/parse.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "db/sqlstate.h"

/* A command that acts, and its words in the database. */
struct verb {
    const char *name;                     /* of the command */
    const char *kind;                     /* of the act */
    const char *things;                   /* what it acts on */
    const char *done;                     /* what is done to them */
    const char *one;                      /* statement for a single id ($1); $2 is the reason of a cancel */
    const char *examples;                 /* rows of the examples ($1) of a preview */
    enum config_key outcome, type, state; /* options of these filters; CONFIG_COUNT: the command has none */
};

#define TASK_EXAMPLES                                                                                                            \
    "select * from jsonb_to_recordset($1::jsonb) as e(task_id bigint, type text, queue text, outcome text, enqueued_at "         \
    "timestamptz,"                                                                                                               \
    " completed_at timestamptz, error text)"
#define JOB_EXAMPLES                                                                                                             \
    "select * from jsonb_to_recordset($1::jsonb) as e(job_id bigint, type text, url text, status text, created_at timestamptz)"

static const struct verb verbs[] = {
    {"task retry", "task_retry", "tasks", "retried", "select queues.retry_task($1::bigint) as task_id", TASK_EXAMPLES,
        CONFIG_OUTCOME, CONFIG_TYPE, CONFIG_COUNT},
    {"task cancel", "task_cancel", "tasks", "cancelled", "select queues.cancel_task($1::bigint, $2) as answer", TASK_EXAMPLES,
        CONFIG_COUNT, CONFIG_TYPE, CONFIG_STATE},
    {"process revive", "process_revive", "processes", "revived", "select queues.revive_process($1::bigint) as task_id",
        "select * from jsonb_to_recordset($1::jsonb) as e(process_id bigint, supervisor text, ids jsonb, end_reason text,"
        " ended_at timestamptz, message text)",
        CONFIG_END_REASON, CONFIG_SUPERVISOR, CONFIG_COUNT},
    {"job retry", "job_retry", "jobs", "run again", "select pgqueue.retry_job($1::bigint) as task_id", JOB_EXAMPLES,
        CONFIG_JOB_STATUS, CONFIG_JOB_TYPE, CONFIG_COUNT},
    {"job cancel", "job_cancel", "jobs", "cancelled", "select pgqueue.cancel_job($1::bigint) as answer", JOB_EXAMPLES,
        CONFIG_COUNT, CONFIG_JOB_TYPE, CONFIG_JOB_STATE},
};

static const char *const preview_sql =
    "select act_id, counted, scanned, oldest_id, oldest_at, cursor, examples from queues.preview_bulk($1, _outcome => $2,"
    " _type => $3, _queue => $4, _state => $5,"
    " _since => coalesce(clock_timestamp() - make_interval(secs => $6::double precision), $7::timestamptz),"
    " _until => coalesce(clock_timestamp() - make_interval(secs => $8::double precision), $9::timestamptz),"
    " _error_like => $10, _url => $11, _all => $12::boolean, _reason => $13, _ids => $14::bigint[])";

/* What a preview answered.  preview_release frees the texts. */
struct preview {
    char *act, *counted, *scanned, *oldest_id, *oldest_at, *cursor,
        *examples; /* cursor, oldest_id, oldest_at: NULL if there is none */
};

static char *
copy_cell(const struct db_result *result, int column)
{
    const char *text = db_result_text(result, 0, column);

    return text == NULL ? NULL : must_strdup(text);
}

static void
preview_read(struct preview *preview, const struct db_result *result)
{
    *preview = (struct preview){.act = copy_cell(result, 0),
        .counted = copy_cell(result, 1),
        .scanned = copy_cell(result, 2),
        .oldest_id = copy_cell(result, 3),
        .oldest_at = copy_cell(result, 4),
        .cursor = copy_cell(result, 5),
        .examples = copy_cell(result, 6)};
}

static void
preview_release(struct preview *preview)
{
    free(preview->act);
    free(preview->counted);
    free(preview->scanned);
    free(preview->oldest_id);
    free(preview->oldest_at);
    free(preview->cursor);
    free(preview->examples);
}

/* Prints count and examples on stdout, and on stderr how far back the search looked. */
static bool
preview_print(
    const struct preview *preview, const struct verb *verb, struct db_once *db, const struct config *config, struct err *err)
{
    const char *params[] = {preview->act, preview->counted, preview->scanned, preview->oldest_id, preview->oldest_at,
        preview->cursor, preview->examples};
    const char *examples[] = {preview->examples};

    if (command_is_json(config))
        return command_print(db, config,
            "select $1::bigint as act_id, $2::bigint as counted, $3::bigint as scanned, $4::bigint as oldest_id,"
            " $5::timestamptz as oldest_at, $6::bigint as cursor, $7::jsonb as examples",
            7, params, NULL, err);
    terminal_print(stdout, "act %s: %s %s to be %s%s\n", preview->act, preview->counted, verb == NULL ? "things" : verb->things,
        verb == NULL ? "acted on" : verb->done, strcmp(preview->counted, "0") == 0 ? "" : ", for example:\n");
    if (verb != NULL && strcmp(preview->counted, "0") != 0 && !command_print(db, config, verb->examples, 1, examples, NULL, err))
        return false;
    (void)fflush(stdout);
    if (preview->cursor != NULL)
        terminal_print(stderr,
            "note: looked at the newest %s, back to %s of %s; there may be older ones\nnote: to look further back: reeve bulk "
            "extend "
            "%s\n",
            preview->scanned, preview->cursor, preview->oldest_at == NULL ? "an unknown time" : preview->oldest_at, preview->act);
    return true;
}

/* --- carrying out -------------------------------------------------------------------- */

/* Progress of an act. */
struct progress {
    int64_t counted, done, skipped, refused;
    int64_t shown_ms; /* time of the last line, in milliseconds; 0: none yet */
    bool is_terminal; /* stderr is one: the line is written over */
};

static int64_t
now_ms(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void
progress_show(struct progress *progress, bool is_last)
{
    int64_t ended = progress->done + progress->skipped + progress->refused;
    int64_t now = now_ms();

    if (!is_last && progress->shown_ms != 0 && now - progress->shown_ms < (progress->is_terminal ? 100 : 1000))
        return;
    progress->shown_ms = now;
    (void)fprintf(stderr, "%s%" PRId64 " of %" PRId64 " (%d %%), %" PRId64 " skipped, %" PRId64 " refused%s",
        progress->is_terminal ? "\r" : "", ended, progress->counted,
        progress->counted == 0 ? 100 : (int)(100 * ended / progress->counted), progress->skipped, progress->refused,
        progress->is_terminal && !is_last ? "  " : "\n");
    (void)fflush(stderr);
}

/* Calls queues.run_bulk until nothing is left.  An error that passes is tried again.  False: `err` says what failed; if the user
 * has interrupted, interrupt_is_asked is true. */
static bool
run_batches(struct db_once *db, const char *act, struct progress *progress, struct err *err)
{
    const char *params[] = {act};
    const struct db_result *result;
    int failures = 0;

    while (!interrupt_is_asked()) {
        if (!db_once_query(
                db, "select done, skipped, refused, is_finished from queues.run_bulk($1::bigint)", 1, params, &result, err)) {
            if (interrupt_is_asked() || !sqlstate_is_passing(err->code) || ++failures > BOUND_BULK_TRIES)
                return false;
            (void)usleep(100000);
            continue;
        }
        failures = 0;
        progress->done += db_result_i64(result, 0, 0, 0);
        progress->skipped += db_result_i64(result, 0, 1, 0);
        progress->refused += db_result_i64(result, 0, 2, 0);
        if (db_result_is_true(result, 0, 3))
            return true;
        progress_show(progress, false);
    }
    return err_set(err, ERR_REFUSED, "", "interrupted");
}

/* Carries an act out from where it stands, with progress on stderr and its state at the end on stdout.  Returns the exit code. */
static int
carry_out(struct db_once *db, const struct config *config, const char *act)
{
    const char *params[] = {act};
    struct progress progress = {.is_terminal = isatty(STDERR_FILENO) == 1};
    const struct db_result *result;
    struct err err;
    bool ok;

    if (!db_once_query(db, "select counted, done, skipped, refused from queues.bulk_state where act_id = $1::bigint", 1, params,
            &result, &err))
        return command_fail(&err);
    if (db_result_rows(result) == 0) {
        terminal_print(stderr, "reeve: act %s does not exist\n", act);
        return EXIT_NOTHING;
    }
    progress.counted = db_result_i64(result, 0, 0, 0);
    progress.done = db_result_i64(result, 0, 1, 0);
    progress.skipped = db_result_i64(result, 0, 2, 0);
    progress.refused = db_result_i64(result, 0, 3, 0);
    interrupt_catch();
    interrupt_cancels(db);
    ok = run_batches(db, act, &progress, &err);
    interrupt_cancels(NULL);
    progress_show(&progress, true);
    if (!ok) {
        int code = interrupt_is_asked() ? EXIT_INTERRUPTED : command_fail(&err);

        terminal_print(stderr, "note: the act is not finished; to go on: reeve bulk resume %s\n", act);
        return code;
    }
    if (!command_print(db, config,
            "select act_id, kind, state, counted, done, skipped, refused from queues.bulk_state where act_id = $1::bigint", 1,
            params, NULL, &err))
        return command_fail(&err);
    if (progress.skipped + progress.refused > 0)
        terminal_print(stderr, "note: to see what was skipped or refused: reeve bulk show %s\n", act);
    return progress.refused > 0 ? EXIT_REFUSED : EXIT_OK;
}

/* --- what is meant ------------------------------------------------------------------- */

static bool
is_number(const char *text)
{
    return text[0] != '\0' && text[strspn(text, "0123456789")] == '\0';
}

/* Writes the ids among the operands as an array literal; the last operand of "task cancel" may be a reason instead.  *ret_count
 * is the number of ids. */
static bool
read_ids(const struct verb *verb, const struct config *config, struct buf *ids, int *ret_count, const char **ret_reason,
    struct err *err)
{
    int count = config->positional_count;

    if (count > 0 && strcmp(verb->kind, "task_cancel") == 0 && !is_number(config->positionals[count - 1]))
        *ret_reason = config->positionals[--count];
    for (int i = 0; i < count; i++) {
        const char *text = config->positionals[i];
        int64_t id;

        if (!is_number(text) || !parse_int(text, 0, INT64_MAX, &id, err))
            return err_set(err, ERR_REFUSED, "22P02", "\"%s\" is not an id", text);
        buf_printf(ids, "%s%" PRId64, i == 0 ? "{" : ",", id);
    }
    if (count > 0)
        buf_puts(ids, "}");
    *ret_count = count;
    return true;
}

/* A point in time: a duration before now, in seconds, or a time for the server to read. */
static void
read_time(const char *text, char *seconds, size_t size, const char **ret_seconds, const char **ret_time)
{
    struct err err;
    int64_t ms;

    if (text == NULL)
        return;
    if (parse_duration_ms(text, &ms, &err)) {
        (void)snprintf(seconds, size, "%.3f", (double)ms / 1000);
        *ret_seconds = seconds;
    } else {
        *ret_time = text;
    }
}

static const char *
filter_text(const struct config *config, enum config_key key)
{
    return key == CONFIG_COUNT ? NULL : config_text(config, key);
}

/* Asks on a terminal whether to go on.  Elsewhere nobody is asked. */
static bool
is_confirmed(const struct config *config, const struct verb *verb, const struct preview *preview)
{
    char line[16] = "";

    if (config_is_on(config, CONFIG_YES) || isatty(STDIN_FILENO) != 1)
        return true;
    terminal_print(stderr, "%s %s will be %s.  Continue? [yes/no] ", preview->counted, verb->things, verb->done);
    if (fgets(line, sizeof(line), stdin) != NULL && strcmp(line, "yes\n") == 0)
        return true;
    terminal_print(stderr, "note: nothing was done; to do it later: reeve bulk resume %s\n", preview->act);
    return false;
}

static int
act_on_many(const struct verb *verb, const struct config *config, struct db_once *db, const char *const *params)
{
    const struct db_result *result;
    struct preview preview;
    struct err err;
    int code = EXIT_OK;

    progress_step("looking for %s", verb->things);
    if (!db_once_query(db, preview_sql, 14, params, &result, &err))
        return command_fail(&err);
    progress_end();
    preview_read(&preview, result);
    if (config_is_on(config, CONFIG_DRY_RUN)) {
        if (!preview_print(&preview, verb, db, config, &err))
            code = command_fail(&err);
        else if (strcmp(preview.counted, "0") != 0)
            terminal_print(stderr, "note: nothing was done; to do exactly this: reeve bulk resume %s\n", preview.act);
    } else if (params[13] == NULL && isatty(STDIN_FILENO) == 1 && !config_is_on(config, CONFIG_YES)
               && !preview_print(&preview, verb, db, config, &err)) {
        code = command_fail(&err);
    } else {
        if (preview.cursor != NULL)
            terminal_print(stderr, "note: looked at the newest %s, back to %s of %s; older ones are not in this act\n",
                preview.scanned, preview.cursor, preview.oldest_at == NULL ? "an unknown time" : preview.oldest_at);
        terminal_print(stderr, "act %s: %s %s\n", preview.act, preview.counted, verb->things);
        if (params[13] != NULL || is_confirmed(config, verb, &preview))
            code = carry_out(db, config, preview.act);
        else
            code = EXIT_USAGE;
    }
    preview_release(&preview);
    return code;
}

int
cmd_act(const struct command *command, const struct config *config)
{
    const struct verb *verb = verbs;
    const char *params[14] = {NULL};
    const char *one[2] = {config->positionals[0], NULL};
    char since[32], until[32];
    struct db_once *db = NULL;
    struct buf ids;
    struct err err;
    int count = 0;
    int code = EXIT_OK;
    bool has_filter = false;
    bool ok;

    while (strcmp(verb->name, command->name) != 0)
        verb++; /* Every command with this function is in the table. */
    buf_init(&ids, BOUND_ID_LIST_BYTES);
    params[0] = verb->kind;
    params[1] = filter_text(config, verb->outcome);
    params[2] = filter_text(config, verb->type);
    params[3] = config_text(config, CONFIG_OF_QUEUE);
    params[4] = filter_text(config, verb->state);
    read_time(config_text(config, CONFIG_ENDED_SINCE), since, sizeof(since), &params[5], &params[6]);
    read_time(config_text(config, CONFIG_UNTIL), until, sizeof(until), &params[7], &params[8]);
    params[9] = config_text(config, CONFIG_ERROR_LIKE);
    params[10] = config_text(config, CONFIG_URL_PREFIX);
    for (int i = 1; i <= 10; i++)
        has_filter = has_filter || params[i] != NULL;
    params[11] = config_is_on(config, CONFIG_ALL) ? "t" : "f";
    ok = read_ids(verb, config, &ids, &count, &params[12], &err);
    one[1] = params[12];
    if (ok && count > 0 && (has_filter || config_is_on(config, CONFIG_ALL)))
        ok = err_set(&err, ERR_REFUSED, "usage", "ids and a filter exclude each other");
    else if (ok && count == 0 && !has_filter && !config_is_on(config, CONFIG_ALL))
        ok = err_set(&err, ERR_REFUSED, "usage", "no id and no filter; --all acts on all %s", verb->things);
    if (!ok) {
        if (strcmp(err.code, "usage") == 0)
            (void)err_hint(&err, "reeve %s --help", verb->name);
        code = command_fail(&err);
    } else if (command_connect(config, &db, &code)) {
        if (count == 1 && !config_is_on(config, CONFIG_DRY_RUN)) {
            if (!command_print(db, config, verb->one, strcmp(verb->kind, "task_cancel") == 0 ? 2 : 1, one, NULL, &err))
                code = command_fail(&err);
        } else {
            params[13] = count > 0 ? ids.text : NULL;
            code = act_on_many(verb, config, db, params);
        }
        db_once_close(db);
    }
    buf_release(&ids);
    return code;
}

/* --- reeve bulk ---------------------------------------------------------------------- */

int
cmd_bulk_resume(const struct command *command, const struct config *config)
{
    struct db_once *db;
    int code = EXIT_OK;

    (void)command;
    if (!command_connect(config, &db, &code))
        return code;
    code = carry_out(db, config, config->positionals[0]);
    db_once_close(db);
    return code;
}

int
cmd_bulk_extend(const struct command *command, const struct config *config)
{
    const char *params[] = {config->positionals[0]};
    const struct verb *verb = NULL;
    const struct db_result *result;
    struct preview preview;
    struct db_once *db;
    struct err err;
    int code = EXIT_OK;

    (void)command;
    if (!command_connect(config, &db, &code))
        return code;
    if (!db_once_query(db, "select a.kind from queues.bulk_state as a where a.act_id = $1::bigint", 1, params, &result, &err)) {
        db_once_close(db);
        return command_fail(&err);
    }
    for (size_t i = 0; db_result_rows(result) > 0 && i < LENGTH(verbs); i++)
        if (strcmp(verbs[i].kind, db_result_shown(result, 0, 0)) == 0)
            verb = &verbs[i];
    progress_step("looking further back");
    if (!db_once_query(db,
            "select act_id, counted, scanned, oldest_id, oldest_at, cursor, examples from queues.extend_bulk($1::bigint)", 1,
            params, &result, &err)) {
        code = command_fail(&err);
    } else {
        progress_end();
        preview_read(&preview, result);
        if (!preview_print(&preview, verb, db, config, &err))
            code = command_fail(&err);
        preview_release(&preview);
    }
    db_once_close(db);
    return code;
}

/* Prints an act, then what was skipped or refused. */
static int
print_act(struct db_once *db, const struct config *config, const char *act)
{
    const char *params[] = {act};
    struct err err;

    if (command_is_json(config))
        return command_print_object(db,
            "select jsonb_pretty(to_jsonb(b.*) || jsonb_build_object('problems', (select coalesce(jsonb_agg(to_jsonb(d.*) - "
            "'act_id'"
            " order by d.target_id), '[]') from (select x.* from queues.bulk_done as x where x.act_id = b.act_id and x.result <> "
            "'done'"
            " order by x.target_id limit 1000) as d))) from queues.bulk_state as b where b.act_id = $1::bigint",
            1, params, "act", act);
    if (!command_print(db, config,
            "select x.key as field, x.value from queues.bulk_state as b cross join lateral jsonb_each_text(jsonb_strip_nulls("
            "to_jsonb(b.*))) as x where b.act_id = $1::bigint",
            1, params, NULL, &err))
        return command_fail(&err);
    (void)putchar('\n');
    if (!command_print(db, config,
            "select target_id as id, result, message from queues.bulk_done where act_id = $1::bigint and result <> 'done'"
            " order by target_id limit 100",
            1, params, NULL, &err))
        return command_fail(&err);
    return EXIT_OK;
}

int
cmd_bulk_show(const struct command *command, const struct config *config)
{
    const char *params[] = {config->positionals[0]};
    const struct db_result *result;
    struct db_once *db;
    struct err err;
    int code = EXIT_OK;

    (void)command;
    if (!command_connect(config, &db, &code))
        return code;
    if (!db_once_query(db, "select 1 from queues.bulk_state where act_id = $1::bigint", 1, params, &result, &err)) {
        code = command_fail(&err);
    } else if (db_result_rows(result) == 0) {
        terminal_print(stderr, "reeve: act %s does not exist\n", params[0]);
        code = EXIT_NOTHING;
    } else {
        code = print_act(db, config, params[0]);
    }
    db_once_close(db);
    return code;
}
