/*
 * What install and migrate share.
 */
#ifndef CLI_SCHEMA_H
#define CLI_SCHEMA_H

#include "cli/bundle.h"
#include "cli/modules.h"
#include "db/db_once.h"

/* Install, migrate and uninstall come one after the other. */
#define SCHEMA_LOCK_SQL "select pg_advisory_xact_lock(20545, 3);\n"

enum { SCHEMA_SCRIPT_MAX = 16 << 20 };

/* The version of the schema in the database: 0 if it is not ours, -1 on an error. */
int schema_installed_version(struct db_once *db, struct err *err);

/* What to do about a schema of another version than ours. */
const char *schema_hint(int version);

/* Note that a migration was applied. */
void schema_add_row(struct buf *script, const struct bundle_migration *migration);

/* Tell the text which modules are left out, and, once the settings are there, keep it. */
void schema_add_left_out(struct buf *script, const struct modules *modules);
void schema_keep_left_out(struct buf *script, const struct modules *modules);

#endif
