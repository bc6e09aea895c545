/*
 * reeve migrate.  A migration runs beside live traffic, in many small transactions.  None of them waits for a relation while
 * it holds another one that users lock, and each waits for less than the server's deadlock_timeout.  So no transaction of a
 * user is in a deadlock with it, in whatever order users lock, and each step runs as soon as the holders of its relation end.
 *
 *   tables     each statement of the pending files that is not named below; recorded as made in the same transaction
 *   code       one transaction: drop view; functions, new views, rows, grants; alter type; the version; and of the functions to
 *              be dropped those whose calls a new one takes
 *   data       each update of the pending files
 *   relations  views and triggers that differ, one relation after the other
 *   functions  the other functions to be dropped, once the transactions have ended that may be in the midst of an old function
 *              which calls them
 *
 * Every transaction takes the advisory lock and reads the progress.  So a new migrate continues one that was interrupted, and
 * two at a time do no harm.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "cli/command.h"
#include "base/exit.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/schema.h"
#include "cli/steps.h"

/* Another migration may take long, so the timeouts of the login do not apply to this lock. */
#define BEGIN_SQL "begin;\nset local statement_timeout = 0;\nset local lock_timeout = 0;\n" SCHEMA_LOCK_SQL

/* Key of the progress in internal.config, which is there during a migration. */
#define PROGRESS_KEY "'migrating'"

/* Progress that a transaction reads under the lock. */
struct plan {
    struct modules modules;
    int applied;        /* number of files whose functions are installed */
    int first;          /* index of the first file of this migration */
    size_t tables_made; /* number of its table steps that are made */
    bool is_under_way;  /* its progress is recorded */
};

struct migration {
    struct db_once *db;
    const struct config *config;
    struct plan plan;
    struct steps steps;     /* steps of all files */
    struct steps relations; /* steps of bundle_relations */
    struct steps code;      /* steps of bundle_reapply */
    struct buf script;      /* SQL of this transaction */
    int added;
    bool is_dry_run;
    bool is_left; /* after the last transaction, there is more to do of its kind */
};

/* Time at which a function of the old version is dropped. */
enum drop_time {
    DROP_NEVER,     /* the function does not exist */
    DROP_WITH_CODE, /* a new function takes its calls */
    DROP_LAST       /* statements under way may call it, and no new function takes the call */
};

/* One transaction: fills the script and sends it. */
typedef bool transact_fn(struct migration *m, const struct step *step, struct err *err);

/* A module that was left out stays out; a module that is installed cannot be left out any more. */
static bool
read_left_out(struct db_once *db, const char *list, struct modules *modules, struct err *err)
{
    struct modules wanted = {0};
    const struct db_result *result;

    *modules = (struct modules){0};
    if (!modules_leave_out(&wanted, list, err)
        || !db_once_query(db,
            "select string_agg(m, ',') from internal.config as c, jsonb_array_elements_text(c.value) as m"
            " where c.key = 'without'",
            0, NULL, &result, err)
        || !modules_leave_out(modules, db_result_text(result, 0, 0), err))
        return false;
    for (int i = 0; i < MODULE_COUNT; i++) {
        if (!wanted.is_left_out[i] || modules->is_left_out[i])
            continue;
        if (!db_once_query(db,
                "select exists (select 1 from pg_class as c where c.oid = to_regclass($1)"
                " and pg_get_userbyid(c.relowner) = 'queues_owner')",
                1, &module_tables[i], &result, err))
            return false;
        if (db_result_is_true(result, 0, 0))
            return err_set(err, ERR_REFUSED, "usage", "module %s is installed already", module_names[i]);
        modules->is_left_out[i] = true;
    }
    return true;
}

static bool
refuse_other_content(const char *name, struct err *err)
{
    (void)err_set(err, ERR_REFUSED, "QU004", "migration %s was applied with another content", name);
    return err_hint(
        err, "A migration never changes after it was applied: this program is not the one that installed the schema.");
}

