#include "cli/schema.h"

int
schema_installed_version(struct db_once *db, struct err *err)
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

const char *
schema_hint(int version)
{
    if (version < bundle_migrations[0].version)
        return "It is the schema of a pre-release, and no migration leads from there. Copy what you want to keep (pg_dump, "
               "\\copy of"
               " psql), then run: reeve uninstall, reeve install";
    return version < bundle_schema_version() ? "Run: reeve migrate" : "Use a newer reeve.";
}

void
schema_add_row(struct buf *script, const struct bundle_migration *migration)
{
    buf_printf(script, "insert into queues.migration (version, name, checksum) values (%d, '%s', '%s');\n", migration->version,
        migration->name, migration->checksum);
}

void
schema_add_left_out(struct buf *script, const struct modules *modules)
{
    buf_puts(script, "set local reeve.without = '");
    modules_add_names(modules, script);
    buf_puts(script, "';\n");
}

void
schema_keep_left_out(struct buf *script, const struct modules *modules)
{
    buf_puts(script, "update internal.config set value = to_jsonb(string_to_array('");
    modules_add_names(modules, script);
    buf_puts(script, "', ',')) where key = 'without' and value <> to_jsonb(string_to_array('");
    modules_add_names(modules, script);
    buf_puts(script, "', ','));\n");
}
