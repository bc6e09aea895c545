/*
 * Blocking calls, for commands that ask once and end.  Never used in the loop.  False: `err`, which may be NULL, says
 * what failed.
 */
#ifndef DB_DB_ONCE_H
#define DB_DB_ONCE_H

#include <stdbool.h>

#include "base/err.h"
#include "db/db_result.h"

struct db_once;

/* Connects.  `conninfo` is a libpq connection string or URI; "" means libpq's defaults.  Of several hosts, it takes the first
 * that accepts writes; if none does, the first that answers.  `on_notice` gets the server's notices as one line each; NULL
 * ignores them.  db_once_close frees *ret_db. */
NODISCARD bool db_once_open(const char *conninfo, void (*on_notice)(const char *), struct db_once **ret_db, struct err *err);

/* Sends a script of any number of statements, without parameters.  Rows are dropped. */
NODISCARD bool db_once_script(struct db_once *db, const char *sql, struct err *err);

/* Sends one statement with `count` text parameters; a parameter that is NULL is null.  The result belongs to `db` and lives
 * until the next db_once_query or db_once_close.  ret_result may be NULL. */
NODISCARD bool db_once_query(struct db_once *db, const char *sql, int count, const char *const *params,
    const struct db_result **ret_result, struct err *err);

/* Does the connection use a network, with an sslmode that allows plain text?  The mode is written to
 * ret_mode, which has `size` bytes, in both cases. */
bool db_once_is_exposed(struct db_once *db, char *ret_mode, size_t size);

/* Asks the server to cancel the query that is under way.  May be called by a signal handler. */
void db_once_cancel(struct db_once *db);

/* Closes the connection and frees `db`.  NULL is fine. */
void db_once_close(struct db_once *db);

#endif
