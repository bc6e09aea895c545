/*
 * Every limit of the program, with its unit and its reason.  The database limits everything that has no limit here.
 */
#ifndef BASE_BOUNDS_H
#define BASE_BOUNDS_H

/* Limits.  The end of a name says the unit: _MS milliseconds, _BYTES bytes, others a number of things. */
enum {
    BOUND_ERROR_BYTES = 512, /* text of one error: fits a log line */
    BOUND_LOG_BYTES = 4096,  /* one log line; the rest is cut */
    BOUND_CLAIM_LOCK_MS =
        2000,                /* longest wait of a claim for a lock; the same as for other statements of the control connection */
    BOUND_CLAIM = 1000,      /* tasks in one claim: the engine's own limit */
    BOUND_BATCH = 50,        /* tasks in one transaction: it holds their locks until its end */
    BOUND_CALL_BATCH = 200,  /* calls announced or recorded in one transaction, if they are quick */
    BOUND_NOOP_BATCH = 1000, /* tasks that do nothing, completed in one statement */
    BOUND_BATCH_MS = 10,     /* time that a batch should take */
    BOUND_COLD = 4,          /* connections with which a new worker begins, if its work is quick */
    BOUND_CLAIM_AHEAD_MS = 50,       /* claim ahead as many quick tasks as are done in this time */
    BOUND_PACE_MS = 100,             /* length of a trial with another number of connections */
    BOUND_PACE_COLD = 3,             /* trials in a row that are ignored because connections planned their statements */
    BOUND_PACE_REST_MS = 2000,       /* pause after a trial that was of no use */
    BOUND_WORK_CONNECTIONS = 256,    /* work connections of one program */
    BOUND_HINTS = 1024,              /* lanes (queue and priority) whose position is kept */
    BOUND_CRONTAB_BYTES = 1048576,   /* a crontab that is imported */
    BOUND_HINTS_BYTES = 262144,      /* all hints as JSON */
    BOUND_QUEUES = 1024,             /* queues that one program serves by name */
    BOUND_HOSTS = 16,                /* database hosts in one connection string */
    BOUND_ADDRESSES = 32,            /* addresses of all these hosts together */
    BOUND_UNIT_STEPS = 6,            /* statements in one unit on the wire */
    BOUND_PARAMS = 13,               /* parameters of one statement */
    BOUND_WARNINGS = 1000,           /* warnings of the server that are kept until their unit is committed */
    BOUND_RESOLVE_MS = 5000,         /* one name lookup */
    BOUND_NAMES = 1024,              /* names of peers whose addresses are kept */
    BOUND_NAME_MS = 60000,           /* age up to which a kept address is used without a new lookup */
    BOUND_NAME_STALE_MS = 600000,    /* age up to which a kept address is used while a new lookup is under way */
    BOUND_NAME_FAILED_MS = 5000,     /* time before the next lookup of a name that was not found */
    BOUND_NETWORKS = 64,             /* exceptions to the outbound policy */
    BOUND_HEADER_BYTES = 65536,      /* headers of an answer; value of one header of a request */
    BOUND_BODY_BYTES = 65536,        /* body of an answer that is kept: the limit of a fact */
    BOUND_BODY_MOST_BYTES = 1048576, /* body of an answer that is read; then the worker closes the connection */
    BOUND_RESULT_BYTES = 49152,      /* body in a result, as JSON: with its headers it stays below the limit of a fact */
    BOUND_RESULT_HEAD_BYTES = 15360, /* headers in a result, as JSON */
    BOUND_BODY_AT_ONCE_BYTES = 8192, /* a body up to this size is written together with the head of its request */
    BOUND_UNSENT_BYTES = 16384,      /* unsent bytes in the kernel, which sends them even if this process is frozen */
    BOUND_MAIL_BYTES = 8388608,      /* a mail, encoded */
    BOUND_SECRET_BYTES = 65536,      /* one secret */
    BOUND_SECRETS = 64,              /* secrets that log lines are searched for */
    BOUND_FOREIGN_BYTES = 512,       /* foreign text in an error */
    BOUND_CONNECT_MS = 5000,         /* longest time to connect to a peer */
    BOUND_CALL_MS = 60000,           /* one call of a provider, unless its task has a timeout */
    BOUND_CALL_WAIT_MS = 20,         /* longest time that a claim of calls waits for more room */
    BOUND_OVERLAP_MS = 5,            /* overlapping claims that take less time than this may be made at any time */
    BOUND_DIRECT_CLAIMS_OFF = 255,   /* notifications without a direct claim after direct claims found nothing */
    BOUND_AWAKE = 30,                /* tasks in BOUND_AHEAD_MS with which the worker stays awake between tasks */
    BOUND_AWAKE_MS = 3,              /* time between two looks of a worker that stays awake */
    BOUND_CALM_MS = 60000,           /* time without direct claims after a lost connection */
    BOUND_SOON_MS = 50,              /* time from a direct claim to the look at all groups */
    BOUND_STALE_MS =
        20, /* while there is work: time between two looks at other groups, and between two questions for the next due time */
    BOUND_PLAN_AT = 200,                 /* tasks of a connection before its statements are planned again; then 4 times as many */
    BOUND_AHEAD_MS = 50,                 /* claim ahead as many calls as finish in this time */
    BOUND_DRIP_MS = 10000,               /* longest pause within an answer that has begun */
    BOUND_HOST_FAILURES = 10,            /* failures of one host in a row that close it */
    BOUND_HOST_CLOSED_MS = 30000,        /* first time without calls of a closed host; it doubles each time */
    BOUND_HOST_MOST_MS = 600000,         /* longest time without calls of a closed host */
    BOUND_HOST_COUNT = 4096,             /* failed hosts that are kept in memory */
    BOUND_BEHIND_MS = 200,               /* longest delay before looking past a host at its limit */
    BOUND_HOST_LIST_BYTES = 1048576,     /* hosts in one claim, as an array literal */
    BOUND_SLOW_CALLBACK_MS = 50,         /* a callback that takes longer is logged */
    BOUND_RECONNECT_MIN_MS = 100,        /* longest first wait before a new connection */
    BOUND_RECONNECT_MAX_MS = 5000,       /* longest wait before a new connection */
    BOUND_ANSWER_MIN_MS = 10000,         /* shortest timeout of an answer on the control connection; otherwise one lease */
    BOUND_ANSWER_MAX_MS = 30000,         /* longest timeout of such an answer; then the server counts as frozen */
    BOUND_PROBE_MS = 2000,               /* longest wait for the worker's own test notification */
    BOUND_DUE_MS = 1000,                 /* idle: time between two questions for the next due time */
    BOUND_FRONT_REST_MS = 100,           /* shortest time between two claims from the front */
    BOUND_FRONT_MIN_MS = 1000,           /* time between two claims from the front, if they are quick */
    BOUND_FRONT_FACTOR = 50,             /* interval between claims from the front, in durations of such a claim */
    BOUND_FRONT_MAX_MS = 10000,          /* longest time between two claims from the front */
    BOUND_ALIVE_MS = 15000,              /* time between two signs of life */
    BOUND_SCHEDULE_MS = 10000,           /* longest time between two calls that fire schedules */
    BOUND_SCHEDULE_AGAIN_MS = 100,       /* another session decides about a schedule: time until the next call */
    BOUND_SCHEDULE_BATCH = 20,           /* schedules that one call decides about */
    BOUND_SWEEP_MS = 60000,              /* time between two searches for processes without a run */
    BOUND_PRUNE_MS = 3600000,            /* time between two rounds of retention */
    BOUND_MIGRATE_WAIT_MS = 750,         /* longest wait of a step for its table, so that other users wait less than a second */
    BOUND_MIGRATE_LOOK_MS = 100,         /* deadlock_timeout of a step, if the role may set it */
    BOUND_MIGRATE_PAUSE_MS = 500,        /* longest pause before the second try; it grows by this much before each later one */
    BOUND_MIGRATE_REST_MS = 2000,        /* longest pause before another try */
    BOUND_FINDINGS_BYTES = 65536,        /* names of violated invariants; there are about twenty invariants */
    BOUND_BUSY_RETRY_MS = 1000,          /* time before a task whose row another session holds is run again */
    BOUND_INTERRUPTIONS = 3,             /* runs of one task that lost their connection; then the task may be the cause */
    BOUND_REPORT_BYTES = 8192,           /* error of an outcome: the engine keeps no more */
    BOUND_OWN_DESCRIPTORS = 32,          /* descriptors beside work connections and calls: the loop, the database, the log */
    BOUND_SPARE_CONNECTIONS = 16,        /* kept connections beside one for each call */
    BOUND_SHORT_MS = 1000,               /* time without claims of calls after a call got no descriptor */
    BOUND_REFUSALS = 64,                 /* refusals by the outbound policy that are not logged again */
    BOUND_REPORT_TRIES = 10,             /* tries to record one outcome that meet passing errors */
    BOUND_UNIT_BYTES = 16777216,         /* results in one transaction on the wire */
    BOUND_THREADS = 4,                   /* threads of the pool for cancel requests */
    BOUND_JOBS_END_MS = 500,             /* longest wait for cancel requests at the end of the process */
    BOUND_LOOKUPS = 128,                 /* names looked up at once, each in a thread */
    BOUND_CHILD_LINE_BYTES = 1048576,    /* a line of a child of a program */
    BOUND_CHILD_TASKS = 1000,            /* tasks at once of one child */
    BOUND_CHILD_TYPES = 256,             /* task types that one child names */
    BOUND_CHILD_ROOM_BYTES = 33554432,   /* bytes to a child that its pipe has not taken yet; a payload has at most 16 MiB */
    BOUND_CHILD_OUTPUT_BYTES = 65536,    /* latest output of a child that is kept for the error of its task */
    BOUND_CHILD_WORDS_BYTES = 400,       /* last words of a child in a log line */
    BOUND_CHILD_LOG_BYTES = 2048,        /* one line of output of a child in the log; a longer one is cut into several */
    BOUND_CHILD_BACKOFF_MS = 200,        /* wait before a child is started again after a failure; it doubles each time */
    BOUND_CHILD_BACKOFF_MOST_MS = 30000, /* longest wait before a child is started again */
    BOUND_CHILD_SAMPLE_MS = 1000,        /* time between two looks at the memory of the children */
    BOUND_CHILD_AHEAD = 200,             /* calls of a carrier that are announced ahead */
    BOUND_RETRY_AFTER_S = 2592000,       /* longest wait that a failure may ask for: 30 days */
    BOUND_PROGRESS_MS = 1000,            /* time between the first two reports of progress of a task; it doubles each time */
    BOUND_PROGRESS_MOST_MS = 60000,      /* longest time between two reports of progress of a task */
    BOUND_LOG_ERROR_BYTES = 200,         /* first line of an error in the log */
    BOUND_COUNTER_SERIES = 20000,        /* series of one counter; values beyond are counted together */
    BOUND_GAUGE_SERIES = 5000,           /* the same of a gauge */
    BOUND_HISTOGRAM_SERIES = 1000,       /* the same of a histogram, which has up to 18 lines each */
    BOUND_PAGE_BYTES = 33554432,         /* one page of the program's own HTTP server */
    BOUND_VISITORS = 32,                 /* connections to that server at once */
    BOUND_VISIT_BYTES = 16384,           /* memory of one such connection; a request head that is larger is refused */
    BOUND_VISIT_IDLE_S = 10,             /* such a connection without traffic is closed, in seconds */
    BOUND_VISIT_MS = 60000,              /* longest life of such a connection */
    BOUND_VISIT_TURN_MS = 5,             /* time that the server spends on visitors before it rests for four times as long */
    BOUND_VISIT_ANSWER_MS = 50,          /* the same, while an answer is being sent */
    BOUND_VISIT_REST_MS = 1000,          /* longest such rest */
    BOUND_HEALTH_MS = 1000,              /* time between two probes of the database by a program that shows its health */
    BOUND_HEALTHY_MS = 4000,             /* a probe that was answered is evidence for this time */
    BOUND_OVERDUE_MS = 5000,             /* longest time between two questions for overdue tasks */
    BOUND_REFRESH_MS = 5000,             /* time between two questions for the figures of the whole database */
    BOUND_REFRESH_FACTOR = 20,           /* the same, in durations of the last answer */
};

#endif
