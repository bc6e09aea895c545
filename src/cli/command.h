/*
 * The commands of the program: one table.  A command is a word, or two ("task list"), the
 * options it takes, and a function that returns the exit code.
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "config/config.h"
#include "db/db_once.h"

#define PROGRAM_VERSION "0.1.0"

struct command {
    const char *name;     /* "work", "task list" */
    const char *operands; /* for the usage line */
    const char *summary;
    int operands_min, operands_max;
    int (*run)(const struct command *command, const struct config *config);
    const char *sql;          /* of commands that are one statement (cmd_sql) */
    enum config_key keys[48]; /* ends with CONFIG_COUNT */
};

extern const struct command commands[];
extern const int command_count;

/* One function per command or family. */
int cmd_dev(const struct command *command, const struct config *config);
int cmd_install(const struct command *command, const struct config *config);
int cmd_migrate(const struct command *command, const struct config *config);
int cmd_uninstall(const struct command *command, const struct config *config);
int cmd_work(const struct command *command, const struct config *config);
int cmd_enqueue(const struct command *command, const struct config *config);
int cmd_task_list(const struct command *command, const struct config *config);
int cmd_task_show(const struct command *command, const struct config *config);
int cmd_queue_pause(const struct command *command, const struct config *config);
int cmd_function_allow(const struct command *command, const struct config *config);
int cmd_job_show(const struct command *command, const struct config *config);
int cmd_secret_set(const struct command *command, const struct config *config);
int cmd_adopt(const struct command *command, const struct config *config);
int cmd_doctor(const struct command *command, const struct config *config);
int cmd_bench(const struct command *command, const struct config *config);

/* A command that is one statement: operands are its parameters; rows are printed. */
int cmd_sql(const struct command *command, const struct config *config);

/* Say what went wrong on stderr, and return the exit code that fits. */
int command_fail(const struct err *err);

/* Connect, or say why not.  True: go on. */
NODISCARD bool command_connect(const struct config *config, struct db_once **ret_db, int *ret_exit);

/* Print rows as a table, or as JSON if -o json.  `sql` has no semicolon at its end. */
NODISCARD bool command_print(struct db_once *db, const struct config *config, const char *sql, int count,
    const char *const *params, int *ret_rows, struct err *err);

#endif
