/*
 * The options of the program, as one table: the only place that knows the flag, the variable, the form and the help of an
 * option.  Help pages, man pages, completions, the reader of arguments and the check of the documents are made from it.
 */
#ifndef CONFIG_OPTIONS_H
#define CONFIG_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

/* Options; the table in options.c describes each. */
enum config_key {
    CONFIG_DATABASE_URL,
    CONFIG_LOG_LEVEL,
    CONFIG_LOG_FORMAT,
    CONFIG_OUTPUT,
    CONFIG_COLOR,
    CONFIG_WATCH,
    CONFIG_CONCURRENCY,
    CONFIG_QUEUE,
    CONFIG_QUEUE_CONCURRENCY,
    CONFIG_TYPES,
    CONFIG_NAME,
    CONFIG_POLL_INTERVAL,
    CONFIG_LEASE,
    CONFIG_STOP_GRACE,
    CONFIG_LOCK_TIMEOUT,
    CONFIG_IDLE_LOG,
    CONFIG_LISTEN,
    CONFIG_STALL_AFTER,
    CONFIG_TRACE_URL,
    CONFIG_TRACE_HEADERS,
    CONFIG_TRACE_SERVICE,
    CONFIG_CHANNEL_CONCURRENCY,
    CONFIG_PER_HOST,
    CONFIG_HANDLER_TIMEOUT,
    CONFIG_EMAIL_PROVIDER,
    CONFIG_RESEND_API_KEY,
    CONFIG_RESEND_URL,
    CONFIG_SMTP_URL,
    CONFIG_EMAIL_RATE,
    CONFIG_SMS_PROVIDER,
    CONFIG_TWILIO_ACCOUNT_SID,
    CONFIG_TWILIO_AUTH_TOKEN,
    CONFIG_TWILIO_FROM,
    CONFIG_TWILIO_URL,
    CONFIG_SMS_RATE,
    CONFIG_FILE_SERVICE_URL,
    CONFIG_FILE_SERVICE_API_KEY,
    CONFIG_FILE_DELETE_HOSTS,
    CONFIG_VAULT_KEY,
    CONFIG_ALLOW_HOSTS,
    CONFIG_ALLOW_HTTP_HOSTS,
    CONFIG_ALLOW_NETWORKS,
    CONFIG_ALLOW_PORTS,
    CONFIG_ALLOW_LOOPBACK,
    CONFIG_CA_FILE,
    CONFIG_INSTALLATION,
    CONFIG_SINGLE_INSTANCE,
    CONFIG_UNTIL_EMPTY,
    CONFIG_PROCESSES,
    CONFIG_STDIO,
    CONFIG_ONCE_PER_TASK,
    CONFIG_ENV,
    CONFIG_ENV_FILE,
    CONFIG_DIRECTORY,
    CONFIG_USER,
    CONFIG_UMASK,
    CONFIG_LIMITS,
    CONFIG_HELLO_TIMEOUT,
    CONFIG_KILL_GRACE,
    CONFIG_PING,
    CONFIG_MAX_TASKS_PER_CHILD,
    CONFIG_CHILD_MEMORY,
    CONFIG_KEEP_OUTPUT,
    CONFIG_YES,
    CONFIG_DRY_RUN,
    CONFIG_RUNNER,
    CONFIG_STRICT,
    CONFIG_WITHOUT,
    CONFIG_PATIENCE,
    CONFIG_INSTALL,
    CONFIG_WITH_EXAMPLE,
    CONFIG_AT,
    CONFIG_IN_QUEUE,
    CONFIG_PRIORITY,
    CONFIG_DEDUP_KEY,
    CONFIG_COMMAND,
    CONFIG_WAIT,
    CONFIG_FUNCTION,
    CONFIG_ZONE,
    CONFIG_OVERLAP,
    CONFIG_CATCH_UP,
    CONFIG_OF_QUEUE,
    CONFIG_STATE,
    CONFIG_TYPE,
    CONFIG_OUTCOME,
    CONFIG_ENDED_SINCE,
    CONFIG_UNTIL,
    CONFIG_ERROR_LIKE,
    CONFIG_ALL,
    CONFIG_END_REASON,
    CONFIG_SUPERVISOR,
    CONFIG_JOB_STATUS,
    CONFIG_JOB_STATE,
    CONFIG_PROCESS_STATE,
    CONFIG_JOB_TYPE,
    CONFIG_URL_PREFIX,
    CONFIG_LIMIT,
    CONFIG_FOR,
    CONFIG_INTERVAL,
    CONFIG_KIND,
    CONFIG_CANCEL_OPEN,
    CONFIG_REPAIR,
    CONFIG_FULL,
    CONFIG_ONCE,
    CONFIG_TASKS,
    CONFIG_VIA,
    CONFIG_ATTEMPTS,
    CONFIG_FIRST_DELAY,
    CONFIG_URL,
    CONFIG_EVENTS,
    CONFIG_OWNER,
    CONFIG_INTO,
    CONFIG_FORCE,
    CONFIG_MAX_RUNNING,
    CONFIG_TOP_LEVEL_LIMIT,
    CONFIG_DESCRIPTION,
    CONFIG_BEFORE,
    CONFIG_AFTER,
    CONFIG_DEDUP_KEYS,
    CONFIG_DEDUP_POLICY,
    CONFIG_TIMEOUT,
    CONFIG_MAX_CRASHES,
    CONFIG_ON_IN_DOUBT,
    CONFIG_BEFORE_REQUIRED,
    CONFIG_WEBHOOK_COLUMNS,
    CONFIG_CHANGED_ONLY,
    CONFIG_WHEN,
    CONFIG_SIGNING_SECRET,
    CONFIG_SINCE,
    CONFIG_CURSOR,
    CONFIG_STATUS,
    CONFIG_LOGIN,
    CONFIG_BASE_URL,
    CONFIG_READ_ONLY,
    CONFIG_TLS_CERTIFICATE,
    CONFIG_TLS_KEY,
    CONFIG_PROXY,
    CONFIG_PROXY_HEADER,
    CONFIG_PROXY_ROLE,
    CONFIG_PROXY_SECRET,
    CONFIG_SESSION_LENGTH,
    CONFIG_RECHECK,
    CONFIG_METRICS,
    CONFIG_COUNT,
};

