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

/* How a thread connects. */
struct db_once_login {
    const char *conninfo;
    const char *application_name;
    const char *user;     /* NULL: that of conninfo */
    const char *password; /* NULL: that of conninfo, or of the password file */
};

/* The same for a thread beside others: it leaves the environment alone, so call db_env_set at the start of the program.
 * `conninfo` was checked before, by db_once_check.  False with code 28P01: the server asked for a password, and did not let us
 * in. */
NODISCARD bool db_once_open_as(const struct db_once_login *login, struct db_once **ret_db, struct err *err);

/* Can this connection string be read?  Hides its password from the log. */
NODISCARD bool db_once_check(const char *conninfo, struct err *err);

/* Did the server ask for a password, and take the one that it was given? */
bool db_once_used_password(const struct db_once *db);

/* Is the connection usable, as far as is known? */
bool db_once_is_up(const struct db_once *db);

/* Ends the connection under a call of another thread, which then fails.  The caller sees to it that nobody closes `db` meanwhile.
 */
void db_once_cut(struct db_once *db);

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