static bool
refuse_version(int version, struct err *err)
{
    int first = bundle_migrations[0].version;

    if (version < first)
        (void)err_set(err, ERR_REFUSED, "QU004", "schema version %d is older than all that can be migrated (%d)", version, first);
    else
        (void)err_set(
            err, ERR_REFUSED, "QU004", "schema version %d is newer than this program (%d)", version, bundle_schema_version());
    return err_hint(err, "%s", schema_hint(version));
}

/* Compares the applied migrations with those of the program. */
static bool
read_applied(struct db_once *db, int *ret_applied, struct err *err)
{
    const struct db_result *result;

    if (!db_once_query(db, "select version, name, checksum from queues.migration order by version", 0, NULL, &result, err))
        return false;
    *ret_applied = db_result_rows(result);
    for (int i = 0; i < *ret_applied; i++) {
        if (i >= bundle_migration_count || bundle_migrations[i].version != db_result_i64(result, i, 0, 0))
            return refuse_version((int)db_result_i64(result, *ret_applied - 1, 0, 0), err);
        if (strcmp(bundle_migrations[i].checksum, db_result_shown(result, i, 2)) != 0)
            return refuse_other_content(bundle_migrations[i].name, err);
    }
    return true;
}

/* The table step of this migration with this number; NULL: there are fewer. */
static const struct step *
find_table_step(const struct migration *m, size_t number)
{
    for (size_t i = 0; i < m->steps.count; i++) {
        const struct step *step = &m->steps.items[i];

        if (step->kind == STEP_TABLE && step->file >= m->plan.first && number-- == 0)
            return step;
    }
    return NULL;
}

/* Reads the progress of the last migration, if it did not end. */
static bool
read_progress(struct migration *m, struct err *err)
{
    const struct step *last;
    const struct db_result *result;
    struct buf left_out;
    bool is_same;

    if (!db_once_query(m->db,
            "select value->>'first', value->>'tables', value->>'checksum', value->>'without' from internal.config"
            " where key = " PROGRESS_KEY,
            0, NULL, &result, err))
        return false;
    m->plan.is_under_way = db_result_rows(result) > 0;
    m->plan.first = m->plan.is_under_way ? (int)db_result_i64(result, 0, 0, 0) : m->plan.applied;
    m->plan.tables_made = m->plan.is_under_way ? (size_t)db_result_i64(result, 0, 1, 0) : 0;
    if (!m->plan.is_under_way)
        return true;
    buf_init(&left_out, SCHEMA_SCRIPT_MAX);
    buf_puts(&left_out, "");
    modules_add_names(&m->plan.modules, &left_out);
    is_same = strcmp(left_out.text, db_result_shown(result, 0, 3)) == 0;
    buf_release(&left_out);
    if (!is_same)
        return err_set(err, ERR_REFUSED, "usage", "a migration has begun with --without \"%s\"", db_result_shown(result, 0, 3));
    last = m->plan.tables_made == 0 ? NULL : find_table_step(m, m->plan.tables_made - 1);
    if (m->plan.tables_made > 0
        && (last == NULL || strcmp(bundle_migrations[last->file].checksum, db_result_shown(result, 0, 2)) != 0))
        return refuse_other_content(last == NULL ? "of another program" : bundle_migrations[last->file].name, err);
    return true;
}

/* Cuts the texts into steps, without the modules that are left out. */
static void
cut(struct migration *m)
{
    struct buf text;

    buf_init(&text, SCHEMA_SCRIPT_MAX);
    for (int i = 0; i < bundle_migration_count; i++) {
        buf_clear(&text);
        modules_add_sql(&m->plan.modules, &text, bundle_migrations[i].sql);
        steps_add(&m->steps, i, text.text);
    }
    buf_clear(&text);
    modules_add_sql(&m->plan.modules, &text, bundle_relations);
    steps_add(&m->relations, 0, text.text);
    buf_clear(&text);
    modules_add_sql(&m->plan.modules, &text, bundle_reapply);
    steps_add(&m->code, 0, text.text);
    buf_release(&text);
}

