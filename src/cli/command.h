/*
 * The commands of the program, as one table.  A command has one or two words ("task list"), the
 * options that it takes, and a function that returns the exit code.
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "config/config.h"
#include "db/db_once.h"

#define PROGRAM_VERSION "0.1.0"

/* A command of the program.  All texts are static. */
struct command {
    const char *name;     /* "work", "task list" */
    const char *operands; /* operands in the usage line */
    const char *summary;
    int operands_min, operands_max;
    int (*function)(const struct command *command, const struct config *config);
    const char *sql;          /* statement of a command that uses cmd_sql; otherwise NULL */
    enum config_key keys[56]; /* options that the command takes; ends with CONFIG_COUNT */
};

/* All commands, in the order of the help. */
extern const struct command commands[];
extern const int command_count;

/* Each function carries out one command or several similar ones.  Each returns the exit code. */
int cmd_dev(const struct command *command, const struct config *config);
int cmd_install(const struct command *command, const struct config *config);
int cmd_migrate(const struct command *command, const struct config *config);
int cmd_uninstall(const struct command *command, const struct config *config);
int cmd_run(const struct command *command, const struct config *config);
int cmd_work(const struct command *command, const struct config *config);
int cmd_metrics(const struct command *command, const struct config *config);
int cmd_metrics_list(const struct command *command, const struct config *config);
int cmd_enqueue(const struct command *command, const struct config *config);
int cmd_task_list(const struct command *command, const struct config *config);
int cmd_task_show(const struct command *command, const struct config *config);
int cmd_queue_pause(const struct command *command, const struct config *config);
int cmd_function_allow(const struct command *command, const struct config *config);
int cmd_job_show(const struct command *command, const struct config *config);
int cmd_schedule_add(const struct command *command, const struct config *config);
int cmd_schedule_show(const struct command *command, const struct config *config);
int cmd_schedule_import(const struct command *command, const struct config *config);
int cmd_secret_set(const struct command *command, const struct config *config);
int cmd_adopt(const struct command *command, const struct config *config);
int cmd_doctor(const struct command *command, const struct config *config);
int cmd_bench(const struct command *command, const struct config *config);

/* Sends the statement of the command with the operands as parameters, and prints the rows.  Returns the exit code; a command
 * that shows one thing and finds no row returns EXIT_NOTHING. */
int cmd_sql(const struct command *command, const struct config *config);

/* Works until a signal, like cmd_work.  With a carrier, the worker serves what it carries out, and nothing else; NULL: none. */
struct carrier;
int work_with(const struct config *config, const struct carrier *carrier);

/* Prints the error on stderr, and returns the exit code for it. */
int command_fail(const struct err *err);

/* Connects; the caller closes *ret_db with db_once_close.  False: the error was printed, and *ret_exit is the exit code. */
NODISCARD bool command_connect(const struct config *config, struct db_once **ret_db, int *ret_exit);

/* Prints rows as a table, or as JSON with -o json.  `sql` has no semicolon at its end.  `count` is
 * the number of parameters.  *ret_rows is the number of rows; ret_rows may be NULL.  False: the query failed, as `err` says, and
 * nothing was printed. */
NODISCARD bool command_print(struct db_once *db, const struct config *config, const char *sql, int count,
    const char *const *params, int *ret_rows, struct err *err);

#endif
