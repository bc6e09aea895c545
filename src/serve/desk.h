/*
 * The database sessions of the dashboard: a few blocking ones, each in a thread of the loop's pool while it works.  A job is one
 * transaction under the role of a viewer, or one login.  Jobs wait in line for a free session; when the database is away, those
 * in line fail at once instead of waiting.  A call that hangs beyond its time is cut.
 */
#ifndef SERVE_DESK_H
#define SERVE_DESK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/list.h"
#include "loop/loop.h"

/* Rights, as in pages/page.h: 0 observer, 1 operator, 2 admin; -1: none. */
enum { DESK_NOBODY = -1 };

/* Largest number of parameters of a statement: an operand and the fields of a form. */
enum { DESK_PARAMS = 17 };

/* What a job asks for. */
enum desk_errand {
    DESK_READ,  /* one JSON document */
    DESK_ACT,   /* an act, once for each key */
    DESK_RIGHT, /* the right of a role */
    DESK_LOGIN, /* the same, after a login with name and password */
};

struct desk_job;

/* A job is done: `job` has the answer, and is freed afterwards. */
typedef void desk_done_fn(void *cookie, struct desk_job *job);

/* A job.  The caller fills the first part; texts of it are copied by desk_give. */
struct desk_job {
    enum desk_errand errand;
    int right;                       /* of the viewer: the role that the statement runs under */
    const char *person;              /* for the audit; DESK_RIGHT, DESK_LOGIN: the role */
    const char *password;            /* DESK_LOGIN */
    const char *sql;                 /* static text */
    const char *params[DESK_PARAMS]; /* NULL: null */
    const char *key;                 /* DESK_ACT: id of the form */
    const char *act;                 /* DESK_ACT: path of the act, for the check of the key */
    bool must_log_in;                /* DESK_RIGHT: a role without login has no right */
    desk_done_fn *done;
    void *cookie; /* NULL: nobody waits any more, and done is not called */

    /* The answer. */
    bool is_done;    /* false: err says why not */
    struct err err;  /* of kind ERR_RETRY: the database is away */
    bool is_found;   /* DESK_READ: there is a document */
    struct buf text; /* DESK_READ: the document.  DESK_ACT: the notice */
    struct buf path; /* DESK_ACT: where the viewer goes next; "": back */
    int found_right; /* DESK_RIGHT, DESK_LOGIN */
    bool is_standby;
    double data_age_s; /* on a standby; otherwise -1 */

    struct list node; /* of the desk */
    char *copies[DESK_PARAMS + 5];
    int64_t given_ms;
};

/* What is known about the database since the last connection. */
struct desk_facts {
    bool is_known;
    char database[64];
    char login[64]; /* of the server itself */
    int right;      /* of that login */
    bool may_name;  /* a member of queues_dashboard: acts name their person, and have keys */
    bool has_comms; /* modules */
    bool has_files;
    bool is_standby;
    int schema_version;
};

struct desks;

/* Makes the sessions, which connect when they are needed; desks_free frees them. */
struct desks *desks_new(struct loop *loop, const char *conninfo, bool is_read_only) NODISCARD;

/* Gives a copy of the job to the next free session, and returns it; it lives until it is done.  NULL: too many wait. */
struct desk_job *desk_give(struct desks *desks, const struct desk_job *job);

/* The facts; the text belongs to the desks. */
const struct desk_facts *desks_facts(const struct desks *desks);

/* Number of jobs so far. */
int64_t desks_asked(const struct desks *desks);

/* Did the database answer the last job? */
bool desks_are_up(const struct desks *desks);

/* Closes the sessions that are free, so that the next questions learn the facts again. */
void desks_renew(struct desks *desks);

/* Cuts calls that take too long.  To be called about every second. */
void desks_sweep(struct desks *desks);

/* Drops the jobs in line and cuts the others.  No done is called any more. */
void desks_stop(struct desks *desks);

/* Frees everything, after desks_stop and loop_free.  NULL is fine. */
void desks_free(struct desks *desks);

/* The number of the highest parameter ($n) in a statement. */
int desk_count_params(const char *sql);

#endif
