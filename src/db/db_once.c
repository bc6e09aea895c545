#include "db/db_once.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "db/db_env.h"
#include "db/db_private.h"

struct db_once {
    PGconn *conn;
    PGcancel *cancel;      /* made in advance, since a signal handler cannot make it; NULL: not connected */
    struct db_result last; /* result of the last query; pg may be NULL */
    int twin;              /* a second descriptor of the socket, which libpq never closes; 0: none */
    void (*on_notice)(const char *);
};

static void
on_notice(void *cookie, const PGresult *notice)
{
    struct db_once *db = cookie;
    const char *text = PQresultErrorField(notice, PG_DIAG_MESSAGE_PRIMARY);
    const char *hint = PQresultErrorField(notice, PG_DIAG_MESSAGE_HINT);

    if (db->on_notice != NULL && text != NULL)
        db->on_notice(text);
    if (db->on_notice != NULL && hint != NULL)
        db->on_notice(hint);
}

/* Connects to a server of this kind, unless the user has set the kind. */
static PGconn *
connect_to(const char *conninfo, const char *session_attrs)
{
    const char *keywords[] = {"dbname", "fallback_application_name", "client_encoding", NULL};
    const char *values[] = {conninfo[0] == '\0' ? NULL : conninfo, "reeve", "UTF8", NULL};
    unsigned int filled = db_env_fill(session_attrs);
    PGconn *conn = PQconnectdbParams(keywords, values, 1);

    db_env_restore(filled);
    return conn;
}

bool
db_once_open(const char *conninfo, void (*notice)(const char *), struct db_once **ret_db, struct err *err)
{
    struct db_once *db = must_alloc(sizeof(*db));
    PQconninfoOption *options = db_conninfo_read(conninfo, err);

    PQconninfoFree(options);
    if (options == NULL) {
        free(db);
        return false;
    }
    db->on_notice = notice;
    db->conn = connect_to(conninfo, DB_WRITABLE);
    if (PQstatus(db->conn) != CONNECTION_OK) {
        /* No server accepts writes.  Reading is still possible. */
        PQfinish(db->conn);
        db->conn = connect_to(conninfo, "any");
    }
    if (PQstatus(db->conn) != CONNECTION_OK) {
        (void)db_err_from_conn(db->conn, err);
        db_once_close(db);
        return false;
    }
    (void)PQsetNoticeReceiver(db->conn, on_notice, db);
    db->cancel = PQgetCancel(db->conn);
    *ret_db = db;
    return true;
}

/* What comes before dbname in the list is weaker than the connection string; what comes after it is stronger. */
static PGconn *
connect_as(const struct db_once_login *login, const char *session_attrs)
{
    const char *keywords[] = {"target_session_attrs", "keepalives_idle", "keepalives_interval", "keepalives_count",
        "tcp_user_timeout", "dbname", "client_encoding", "application_name", "user", "password", NULL};
    const char *values[] = {session_attrs, "10", "3", "3", "10000", login->conninfo[0] == '\0' ? NULL : login->conninfo, "UTF8",
        login->application_name, login->user, login->password, NULL};

    return PQconnectdbParams(keywords, values, 1);
}

bool
db_once_check(const char *conninfo, struct err *err)
{
    PQconninfoOption *options = db_conninfo_read(conninfo, err);

    PQconninfoFree(options);
    return options != NULL;
}

bool
db_once_open_as(const struct db_once_login *login, struct db_once **ret_db, struct err *err)
{
    struct db_once *db = must_alloc(sizeof(*db));

    db->conn = connect_as(login, NULL);
    if (PQstatus(db->conn) != CONNECTION_OK && PQconnectionNeedsPassword(db->conn) == 0
        && PQconnectionUsedPassword(db->conn) == 0) {
        PQfinish(db->conn);
        db->conn = connect_as(login, "any");
    }
    if (PQstatus(db->conn) != CONNECTION_OK) {
        (void)db_err_from_conn(db->conn, err);
        if (err != NULL && PQconnectionUsedPassword(db->conn) != 0)
            (void)snprintf(err->code, sizeof(err->code), "28P01");
        db_once_close(db);
        return false;
    }
    (void)PQsetNoticeReceiver(db->conn, on_notice, db);
    db->cancel = PQgetCancel(db->conn);
    db->twin = fcntl(PQsocket(db->conn), F_DUPFD_CLOEXEC, 3);
    *ret_db = db;
    return true;
}

bool
db_once_used_password(const struct db_once *db)
{
    return PQconnectionUsedPassword(db->conn) != 0;
}

bool
db_once_is_up(const struct db_once *db)
{
    return PQstatus(db->conn) == CONNECTION_OK;
}

void
db_once_cut(struct db_once *db)
{
    if (db->twin > 0)
        (void)shutdown(db->twin, SHUT_RDWR);
}

bool
db_once_script(struct db_once *db, const char *sql, struct err *err)
{
    PGresult *result = PQexec(db->conn, sql);
    ExecStatusType status = PQresultStatus(result);
    bool ok = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || status == PGRES_EMPTY_QUERY;

    if (!ok) {
        if (result == NULL)
            (void)db_err_from_conn(db->conn, err);
        else
            (void)db_err_from_result(result, err);
    }
    PQclear(result);
    return ok;
}

bool
db_once_query(struct db_once *db, const char *sql, int count, const char *const *params, const struct db_result **ret_result,
    struct err *err)
{
    ExecStatusType status;

    PQclear(db->last.pg);
    db->last.pg = PQexecParams(db->conn, sql, count, NULL, params, NULL, NULL, 0);
    status = PQresultStatus(db->last.pg);
    if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
        if (db->last.pg == NULL)
            return db_err_from_conn(db->conn, err);
        return db_err_from_result(db->last.pg, err);
    }
    if (ret_result != NULL)
        *ret_result = &db->last;
    return true;
}

/* Is the server on another machine, judging by its address? */
static bool
is_far(PGconn *conn)
{
    const char *address = PQhostaddr(conn);
    const char *host = PQhost(conn);

    if (host == NULL || host[0] == '/' || host[0] == '@' || host[0] == '\0')
        return false;
    if (address == NULL || address[0] == '\0')
        address = host;
    return strncmp(address, "127.", 4) != 0 && strcmp(address, "::1") != 0 && strcmp(address, "localhost") != 0;
}

bool
db_once_is_exposed(struct db_once *db, char *ret_mode, size_t size)
{
    PQconninfoOption *options = PQconninfo(db->conn);

    (void)snprintf(ret_mode, size, "prefer"); /* libpq's default */
    for (const PQconninfoOption *o = options; o != NULL && o->keyword != NULL; o++) {
        if (strcmp(o->keyword, "sslmode") == 0 && o->val != NULL && o->val[0] != '\0')
            (void)snprintf(ret_mode, size, "%s", o->val);
    }
    PQconninfoFree(options);
    return is_far(db->conn) && PQgssEncInUse(db->conn) == 0 && strcmp(ret_mode, "require") != 0
           && strncmp(ret_mode, "verify-", 7) != 0;
}

void
db_once_cancel(struct db_once *db)
{
    char message[256];

    (void)!PQcancel(db->cancel, message, sizeof(message));
}

void
db_once_close(struct db_once *db)
{
    if (db == NULL)
        return;
    PQclear(db->last.pg);
    PQfreeCancel(db->cancel);
    PQfinish(db->conn);
    if (db->twin > 0)
        (void)close(db->twin);
    free(db);
}
