/*
 * Functions that install and migrate share.
 */
#ifndef CLI_SCHEMA_H
#define CLI_SCHEMA_H

#include "cli/bundle.h"
#include "cli/modules.h"
#include "db/db_once.h"

/* SQL: the lock that lets only one install, migrate or uninstall work at a time. */
#define SCHEMA_LOCK_SQL "select pg_advisory_xact_lock(20545, 3);\n"

/* Largest script of one transaction, in bytes. */
enum { SCHEMA_SCRIPT_MAX = 16 << 20 };

/* The version of the schema in the database; 0: Reeve is not installed; -1: an error, as `err` says. */
int schema_installed_version(struct db_once *db, struct err *err);

/* What to do about a schema of another version than the program's.  The text is static. */
const char *schema_hint(int version);

/* Adds SQL that records that a migration was applied. */
void schema_add_row(struct buf *script, const struct bundle_migration *migration);

/* Add SQL that sets the modules that are left out for this transaction; and SQL that stores them in the settings. */
void schema_add_left_out(struct buf *script, const struct modules *modules);
void schema_keep_left_out(struct buf *script, const struct modules *modules);

#endif