static bool
read_plan(struct migration *m, struct err *err)
{
    if (!read_left_out(m->db, config_text(m->config, CONFIG_WITHOUT), &m->plan.modules, err))
        return false;
    if (m->steps.count == 0)
        cut(m);
    return read_applied(m->db, &m->plan.applied, err) && read_progress(m, err);
}

/* A step waits for a lock for less time than a user's transaction waits before it checks for a deadlock.  If the role may set
 * deadlock_timeout, the step checks earlier than users do: then the step gives way, and autovacuum gives way to it. */
static void
add_patience(struct buf *script)
{
    buf_printf(script,
        "select set_config('lock_timeout', greatest(least(setting::integer * 3 / 4, %d), 1)::text, true) from pg_settings"
        " where name = 'deadlock_timeout';\n"
        "select set_config('deadlock_timeout', '%d', true) from pg_roles where rolname = current_user and rolsuper;\n",
        BOUND_MIGRATE_WAIT_MS, BOUND_MIGRATE_LOOK_MS);
}

/* Begin the script.  The transaction itself is open already, or is printed. */
static void
begin_script(struct migration *m, const char *step)
{
    buf_clear(&m->script);
    if (m->is_dry_run)
        buf_puts(&m->script, BEGIN_SQL);
    add_patience(&m->script);
    schema_add_left_out(&m->script, &m->plan.modules);
    if (step != NULL)
        buf_printf(&m->script, "set local reeve.step = '%s';\n", step);
}

static bool
send_script(struct migration *m, const char *end, struct err *err)
{
    buf_puts(&m->script, end);
    if (!m->is_dry_run)
        return db_once_script(m->db, m->script.text, err);
    (void)fputs(m->script.text, stdout);
    return true;
}

static void
add_step(struct buf *script, const struct step *step)
{
    buf_printf(script, "%s\n", step->sql);
}

static void
add_role(struct buf *script)
{
    buf_puts(script, "set local role queues_owner;\n");
}

/* Records the number of table steps made; `last` is the last of them, or NULL. */
static void
add_progress(struct migration *m, size_t tables_made, const struct step *last)
{
    buf_printf(&m->script,
        "insert into internal.config (key, value) values (" PROGRESS_KEY ", jsonb_build_object("
        "'first', %d, 'tables', %zu, 'checksum', '%s', 'without', '",
        m->plan.first, tables_made, last == NULL ? "" : bundle_migrations[last->file].checksum);
    modules_add_names(&m->plan.modules, &m->script);
    buf_puts(&m->script, "')) on conflict (key) do update set value = excluded.value;\n");
}

/* The schemas, with the role of the installer.  Objects that are in the way are refused before anything has changed. */
static bool
make_schemas(struct migration *m, const struct step *step, struct err *err)
{
    (void)step;
    begin_script(m, NULL);
    modules_add_sql(&m->plan.modules, &m->script, bundle_schemas);
    return send_script(m, "commit;\n", err);
}

/* The next table step, if there is one. */
static bool
make_table_step(struct migration *m, const struct step *step, struct err *err)
{
    const struct step *next = find_table_step(m, m->plan.tables_made);

    (void)step;
    m->is_left = next != NULL;
    if (next == NULL)
        return m->is_dry_run || db_once_script(m->db, "rollback", err);
    begin_script(m, NULL);
    add_role(&m->script);
    add_step(&m->script, next);
    add_progress(m, ++m->plan.tables_made, next);
    return send_script(m, "commit;\n", err);
}

/* Adds the steps of this kind of files whose functions are not installed yet. */
static void
add_code_steps(struct migration *m, enum step_kind kind)
{
    for (size_t i = 0; i < m->steps.count; i++) {
        if (m->steps.items[i].kind == kind && m->steps.items[i].file >= m->plan.applied)
            add_step(&m->script, &m->steps.items[i]);
    }
}

