/*
 * Values of options (options.h) in one call of the program.  A value comes from the first of these that is set: flag, REEVE_*
 * variable, older variable, default.  Values are trimmed; an empty value counts as not set.  Secrets have no flag: they come from
 * the environment variable NAME, from the file that NAME_FILE names, or from the file NAME in $CREDENTIALS_DIRECTORY.
 */
#ifndef CONFIG_CONFIG_H
#define CONFIG_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "config/options.h"

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
 * the log, if the command takes them.  `keys` ends with CONFIG_COUNT.  `keys` and `argv` must outlive `config`.  False: an
 * option is unknown or its value is wrong, as `err` says.  In both cases call config_release. */
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

/* Frees the values, and wipes secrets first. */
void config_release(struct config *config);

#endif
