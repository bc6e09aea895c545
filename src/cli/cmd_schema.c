/*
 * reeve install, uninstall.  Each is one transaction under an advisory lock: the schema is either as it was or
 * as it should be.  Refusals come from the SQL itself, so that psql with the printed text refuses in the same way.
 */
#include <stdio.h>

#include "base/buf.h"
#include "cli/command.h"
#include "base/exit.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/schema.h"
#include "cli/terminal.h"
#include "db/statements.h"

/* Sends one transaction, with progress.  If the user interrupts, and the command catches that, the server takes it back. */
static bool
send_transaction(struct db_once *db, const char *sql, const char *what, struct err *err)
{
    bool ok;

    progress_step("%s", what);
    interrupt_cancels(db);
    ok = db_once_script(db, sql, err);
    interrupt_cancels(NULL);
    progress_end();
    if (!ok)
        (void)!db_once_script(db, "rollback", NULL);
    return ok;
}

/* The exit code of a transaction that was taken back. */
static int
fail(const struct err *err)
{
    if (!interrupt_is_asked())
        return command_fail(err);
    (void)fputs("reeve: interrupted; nothing was changed\n", stderr);
    return EXIT_INTERRUPTED;
}

static int
send_script(struct db_once *db, const struct buf *script, bool is_dry_run)
{
    struct err err;

    if (is_dry_run) {
        (void)fputs(script->text, stdout);
        return EXIT_OK;
    }
    return send_transaction(db, script->text, "installing the schema", &err) ? EXIT_OK : fail(&err);
}

/* Says whether this login may work, too, or which grant it needs. */
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
    (void)fprintf(
        stderr, "reeve: schema version %d is installed, this program has %d\nhint: %s\n", version, ours, schema_hint(version));
    return EXIT_SCHEMA;
}

/* A new schema, with the options of the install. */
static void
add_install(struct buf *script, const struct config *config, const struct modules *modules)
{
    schema_add_left_out(script, modules);
    modules_add_sql(modules, script, bundle_install);
    buf_puts(script, "set local role queues_owner;\n");
    schema_keep_left_out(script, modules);
    for (int i = 0; i < bundle_migration_count; i++)
        schema_add_row(script, &bundle_migrations[i]);
    if (config_is_on(config, CONFIG_STRICT))
        buf_puts(script, "update internal.config set value = 'true' where key = 'strict';\n");
    if (strcmp(config_text(config, CONFIG_RUNNER), "definer") == 0)
        buf_puts(script, "select internal.set_runner_mode('definer');\n");
    buf_puts(script, "reset role;\n");
    if (config_is_on(config, CONFIG_STRICT))
        modules_add_sql(modules, script, bundle_reapply); /* Apply the grants once more, after the setting. */
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
        version = schema_installed_version(db, &err);
        if (version != 0)
            code = version < 0 ? command_fail(&err) : say_installed(version);
        /* The example can be added later. */
        if (code != EXIT_OK || (version > 0 && !has_example)) {
            db_once_close(db);
            return code;
        }
    }
    if (strcmp(command->name, "install") == 0)
        interrupt_catch();
    buf_init(&script, SCHEMA_SCRIPT_MAX);
    buf_puts(&script, "begin;\n" SCHEMA_LOCK_SQL);
    if (version == 0)
        add_install(&script, config, &modules);
    if (has_example)
        buf_puts(&script, bundle_example);
    buf_puts(&script, "commit;\n");
    code = send_script(db, &script, is_dry_run);
    if (code == EXIT_OK && !is_dry_run && version == 0 && strcmp(command->name, "install") == 0)
        print_next_steps(db);
    if (code == EXIT_OK && !is_dry_run && has_example)
        (void)puts("The example is installed: select api.request_account_deletion(ACCOUNT);");
    buf_release(&script);
    db_once_close(db);
    return code;
}

static const char uninstall_sql[] =
    "begin;\n" SCHEMA_LOCK_SQL "do $$\nbegin\n"
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
    interrupt_catch();
    version = schema_installed_version(db, &err);
    if (version < 0) {
        code = command_fail(&err);
    } else if (version == 0) {
        (void)puts("Reeve is not installed in this database");
    } else if (!config_is_on(config, CONFIG_YES) && !is_confirmed(db)) {
        (void)fputs("reeve: not confirmed, nothing was changed\n", stderr);
        code = EXIT_USAGE;
    } else if (!send_transaction(db, uninstall_sql, "removing the schema", &err)) {
        code = fail(&err);
    } else {
        (void)puts("Reeve is removed.  The roles queues_* and worker_service_user belong to the server and are left.");
    }
    db_once_close(db);
    return code;
}