/* When is the function of this step to be dropped? */
static bool
when_to_drop(struct migration *m, const struct step *step, enum drop_time *ret, struct err *err)
{
    const struct db_result *result;
    struct buf function;
    const char *name;
    bool ok;

    buf_init(&function, SCHEMA_SCRIPT_MAX);
    steps_function(step, &function);
    name = function.text;
    ok = db_once_query(m->db, "select pronargs - pronargdefaults, pronargs from pg_proc where oid = to_regprocedure($1)", 1,
        &name, &result, err);
    if (!ok || db_result_rows(result) == 0)
        *ret = DROP_NEVER;
    else
        *ret = steps_take_calls(&m->code, name, (int)db_result_i64(result, 0, 0, 0), (int)db_result_i64(result, 0, 1, 0))
                   ? DROP_WITH_CODE
                   : DROP_LAST;
    buf_release(&function);
    return ok;
}

/* Functions whose calls are calls of new ones.  Those could not be made, or not be called, beside them. */
static bool
add_replaced(struct migration *m, struct err *err)
{
    for (size_t i = 0; i < m->steps.count; i++) {
        const struct step *step = &m->steps.items[i];
        enum drop_time when;

        if (step->kind != STEP_FUNCTION || step->file < m->plan.applied)
            continue;
        if (!when_to_drop(m, step, &when, err))
            return false;
        if (when == DROP_WITH_CODE)
            add_step(&m->script, step);
    }
    return true;
}

static bool
add_code(struct migration *m, struct err *err)
{
    size_t made = m->plan.tables_made;

    begin_script(m, "look");
    add_role(&m->script);
    for (int i = m->plan.applied; i < bundle_migration_count; i++)
        schema_add_row(&m->script, &bundle_migrations[i]);
    add_code_steps(m, STEP_VIEW);
    if (!add_replaced(m, err))
        return false;
    buf_puts(&m->script, "reset role;\n");
    modules_add_sql(&m->plan.modules, &m->script, bundle_reapply);
    add_role(&m->script);
    schema_keep_left_out(&m->script, &m->plan.modules);
    if (m->plan.applied < bundle_migration_count)
        add_progress(m, made, made == 0 ? NULL : find_table_step(m, made - 1));
    add_code_steps(m, STEP_TYPE); /* This comes last, because workers wait while a type changes. */
    return true;
}

/* One text for functions, views, triggers, grants and first rows; NULL on an error.  Freed by the caller. */
static char *
read_fingerprint(struct db_once *db, struct err *err)
{
    const struct db_result *result;

    if (!db_once_query(db, bundle_fingerprint, 0, NULL, &result, err))
        return NULL;
    return must_strdup(db_result_text(result, 0, 0));
}

/* Functions, new views, rows and grants.  Without new files the transaction is kept only if it changed something, so
 * that nobody has to plan anew for nothing. */
static bool
make_code(struct migration *m, const struct step *step, struct err *err)
{
    char *before = NULL;
    char *after = NULL;
    bool ok;

    (void)step;
    if (!add_code(m, err))
        return false;
    if (m->is_dry_run || m->plan.applied < bundle_migration_count)
        return send_script(m, "commit;\n", err);
    before = read_fingerprint(m->db, err);
    ok = before != NULL && send_script(m, "reset role;\n", err);
    if (ok)
        after = read_fingerprint(m->db, err);
    ok = ok && after != NULL && db_once_script(m->db, strcmp(before, after) == 0 ? "rollback" : "commit", err);
    free(before);
    free(after);
    return ok;
}

static bool
make_later_step(struct migration *m, const struct step *step, struct err *err)
{
    if (step->file < m->plan.first)
        return m->is_dry_run || db_once_script(m->db, "rollback", err);
    begin_script(m, NULL);
    add_role(&m->script);
    add_step(&m->script, step);
    return send_script(m, "commit;\n", err);
}

