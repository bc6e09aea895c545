/*
 * reeve install, migrate, uninstall.  Each is one transaction under an advisory lock: the
 * schema is either as it was or as it should be.  Refusals come from the SQL itself, so
 * that psql with the printed text refuses in the same way.
 *
 * A migration runs beside live traffic.  It gives up before a transaction of a user could be
 * chosen as the victim of a deadlock (sql/locks.sql), and tries again after a pause.
 */
#include <ctype.h>
#include <stdio.h>
#include <unistd.h>

#include "base/buf.h"
#include "cli/bundle.h"
#include "cli/command.h"
#include "cli/exit.h"
#include "cli/terminal.h"
#include "cli/modules.h"
#include "db/statements.h"

#define LOCK_SQL "select pg_advisory_xact_lock(20545, 3);\n"

/* Another migration may take its time: limits of the login do not hold for this lock. */
#define BEGIN_SQL "begin;\nset local statement_timeout = 0;\nset local lock_timeout = 0;\n" LOCK_SQL

enum { SCRIPT_MAX = 16 << 20 };

/* The version of the schema in the database: 0 if it is not ours, -1 on an error. */
static int
installed_version(struct db_once *db, struct err *err)
{
    const struct db_result *result;

    if (!db_once_query(db, "select to_regclass('queues.migration') is not null", 0, NULL, &result, err))
        return -1;
    if (!db_result_is_true(result, 0, 0))
        return 0;
    if (!db_once_query(db, "select coalesce(max(version), 0) from queues.migration", 0, NULL, &result, err))
        return -1;
    return (int)db_result_i64(result, 0, 0, 0);
}

static void
add_migration_row(struct buf *script, const struct bundle_migration *migration)
{
    buf_printf(script, "insert into queues.migration (version, name, checksum) values (%d, '%s', '%s');\n", migration->version,
        migration->name, migration->checksum);
}

/* Tell the text which modules are left out, and, once the settings are there, keep it. */
static void
add_left_out(struct buf *script, const struct modules *modules)
{
    buf_puts(script, "set local reeve.without = '");
    modules_add_names(modules, script);
    buf_puts(script, "';\n");
}

static void
keep_left_out(struct buf *script, const struct modules *modules)
{
    buf_puts(script, "update internal.config set value = to_jsonb(string_to_array('");
    modules_add_names(modules, script);
    buf_puts(script, "', ',')) where key = 'without' and value <> to_jsonb(string_to_array('");
    modules_add_names(modules, script);
    buf_puts(script, "', ','));\n");
}

static int
run_script(struct db_once *db, const struct buf *script, bool is_dry_run)
{
    struct err err;

    if (is_dry_run) {
        (void)fputs(script->text, stdout);
        return EXIT_OK;
    }
    if (db_once_script(db, script->text, &err))
        return EXIT_OK;
    (void)!db_once_script(db, "rollback", NULL);
    return command_fail(&err);
}

/* Whether this login may work as well, or what lets it. */
static void
print_login(struct db_once *db)
{
    const struct db_result *result;
    struct err err;

    if (!db_once_query(db, "select pg_has_role(session_user, 'worker_service_user', " DB_MAY_ACT "), quote_ident(session_user)",
            0, NULL, &result, &err))
        return;
    if (db_result_is_true(result, 0, 0))
        (void)puts("     (this login may become worker_service_user, and works as well)");
    else
        (void)printf("     (a login that may become worker_service_user works as well; this one may not:\n"
                     "       grant worker_service_user to %s;)\n",
            db_result_text(result, 0, 1));
}

static void
print_next_steps(struct db_once *db)
{
    (void)puts("Reeve is installed.  Next:\n"
               "  1. let the worker log in: a pg_hba line or a password for role worker_service_user\n"
               "       alter role worker_service_user password '...';\n"
               "  2. start it:\n"
               "       reeve work --database-url postgresql://worker_service_user@HOST/DATABASE");
    print_login(db);
    (void)puts("  3. register a function and enqueue it, in psql:\n"
               "       select internal.allow_function('public.my_function');\n"
               "       select queues.enqueue('db_function', '{\"db_function\": \"public.my_function\"}');\n"
               "  4. look: reeve task list, reeve doctor");
}

static int
say_installed(int version)
{
    int ours = bundle_schema_version();

    if (version == ours) {
        (void)printf("schema version %d is already installed\n", version);
        return EXIT_OK;
    }
    (void)fprintf(stderr, "reeve: schema version %d is installed, this program has %d\nhint: %s\n", version, ours,
        version < ours ? "Run: reeve migrate" : "Use a newer reeve.");
    return EXIT_SCHEMA;
}