/* Form of a value. */
enum option_type {
    OPTION_TEXT,
    OPTION_FLAG, /* no value */
    OPTION_NUMBER,
    OPTION_DURATION,
    OPTION_LIST, /* may be repeated, or separated by commas */
    OPTION_WORD,
    OPTION_DECIMAL,
    OPTION_SECRET
};

/* Heading under which help and man pages show an option; the headings have this order. */
enum option_group {
    OPTIONS_COMMAND, /* what this command does */
    OPTIONS_FILTER,
    OPTIONS_WORK,
    OPTIONS_PROGRAM,
    OPTIONS_CHANNEL,
    OPTIONS_OUTBOUND,
    OPTIONS_SECRET,
    OPTIONS_VIEWERS,
    OPTIONS_HEALTH,
    OPTIONS_OUTPUT,
    OPTIONS_CONNECTION,
    OPTIONS_GROUPS
};

/* A word that an option takes. */
struct option_word {
    const char *word;    /* NULL: the end of the list */
    const char *meaning; /* NULL: the word says it */
};

/* Words of the columns state and outcome, as queues.task_state has them. */
extern const struct option_word task_states[];
extern const struct option_word task_outcomes[];

/* Words of the column job_status of pgqueue.job_queue. */
extern const struct option_word job_statuses[];

/* An option.  All texts are static. */
struct option_row {
    const char *flag;        /* NULL: a secret, which has no flag */
    char letter;             /* short form; 0: none */
    const char *placeholder; /* stands for the value in help; NULL: OPTION_FLAG */
    enum option_type type;
    enum option_group group;
    const char *environment;         /* environment variable; NULL: none */
    const char *older;               /* older environment variables, separated by commas; NULL: none */
    const char *standard;            /* default value; NULL: none */
    const char *fallback;            /* what holds without a value, in words; NULL: `standard` does, or nothing */
    const char *range;               /* OPTION_NUMBER: "low-high"; NULL: all numbers */
    const char *bare;                /* OPTION_DURATION: value if none follows the flag; NULL: a value is needed */
    const struct option_word *words; /* OPTION_WORD, OPTION_LIST: words that are allowed; NULL: all */
    const char *help;
};

/* All options, by key. */
extern const struct option_row option_rows[CONFIG_COUNT];

/* The heading of a group. */
const char *option_group_title(enum option_group group);

/* Does this list, which ends with CONFIG_COUNT, have the key? */
bool option_is_in(const enum config_key *keys, enum config_key key);

/* Prints every option as "flag|environment|older names|default|help", for machines. */
void option_print_all(FILE *to);

#endif
