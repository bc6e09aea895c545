/*
 * Declarations that the files of this folder share.  Only they include libpq-fe.h.
 */
#ifndef DB_DB_PRIVATE_H
#define DB_DB_PRIVATE_H

#include <libpq-fe.h>

#include "base/err.h"
#include "db/db_result.h"

/* The value of target_session_attrs for a server that accepts writes. */
#define DB_WRITABLE "read-write"

struct db_result {
    PGresult *pg; /* owned */
};

/* Fill `err`, which may be NULL, with the error of a result or of a lost connection, and return false.  conn NULL: out of
 * memory. */
bool db_err_from_result(const PGresult *result, struct err *err);
bool db_err_from_conn(PGconn *conn, struct err *err);

/* Reads a connection string, a URI, or the plain name of a database; "" means libpq's defaults.  The caller frees the result
 * with PQconninfoFree.  NULL with `err`: the string cannot be read, or libpq would take a part of its password for another
 * setting.  The error never repeats the string, as libpq's messages would.  A password is hidden from log and messages. */
PQconninfoOption *db_conninfo_read(const char *conninfo, struct err *err);

#endif
