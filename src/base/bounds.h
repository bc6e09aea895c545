/*
 * Every limit of the program, with its unit and its reason.  What has no limit here is
 * limited by the database.
 */
#ifndef BASE_BOUNDS_H
#define BASE_BOUNDS_H

enum {
    BOUND_ERROR_BYTES = 512,         /* text of one error: fits a log line */
    BOUND_LOG_BYTES = 4096,          /* one log line; what is longer is cut */
    BOUND_CLAIM_LOCK_MS = 2000,      /* a claim waits for a lock no longer than the rest of the control connection's work */
    BOUND_CLAIM = 1000,              /* tasks in one claim: the engine's own limit */
    BOUND_BATCH = 50,                /* tasks in one transaction: locks are held till its end */
    BOUND_CALL_BATCH = 200,          /* calls announced or recorded in one transaction, if they are quick */
    BOUND_NOOP_BATCH = 1000,         /* tasks that do nothing, completed in one statement */
    BOUND_BATCH_MS = 10,             /* time that a batch should take */
    BOUND_COLD = 4,                  /* connections with which a new worker begins, if its work is quick */
    BOUND_CLAIM_AHEAD_MS = 50,       /* quick tasks are claimed ahead as many as are done in this time */
    BOUND_PACE_MS = 100,             /* another number of connections is tried for so long */
    BOUND_PACE_COLD = 3,             /* so often a time in which connections planned does not count */
    BOUND_PACE_REST_MS = 2000,       /* and not again for so long, if that was of no use */
    BOUND_WORK_CONNECTIONS = 256,    /* work connections of one program */
    BOUND_HINTS = 1024,              /* queue and priority pairs whose place is remembered */
    BOUND_HINTS_BYTES = 262144,      /* all hints as JSON */
    BOUND_QUEUES = 1024,             /* queues that one program serves by name */
    BOUND_HOSTS = 16,                /* database hosts in one connection string */
    BOUND_ADDRESSES = 32,            /* addresses of all these hosts together */
    BOUND_UNIT_STEPS = 5,            /* statements in one unit on the wire */
    BOUND_PARAMS = 13,               /* parameters of one statement */
    BOUND_RESOLVE_MS = 5000,         /* one name lookup */
    BOUND_NAMES = 1024,              /* names of peers whose addresses are remembered */
    BOUND_NAME_MS = 60000,           /* for so long they are used as they are */
    BOUND_NAME_STALE_MS = 600000,    /* and for so long while they are looked up again */
    BOUND_NAME_FAILED_MS = 5000,     /* a name that was not found is not asked for again */
    BOUND_NETWORKS = 64,             /* exceptions to the outbound policy */
    BOUND_HEADER_BYTES = 65536,      /* headers of an answer; value of one header of a request */
    BOUND_BODY_BYTES = 65536,        /* of an answer, as it is kept: what a fact may hold */
    BOUND_BODY_MOST_BYTES = 1048576, /* of an answer, as it is read: then we hang up */
    BOUND_RESULT_BYTES = 49152,      /* of a body in a result, as JSON: with headers it stays below what a fact may hold */
    BOUND_RESULT_HEAD_BYTES = 15360, /* of headers in a result, likewise */
    BOUND_BODY_AT_ONCE_BYTES = 8192, /* a body up to this size is written together with the head of its request */
    BOUND_UNSENT_BYTES = 16384,      /* bytes that wait in the system to be sent: it sends them even if we are frozen */
    BOUND_MAIL_BYTES = 8388608,      /* a mail, encoded */
    BOUND_SECRET_BYTES = 65536,      /* one secret */
    BOUND_SECRETS = 64,              /* secrets that log lines are searched for */
    BOUND_FOREIGN_BYTES = 512,       /* of a stranger's text in an error */
    BOUND_CONNECT_MS = 5000,         /* until a peer has answered the call */
    BOUND_CALL_MS = 60000,           /* one call of a provider, unless its task says otherwise */
    BOUND_CALL_WAIT_MS = 20,         /* claims of calls wait so long for more room than a little */
    BOUND_OVERLAP_MS = 5,            /* claims that look back a second and take less may be made at any time */
    BOUND_DIRECT_CLAIMS_OFF = 255,   /* notifications without a direct claim after direct claims found nothing */
    BOUND_AWAKE = 30,                /* tasks in BOUND_AHEAD_MS: we do not sleep between them */
    BOUND_AWAKE_MS = 3,              /* but look this often */
    BOUND_CALM_MS = 60000,           /* no direct claims for this long after a lost connection */
    BOUND_SOON_MS = 50,              /* from a direct claim to the look at everything else */
    BOUND_STALE_MS = 20,             /* beside some work, other kinds and the next due time are looked for so often */
    BOUND_PLAN_AT = 200,             /* tasks of a connection until its statements are planned again, then 4 times as many */
    BOUND_AHEAD_MS = 50,             /* calls are claimed ahead as many as end in this time */
    BOUND_DRIP_MS = 10000,           /* an answer that has begun and then comes to a stop */
    BOUND_HOST_FAILURES = 10,        /* of one host in a row: then its calls wait */
    BOUND_HOST_CLOSED_MS = 30000,    /* for so long, and twice as long each time */
    BOUND_HOST_MOST_MS = 600000,     /* but no longer than this */
    BOUND_HOST_COUNT = 4096,         /* that have failed and are remembered */
    BOUND_BEHIND_MS = 200,           /* so long what is behind the tasks of a full host may wait */
    BOUND_HOST_LIST_BYTES = 1048576, /* hosts in one claim, as an array literal */
    BOUND_SLOW_CALLBACK_MS = 50,     /* a callback above this is reported */
    BOUND_RECONNECT_MIN_MS = 100,    /* first wait before a new connection, at most */
    BOUND_RECONNECT_MAX_MS = 5000,   /* longest wait before a new connection */
    BOUND_ANSWER_MIN_MS = 10000,     /* an answer on the control connection: waited for one lease, but at least so long */
    BOUND_ANSWER_MAX_MS = 30000,     /* and at most so long: then its server counts as frozen */
    BOUND_PROBE_MS = 2000,           /* own notification must be heard within */
    BOUND_DUE_MS = 1000,             /* idle: the next due time is asked for this often */
    BOUND_FRONT_REST_MS = 100,       /* claims from the very front are no closer than this */
    BOUND_FRONT_MIN_MS = 1000,       /* claims from the very front: this often, if they are cheap */
    BOUND_FRONT_SHARE = 50,          /* at most this part of our time goes into them */
    BOUND_FRONT_MAX_MS = 10000,      /* and at least this often, whatever they cost */
    BOUND_ALIVE_MS = 15000,          /* sign of life */
    BOUND_SWEEP_MS = 60000,          /* look for processes without a run */
    BOUND_PRUNE_MS = 3600000,        /* retention */
    BOUND_MIGRATE_TRIES = 120,       /* of one step of a migration whose table is in use: about four minutes */
    BOUND_MIGRATE_WAIT_MS = 750,     /* a step waits no longer for its table, so that its users wait less than a second */
    BOUND_MIGRATE_LOOK_MS = 100,     /* a step that may looks for a deadlock after so long */
    BOUND_MIGRATE_PAUSE_MS = 500,    /* longest pause before the second try, and so much longer before each later one */
    BOUND_MIGRATE_REST_MS = 2000,    /* longest pause before another try */
    BOUND_FINDINGS_BYTES = 65536,    /* names of violated invariants, which are some twenty */
    BOUND_BUSY_RETRY_MS = 1000,      /* a row that another session still holds */
    BOUND_INTERRUPTIONS = 3,         /* runs of one task that lost their connection: then it may be its doing */
    BOUND_REPORT_BYTES = 8192,       /* error of an outcome: what the engine keeps of it */
    BOUND_OWN_DESCRIPTORS = 32,      /* descriptors beside work connections and calls: the loop, the database, the log */
    BOUND_SPARE_CONNECTIONS = 16,    /* connections that may be kept beside one for each call */
    BOUND_SHORT_MS = 1000,           /* no calls are claimed for so long after one got no descriptor */
    BOUND_REFUSALS = 64,             /* refusals by the outbound policy that are not told again */
    BOUND_REPORT_TRIES = 10,         /* of one outcome that meet passing errors */
    BOUND_UNIT_BYTES = 16777216,     /* results in one transaction on the wire */
    BOUND_THREADS = 4,               /* pool for cancel requests */
    BOUND_JOBS_END_MS = 500,         /* at the end they may take so long to come back */
    BOUND_LOOKUPS = 128,             /* names looked up at once, each in a thread */
};

#endif