/* Does this text find a view or a trigger that differs?  The check takes no lock. */
static bool
look_at_relations(struct migration *m, const struct step *step, struct err *err)
{
    const struct db_result *result;

    begin_script(m, "look");
    add_role(&m->script);
    add_step(&m->script, step);
    if (!send_script(m, "", err)
        || !db_once_query(m->db, "select current_setting('reeve.step') = 'wanted'", 0, NULL, &result, err))
        return false;
    m->is_left = db_result_is_true(result, 0, 0);
    return db_once_script(m->db, "rollback", err);
}

/* Changes one relation.  All statements are sent at once, so that no lock is held during a round trip. */
static bool
make_relation(struct migration *m, const struct step *step, struct err *err)
{
    begin_script(m, m->is_dry_run ? NULL : "one");
    add_role(&m->script);
    add_step(&m->script, step);
    return send_script(m, "commit;\n", err);
}

/* Drop a function that nobody needs any more, if it is there. */
static bool
drop_function(struct migration *m, const struct step *step, struct err *err)
{
    enum drop_time when;

    if (!when_to_drop(m, step, &when, err))
        return false;
    if (when == DROP_LAST)
        return make_later_step(m, step, err);
    return m->is_dry_run || db_once_script(m->db, "rollback", err);
}

static bool
forget_progress(struct migration *m, const struct step *step, struct err *err)
{
    (void)step;
    begin_script(m, NULL);
    add_role(&m->script);
    buf_puts(&m->script, "delete from internal.config where key = " PROGRESS_KEY ";\n");
    return send_script(m, "commit;\n", err);
}

/* May another try succeed?  Another session held a lock; or, rarely and without an SQLSTATE of its own, it changed the same
 * row of the catalogue. */
static bool
is_worth_a_try(const struct err *err, int tries)
{
    return strcmp(err->code, "55P03") == 0 || strcmp(err->code, "40P01") == 0 || (strcmp(err->code, "XX000") == 0 && tries < 3);
}

