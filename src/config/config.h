/*
 * Options, as one table.  A row gives the flag, its environment variable, its line in --help, and the check of its value.
 * A value comes from the first of these that is set: flag, REEVE_* variable, older variable, default.  Values are trimmed;
 * an empty value counts as not set.  Secrets have no flag: they come from the environment variable NAME, from the file
 * that NAME_FILE names, or from the file NAME in $CREDENTIALS_DIRECTORY.
 */
#ifndef CONFIG_CONFIG_H
#define CONFIG_CONFIG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"

/* Options; the table in config.c describes each. */
enum config_key {
    CONFIG_DATABASE_URL,
    CONFIG_LOG_LEVEL,
    CONFIG_LOG_FORMAT,
    CONFIG_OUTPUT,
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
    CONFIG_STATE,
    CONFIG_TYPE,
    CONFIG_OUTCOME,
    CONFIG_LIMIT,
    CONFIG_FOR,
    CONFIG_REASON,
    CONFIG_KIND,
    CONFIG_CANCEL_OPEN,
    CONFIG_REPAIR,
    CONFIG_FULL,
    CONFIG_ONCE,
    CONFIG_TASKS,
    CONFIG_COUNT,
};

/* Largest number of arguments that are no options. */
enum { CONFIG_POSITIONALS = 64 };

/* Options of one call of the program.  config_release frees it. */
struct config {
    const char *values[CONFIG_COUNT];            /* points to heap[] or static text; NULL: not set and without default */
    char *heap[CONFIG_COUNT];                    /* trimmed or joined values; owned; NULL: none */
    const char *positionals[CONFIG_POSITIONALS]; /* arguments that are not options; they point into argv */
    int positional_count;
    bool wants_help;
    bool wants_version;
    const enum config_key *keys; /* keys for config_read_again; not owned */
    int argc;                    /* arguments for config_read_again */
    char **argv;                 /* not owned */
};

/* Copies all arguments; the copy lives as long as the program.  In the original arguments, a connection string that may
 * hold a password is overwritten, because every user of the machine can read them. */
char **config_take_arguments(int argc, char **argv) NODISCARD;

/* Reads flags, then the environment, then defaults, for the keys that a command takes, and sets the level and the format of
 * the log.  `keys` ends with CONFIG_COUNT; database and log options are always taken.  `keys` and `argv` must outlive
 * `config`.  False: an option is unknown or its value is wrong, as `err` says.  In both cases call config_release. */
NODISCARD bool config_read(struct config *config, const enum config_key *keys, int argc, char **argv, struct err *err);

/* Reads the same options into a new `config`, since files may hold other secrets by now.  Failure as in config_read. */
NODISCARD bool config_read_again(const struct config *old, struct config *config, struct err *err);

/* Values of options.  config_read has checked them, so that none of these functions can fail.  config_number and config_ms
 * (milliseconds) need an option that is set or has a default.  A text belongs to `config`. */
const char *config_text(const struct config *config, enum config_key key); /* NULL: not set */
bool config_is_on(const struct config *config, enum config_key key);       /* true: set */
int64_t config_number(const struct config *config, enum config_key key);
double config_decimal(const struct config *config, enum config_key key); /* -1: not set */
int64_t config_ms(const struct config *config, enum config_key key);

/* Does an option take a secret from this environment variable, or from the file that it names? */
bool config_is_secret(const char *variable);

/* Prints the lines of --help for these keys. */
void config_print_help(FILE *to, const enum config_key *keys);

/* Prints every option as "flag|environment|older names|default|help". */
void config_print_table(FILE *to);

/* Frees the values, and wipes secrets first. */
void config_release(struct config *config);

#endif
