/*
 * What the files of this folder share.  Only they include libpq-fe.h.
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

/* The error of a result or of a lost connection, as a value. */
bool db_err_from_result(const PGresult *result, struct err *err);
bool db_err_from_conn(PGconn *conn, struct err *err);

/* Read a connection string, a URI, or the plain name of a database; "" means libpq's defaults.
 * NULL with `err`: it cannot be read, or a password in it is taken for something else.  It is never repeated:
 * libpq's own messages would.  A password that is found is hidden from log and messages. */
PQconninfoOption *db_conninfo_read(const char *conninfo, struct err *err);

#endif