static int64_t
now_ms(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void
pause_ms(int64_t ms)
{
    (void)usleep((useconds_t)ms * 1000);
}

/* The pause before another try grows and is random, so that tries do not coincide with regular work of users. */
static int64_t
pause_after(int tries)
{
    int longest = tries * BOUND_MIGRATE_PAUSE_MS < BOUND_MIGRATE_REST_MS ? tries * BOUND_MIGRATE_PAUSE_MS : BOUND_MIGRATE_REST_MS;

    return longest / 2 + now_ms() * 7919 % (longest / 2);
}

/* Has this migration waited since then for as long as it may? */
static bool
is_out_of_patience(const struct migration *m, int64_t since_ms)
{
    return now_ms() - since_ms >= config_ms(m->config, CONFIG_PATIENCE);
}

static bool
is_interrupted(struct err *err)
{
    return interrupt_is_asked() && !err_set(err, ERR_REFUSED, "", "interrupted");
}

/* Says what is being done, on stderr. */
static void
say_phase(const struct migration *m, const char *what)
{
    if (!m->is_dry_run)
        progress_step("migrating: %s", what);
}

/* One transaction, tried until it succeeds or others stay in its way. */
static bool
transact(struct migration *m, transact_fn *make, const struct step *step, struct err *err)
{
    int64_t start = now_ms();

    for (int tries = 1;; tries++) {
        bool ok = m->is_dry_run || (!is_interrupted(err) && db_once_script(m->db, BEGIN_SQL, err) && read_plan(m, err));

        if (ok && make(m, step, err))
            return true;
        (void)!db_once_script(m->db, "rollback", NULL);
        if (interrupt_is_asked() || !is_worth_a_try(err, tries))
            return false;
        progress_clear();
        if (is_out_of_patience(m, start))
            return err_hint(err, "A transaction stays open that uses our tables: see pg_stat_activity, and migrate again.");
        (void)fprintf(stderr, "note: a table is in use (%s); try %d of this step follows\n", err->message, tries + 1);
        pause_ms(pause_after(tries));
    }
}

/* The same, followed by a pause of the same length, for a step that users may have waited for. */
static bool
transact_gently(struct migration *m, transact_fn *make, const struct step *step, struct err *err)
{
    int64_t start = now_ms();

    if (!transact(m, make, step, err))
        return false;
    if (!m->is_dry_run)
        pause_ms(now_ms() - start < BOUND_MIGRATE_REST_MS ? now_ms() - start : BOUND_MIGRATE_REST_MS);
    return true;
}

static bool
make_tables(struct migration *m, struct err *err)
{
    say_phase(m, "tables");
    do {
        if (!transact_gently(m, make_table_step, NULL, err))
            return false;
    } while (m->is_left);
    return true;
}

/* Steps of this kind, which come behind the code. */
static bool
make_later(struct migration *m, enum step_kind kind, transact_fn *make, struct err *err)
{
    say_phase(m, kind == STEP_DATA ? "data" : "functions of the old version");
    for (size_t i = 0; i < m->steps.count; i++) {
        const struct step *step = &m->steps.items[i];

        if (step->kind == kind && step->file >= m->plan.first && !transact_gently(m, make, step, err))
            return false;
    }
    return true;
}

/* Is there a function with DROP_LAST? */
static bool
has_last_functions(struct migration *m, bool *ret, struct err *err)
{
    *ret = false;
    for (size_t i = 0; i < m->steps.count && !*ret; i++) {
        enum drop_time when = DROP_NEVER;

        if (m->steps.items[i].kind == STEP_FUNCTION && m->steps.items[i].file >= m->plan.first
            && !when_to_drop(m, &m->steps.items[i], &when, err))
            return false;
        *ret = when == DROP_LAST;
    }
    return true;
}

/* Read into `ret` which transactions of others are under way in this database, as an array in the server's words, or nothing;
 * `among`, if it is not NULL, is such an array, and the others do not count. */
static bool
read_under_way(struct db_once *db, const char *among, struct buf *ret, struct err *err)
{
    const struct db_result *result;

    if (!db_once_query(db,
            "select coalesce(array_agg(l.virtualtransaction)::text, '') from pg_locks as l join pg_stat_activity as a on a.pid = "
            "l.pid"
            " where l.locktype = 'virtualxid' and l.virtualxid = l.virtualtransaction and l.pid <> pg_backend_pid()"
            " and a.datname = current_database() and a.backend_type is distinct from 'autovacuum worker'"
            " and ($1::text[] is null or l.virtualtransaction = any($1))",
            1, &among, &result, err))
        return false;
    buf_clear(ret);
    buf_puts(ret, db_result_shown(result, 0, 0));
    return true;
}

/* Waits for the end of the transactions under way, as long as there is patience: one of their statements may be inside an old
 * function.  No lock is held meanwhile. */
static bool
wait_for_others(struct migration *m, bool *ret_have_ended, struct err *err)
{
    int64_t start = now_ms();
    struct buf others;
    bool ok;

    buf_init(&others, SCHEMA_SCRIPT_MAX);
    ok = read_under_way(m->db, NULL, &others, err);
    progress_clear();
    if (ok && others.length > 0)
        (void)fputs("note: waiting for transactions that are under way and may use functions of the old version\n", stderr);
    for (int tries = 1; ok && others.length > 0 && !is_out_of_patience(m, start); tries++) {
        pause_ms(pause_after(tries));
        ok = !is_interrupted(err) && read_under_way(m->db, others.text, &others, err);
    }
    *ret_have_ended = ok && others.length == 0;
    buf_release(&others);
    return ok;
}

/* Drops functions of the old version with DROP_LAST, unless a transaction stays open that may need them. */
static bool
drop_functions(struct migration *m, struct err *err)
{
    bool have_ended = true;
    bool has_any;

    say_phase(m, "functions of the old version");
    if (!has_last_functions(m, &has_any, err))
        return false;
    if (has_any && !m->is_dry_run && !wait_for_others(m, &have_ended, err))
        return false;
    m->is_left = !have_ended;
    if (!m->is_left)
        return make_later(m, STEP_FUNCTION, drop_function, err);
    progress_clear();
    (void)fputs(
        "note: a transaction stays open (see pg_stat_activity), and with it functions of the old version, which do no harm;"
        " migrate again to remove them\n",
        stderr);
    return true;
}

/* All that one statement of the views and triggers finds. */
static bool
make_relations_of(struct migration *m, const struct step *step, struct err *err)
{
    if (m->is_dry_run)
        return make_relation(m, step, err);
    for (;;) {
        if (!transact(m, look_at_relations, step, err))
            return false;
        if (!m->is_left)
            return true;
        if (!transact_gently(m, make_relation, step, err))
            return false;
    }
}

static bool
make_relations(struct migration *m, struct err *err)
{
    say_phase(m, "views and triggers");
    for (size_t i = 0; i < m->relations.count; i++) {
        const struct step *step = &m->relations.items[i];

        /* Comments are part of the code. */
        if (strncmp(step->sql, "do ", 3) == 0 && !make_relations_of(m, step, err))
            return false;
    }
    return true;
}

/* Functions, views, rows and grants, in one transaction. */
static bool
make_all_code(struct migration *m, struct err *err)
{
    say_phase(m, "functions, views and grants");
    return transact(m, make_code, NULL, err);
}

static bool
migrate(struct migration *m, struct err *err)
{
    if (!read_plan(m, err))
        return false;
    m->added = bundle_migration_count - m->plan.applied;
    for (int i = m->plan.applied; i < bundle_migration_count; i++)
        (void)fprintf(stderr, "note: applying %s\n", bundle_migrations[i].name);
    return transact(m, make_schemas, NULL, err) && make_tables(m, err) && make_all_code(m, err)
           && make_later(m, STEP_DATA, make_later_step, err) && make_relations(m, err) && drop_functions(m, err)
           && (m->is_left || (m->added == 0 && !m->plan.is_under_way) || transact(m, forget_progress, NULL, err));
}

/* Installs the schema with the defaults of reeve install. */
static int
install_instead(const struct command *command, const struct config *config)
{
    struct config ours = *config;
    int code;

    ours.values[CONFIG_RUNNER] = "invoker";
    code = cmd_install(command, &ours);
    if (code == EXIT_OK && !config_is_on(config, CONFIG_DRY_RUN))
        (void)printf("schema version %d is installed\n", bundle_schema_version());
    return code;
}

int
cmd_migrate(const struct command *command, const struct config *config)
{
    struct migration m = {.config = config, .is_dry_run = config_is_on(config, CONFIG_DRY_RUN)};
    struct err err;
    int code = EXIT_OK;
    int version;

    if (!command_connect(config, &m.db, &code))
        return code;
    if (strcmp(command->name, "migrate") == 0) {
        interrupt_catch();
        interrupt_cancels(m.db);
    }
    buf_init(&m.script, SCHEMA_SCRIPT_MAX);
    version = schema_installed_version(m.db, &err);
    if (version == 0 && config_is_on(config, CONFIG_INSTALL)) {
        code = install_instead(command, config);
    } else if (version == 0) {
        (void)fputs("reeve: Reeve is not installed in this database\nhint: Run: reeve install\n", stderr);
        code = EXIT_SCHEMA;
    } else if (version < 0 || !migrate(&m, &err)) {
        progress_end();
        if (interrupt_is_asked())
            (void)fputs("reeve: interrupted; reeve migrate goes on where it stopped\n", stderr);
        code = interrupt_is_asked() ? EXIT_INTERRUPTED : command_fail(&err);
    }
    progress_end();
    interrupt_cancels(NULL);
    if (code == EXIT_OK && version > 0 && !m.is_dry_run && strcmp(command->name, "migrate") == 0)
        (void)printf("schema version is %d, %d migration%s applied\n", bundle_schema_version(), m.added, m.added == 1 ? "" : "s");
    steps_release(&m.steps);
    steps_release(&m.relations);
    steps_release(&m.code);
    buf_release(&m.script);
    db_once_close(m.db);
    return code;
}