/* A fresh schema, and the choices made at install. */
static void
add_install(struct buf *script, const struct config *config, const struct modules *modules)
{
    add_left_out(script, modules);
    modules_add_sql(modules, script, bundle_install);
    buf_puts(script, "set local role queues_owner;\n");
    keep_left_out(script, modules);
    for (int i = 0; i < bundle_migration_count; i++)
        add_migration_row(script, &bundle_migrations[i]);
    if (config_is_on(config, CONFIG_STRICT))
        buf_puts(script, "update internal.config set value = 'true' where key = 'strict';\n");
    if (strcmp(config_text(config, CONFIG_RUNNER), "definer") == 0)
        buf_puts(script, "select internal.set_runner_mode('definer');\n");
    buf_puts(script, "reset role;\n");
    if (config_is_on(config, CONFIG_STRICT))
        modules_add_sql(modules, script, bundle_reapply); /* The grants, once more, now that the choice is made. */
}

int
cmd_install(const struct command *command, const struct config *config)
{
    bool is_dry_run = config_is_on(config, CONFIG_DRY_RUN);
    bool has_example = config_is_on(config, CONFIG_WITH_EXAMPLE);
    struct modules modules = {0};
    struct db_once *db = NULL;
    struct buf script;
    struct err err;
    int code = EXIT_OK;
    int version = 0;

    if (!modules_leave_out(&modules, config_text(config, CONFIG_WITHOUT), &err))
        return command_fail(&err);
    if (has_example && modules.is_left_out[MODULE_FILES]) {
        (void)err_set(&err, ERR_REFUSED, "usage", "the example needs the module files");
        return command_fail(&err);
    }
    if (!is_dry_run) {
        if (!command_connect(config, &db, &code))
            return code;
        version = installed_version(db, &err);
        if (version != 0)
            code = version < 0 ? command_fail(&err) : say_installed(version);
        /* The example can be added later. */
        if (code != EXIT_OK || (version > 0 && !has_example)) {
            db_once_close(db);
            return code;
        }
    }
    buf_init(&script, SCRIPT_MAX);
    buf_puts(&script, "begin;\n" LOCK_SQL);
    if (version == 0)
        add_install(&script, config, &modules);
    if (has_example)
        buf_puts(&script, bundle_example);
    buf_puts(&script, "commit;\n");
    code = run_script(db, &script, is_dry_run);
    if (code == EXIT_OK && !is_dry_run && version == 0 && strcmp(command->name, "install") == 0)
        print_next_steps(db);
    if (code == EXIT_OK && !is_dry_run && has_example)
        (void)puts("The example is installed: select api.request_account_deletion(ACCOUNT);");
    buf_release(&script);
    db_once_close(db);
    return code;
}

/* What was left out stays out; what is there already cannot be left out any more. */
static bool
read_left_out(struct db_once *db, const char *list, struct modules *modules, struct err *err)
{
    struct modules wanted = {0};
    const struct db_result *result;

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

/* Relations that transactions of users and workers lock, in the order in which they come to them: who
 * enqueues, who claims, who runs and ends. */
static const char *const traffic_order[] = {"pgqueue.webhook", "pgqueue.webhook_secret", "pgqueue.webhook_change",
    "pgqueue.webhook_change_column", "pgqueue.job_queue", "worker.tasks", "worker.command_registry", "queues.queue",
    "queues.registered_task_type", "internal.config", "internal.allowed_function", "comms.email_template", "comms.sms_template",
    "comms.message", "comms.email_message", "comms.sms_message", "comms.send_email_task", "comms.send_sms_task", "files.file",
    "files.file_metadata", "files.file_deletion_task", "pgqueue.job", "pgqueue.job_secret", "queues.process", "queues.task",
    "queues.ready", "queues.merging", "queues.task_changed", "worker.task_parent", "pgqueue.job_run",
    "queues.task_cancel_requested", "queues.holder", "queues.running", "queues.task_lease", "queues.task_lease_renewed",
    "queues.task_folded", "queues.task_dispatched", "comms.send_email_attempt", "comms.send_email_attempt_succeeded",
    "comms.send_email_attempt_failed", "comms.send_sms_attempt", "comms.send_sms_attempt_succeeded",
    "comms.send_sms_attempt_failed", "files.file_deletion_attempt", "files.file_deletion_attempt_succeeded",
    "files.file_deletion_attempt_failed", "worker.handler_done", "queues.error", "queues.task_lease_ended",
    "queues.task_completed", "queues.late_result", "queues.process_run", "queues.process_ended", "queues.process_revived",
    "pgqueue.failed_log", "pgqueue.job_ended", "queues.worker_started", "queues.worker_seen", "queues.worker_stopped",
    "queues.pruned", "queues.audit", "vault.secrets", "queues.task_state", "queues.queue_state", "queues.process_state",
    "queues.worker_state", "queues.lease_outcome", "worker.queue_registry", "pgqueue.webhooks", "vault.decrypted_secrets"};

/* Does this text name the relation?  queues.task is not named by queues.task_lease. */
static bool
names_relation(const char *sql, const char *relation)
{
    size_t length = strlen(relation);

    for (const char *at = strstr(sql, relation); at != NULL; at = strstr(at + length, relation)) {
        if (at[length] != '_' && !isalnum((unsigned char)at[length]))
            return true;
    }
    return false;
}

/* Lock what the migrations from `first` on name, in the order of the traffic, and limit all later waits. */
static void
add_locks(struct buf *script, int first)
{
    const char *comma = "";

    buf_puts(script, "set local reeve.tables = '");
    for (size_t n = 0; n < LENGTH(traffic_order); n++) {
        bool is_named = false;

        for (int i = first; i < bundle_migration_count; i++)
            is_named = is_named || names_relation(bundle_migrations[i].sql, traffic_order[n]);
        if (is_named) {
            buf_printf(script, "%s%s", comma, traffic_order[n]);
            comma = ",";
        }
    }
    buf_puts(script, "';\nset local role queues_owner;\n");
    buf_puts(script, bundle_locks);
    buf_puts(script, "reset role;\n");
}

/* Compare what was applied with what we carry, and add what is missing. */
static bool
plan_migration(struct db_once *db, const struct modules *modules, struct buf *script, int *ret_added, struct err *err)
{
    const struct db_result *result;
    int known;

    if (!db_once_query(db, "select version, name, checksum from queues.migration order by version", 0, NULL, &result, err))
        return false;
    known = db_result_rows(result);
    for (int i = 0; i < known; i++) {
        int64_t version = db_result_i64(result, i, 0, 0);

        if (i >= bundle_migration_count || bundle_migrations[i].version != version) {
            (void)err_set(err, ERR_REFUSED, "QU004", "schema version %lld is newer than this program (%d)", (long long)version,
                bundle_schema_version());
            return err_hint(err, "Use a newer reeve.");
        }
        if (strcmp(bundle_migrations[i].checksum, db_result_shown(result, i, 2)) != 0) {
            (void)err_set(err, ERR_REFUSED, "QU004", "migration %s was applied with another content", bundle_migrations[i].name);
            return err_hint(
                err, "A migration never changes after it was applied: this program is not the one that installed the schema.");
        }
    }
    add_locks(script, known);
    modules_add_sql(modules, script, bundle_schemas);
    for (int i = known; i < bundle_migration_count; i++) {
        (void)fprintf(stderr, "note: applying %s\n", bundle_migrations[i].name);
        buf_puts(script, "set local role queues_owner;\n");
        add_migration_row(script, &bundle_migrations[i]);
        modules_add_sql(modules, script, bundle_migrations[i].sql);
        buf_puts(script, "\nreset role;\n");
    }
    modules_add_sql(modules, script, bundle_reapply);
    buf_puts(script, "set local role queues_owner;\n");
    keep_left_out(script, modules);
    buf_puts(script, "reset role;\n");
    *ret_added = bundle_migration_count - known;
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

/* Run the script in the open transaction.  Without new migrations the transaction is kept only if it changed
 * something, so that nobody has to plan anew for nothing. */
static bool
apply_migration(struct db_once *db, const struct buf *script, int added, struct err *err)
{
    char *before = NULL;
    char *after = NULL;
    bool ok;

    if (added > 0)
        return db_once_script(db, script->text, err) && db_once_script(db, "commit", err);
    before = read_fingerprint(db, err);
    ok = before != NULL && db_once_script(db, script->text, err);
    if (ok)
        after = read_fingerprint(db, err);
    ok = ok && after != NULL && db_once_script(db, strcmp(before, after) == 0 ? "rollback" : "commit", err);
    free(before);
    free(after);
    return ok;
}

/* One try, in one transaction, which is open still if it failed.  The lock comes first and is kept till the end, so
 * that two programs cannot both think that something is missing. */
static bool
try_migration(struct db_once *db, const struct config *config, int *ret_added, struct err *err)
{
    bool is_dry_run = config_is_on(config, CONFIG_DRY_RUN);
    struct modules modules = {0};
    struct buf script;
    bool ok = is_dry_run || db_once_script(db, BEGIN_SQL, err);

    buf_init(&script, SCRIPT_MAX);
    ok = ok && read_left_out(db, config_text(config, CONFIG_WITHOUT), &modules, err);
    if (ok) {
        add_left_out(&script, &modules);
        ok = plan_migration(db, &modules, &script, ret_added, err);
    }
    if (ok && is_dry_run)
        (void)printf("%s%scommit;\n", BEGIN_SQL, script.text);
    else
        ok = ok && apply_migration(db, &script, *ret_added, err);
    buf_release(&script);
    return ok;
}

/* May another try succeed?  Somebody held what we need; or, which is seldom and told by no code of its own, somebody
 * changed the same row of the catalogue. */
static bool
is_worth_a_try(const struct err *err, int tries)
{
    return strcmp(err->code, "55P03") == 0 || strcmp(err->code, "40P01") == 0 || (strcmp(err->code, "XX000") == 0 && tries < 3);
}

static int
migrate(struct db_once *db, const struct config *config, int *ret_added)
{
    struct err err;

    for (int tries = 1; !try_migration(db, config, ret_added, &err); tries++) {
        int pause_ms = tries * BOUND_MIGRATE_PAUSE_MS < BOUND_MIGRATE_REST_MS ? tries * BOUND_MIGRATE_PAUSE_MS
                                                                              : BOUND_MIGRATE_REST_MS;

        (void)!db_once_script(db, "rollback", NULL);
        if (!is_worth_a_try(&err, tries))
            return command_fail(&err);
        if (tries == BOUND_MIGRATE_TRIES) {
            (void)err_hint(&err, "A transaction stays open that uses our tables: see pg_stat_activity, and migrate again.");
            return command_fail(&err);
        }
        (void)fprintf(stderr, "note: tables are in use (%s), nothing was changed; try %d of %d follows\n", err.message, tries + 1,
            BOUND_MIGRATE_TRIES);
        (void)usleep((useconds_t)pause_ms * 1000);
    }
    return EXIT_OK;
}

int
cmd_migrate(const struct command *command, const struct config *config)
{
    struct db_once *db;
    struct err err;
    int code = EXIT_OK;
    int version;
    int added = 0;

    if (!command_connect(config, &db, &code))
        return code;
    version = installed_version(db, &err);
    if (version < 0) {
        code = command_fail(&err);
    } else if (version == 0) {
        (void)fputs("reeve: Reeve is not installed in this database\nhint: Run: reeve install\n", stderr);
        code = EXIT_SCHEMA;
    } else {
        code = migrate(db, config, &added);
    }
    if (code == EXIT_OK && !config_is_on(config, CONFIG_DRY_RUN) && strcmp(command->name, "migrate") == 0)
        (void)printf("schema version is %d, %d migration%s applied\n", bundle_schema_version(), added, added == 1 ? "" : "s");
    db_once_close(db);
    return code;
}

static const char uninstall_sql[] =
    "begin;\n" LOCK_SQL "do $$\nbegin\n"
    "    execute format('alter role worker_service_user in database %I reset all', current_database());\n"
    "exception when insufficient_privilege then\n"
    "    raise notice 'settings of worker_service_user were left alone';\n"
    "end\n$$;\n"
    "drop owned by queues_owner, queues_runner;\n"
    "commit;\n";

/* A person must type the name of the database. */
static bool
is_confirmed(struct db_once *db)
{
    const struct db_result *result;
    char line[128] = "";

    if (!db_once_query(db,
            "select current_database(), (select count(*) from queues.ready) + (select count(*) from queues.running)", 0, NULL,
            &result, NULL))
        return false;
    terminal_print(stderr, "This removes all tasks (%s open) and facts from database \"%s\".\nType its name to go on: ",
        db_result_shown(result, 0, 1), db_result_shown(result, 0, 0));
    if (fgets(line, sizeof(line), stdin) == NULL || db_result_text(result, 0, 0) == NULL)
        return false;
    line[strcspn(line, "\n")] = '\0';
    return strcmp(line, db_result_text(result, 0, 0)) == 0;
}

int
cmd_uninstall(const struct command *command, const struct config *config)
{
    struct db_once *db;
    struct err err;
    int code = EXIT_OK;
    int version;

    (void)command;
    if (config_is_on(config, CONFIG_DRY_RUN)) {
        (void)fputs(uninstall_sql, stdout);
        return EXIT_OK;
    }
    if (!command_connect(config, &db, &code))
        return code;
    version = installed_version(db, &err);
    if (version < 0) {
        code = command_fail(&err);
    } else if (version == 0) {
        (void)puts("Reeve is not installed in this database");
    } else if (!config_is_on(config, CONFIG_YES) && !is_confirmed(db)) {
        (void)fputs("reeve: not confirmed, nothing was changed\n", stderr);
        code = EXIT_USAGE;
    } else if (!db_once_script(db, uninstall_sql, &err)) {
        (void)!db_once_script(db, "rollback", NULL);
        code = command_fail(&err);
    } else {
        (void)puts("Reeve is removed.  The roles queues_* and worker_service_user belong to the server and are left.");
    }
    db_once_close(db);
    return code;
}
