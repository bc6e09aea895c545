/*
 * The commands of the program, as one table.  A row is all that a command needs: its words, operands, summary, options,
 * examples, and a statement or a function.  Help, man pages, completions and the check of the documents are made from it.
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "config/config.h"
#include "db/db_once.h"

#define PROGRAM_VERSION "0.1.0"

/* Heading of a command in the overview; the headings have this order. */
enum command_section { SECTION_SETUP, SECTION_RUN, SECTION_LOOK, SECTION_RULES, SECTION_MEASURE, SECTION_COUNT };

/* A line that a user can type, and what it does. */
struct example {
    const char *line; /* NULL: the end of the list */
    const char *meaning;
};

/* A command of the program.  All texts are static. */
struct command {
    const char *name;    /* "work", "task list" */
    const char *summary; /* one line that begins with a verb and has no period */
    const char *about;   /* sentences for the help page; NULL: the summary says all */
    /* Operands of the usage line; NULL: none.  "[X]" may be left out, "X ..." may be repeated, and those after "--" follow the
     * options. */
    const char *operands;
    enum command_section section; /* of a command of one word; the noun has that of the others */
    /* Carries the command out and returns the exit code.  NULL: cmd_sql does. */
    int (*function)(const struct command *command, const struct config *config);
    /* Statement of cmd_sql, which prints its rows; otherwise NULL.  Its parameters are first the operands, then the values of
     * the options in the order of `keys`, as many as it has.  A missing operand or option is null. */
    const char *sql;
    const char *act;  /* statement that cmd_sql sends first, with the same parameters; its rows are dropped; NULL: none */
    const char *json; /* statement for -o json that has one JSON object as its only field; NULL: the rows of `sql` are an array */
    /* Columns that a table shows, the most important first, separated by spaces: a narrow terminal leaves out the last ones, and
     * -o wide also has those that are not named.  NULL: all columns of the statement, in its order. */
    const char *columns;
    struct example examples[5]; /* at least one; ends with an example without a line */
    enum config_key keys[64];   /* options that the command takes; ends with CONFIG_COUNT */
};

/* First word of several commands. */
struct noun {
    const char *name;
    const char *summary; /* what the noun stands for */
    enum command_section section;
};

/* All commands, in the order of the help, and all nouns. */
extern const struct command commands[];
extern const int command_count;
extern const struct noun nouns[];
extern const int noun_count;

/* The heading of a section. */
const char *command_section_title(enum command_section section);

/* The command that the words name; *ret_words is the number of its words, 1 or 2.  NULL: there is none. */
const struct command *command_find(int count, char **words, int *ret_words);

/* The noun of this name.  NULL: there is none. */
const struct noun *command_noun(const char *name);

/* Is the first word of this command that word, followed by another one? */
bool command_is_of(const struct command *command, const char *noun);

/* The least and the largest number of operands. */
void command_operands(const struct command *command, int *ret_min, int *ret_max);

/* A time in the past, in a statement, from a parameter that is a time or a duration. */
#define COMMAND_SINCE(parameter)                                                                                                 \
    "case when " parameter "::text ~ '^[0-9.]+ *(ms|s|min|h|d)?$' then now() - " parameter "::interval else " parameter          \
    "::timestamptz end"

/* The number of parameters of a statement. */
int command_parameters(const char *sql);

/* Carries a command out once.  Returns the exit code. */
int command_run(const struct command *command, const struct config *config);

/* Prints every command as "name|operands|summary|flags", for machines. */
void command_print_all(FILE *to);

/* Each function carries out one command or several similar ones.  Each returns the exit code. */
int cmd_dev(const struct command *command, const struct config *config);
int cmd_install(const struct command *command, const struct config *config);
int cmd_migrate(const struct command *command, const struct config *config);
int cmd_uninstall(const struct command *command, const struct config *config);
int cmd_run(const struct command *command, const struct config *config);
int cmd_work(const struct command *command, const struct config *config);
int cmd_metrics(const struct command *command, const struct config *config);
int cmd_serve(const struct command *command, const struct config *config);
int cmd_top(const struct command *command, const struct config *config);
int cmd_health(const struct command *command, const struct config *config);
int cmd_metrics_list(const struct command *command, const struct config *config);
int cmd_enqueue(const struct command *command, const struct config *config);
int cmd_list(const struct command *command, const struct config *config);
int cmd_queue_list(const struct command *command, const struct config *config);
int cmd_task_show(const struct command *command, const struct config *config);
int cmd_act(const struct command *command, const struct config *config);
int cmd_bulk_resume(const struct command *command, const struct config *config);
int cmd_bulk_extend(const struct command *command, const struct config *config);
int cmd_bulk_show(const struct command *command, const struct config *config);
int cmd_why(const struct command *command, const struct config *config);
int cmd_job_show(const struct command *command, const struct config *config);
int cmd_schedule_add(const struct command *command, const struct config *config);
int cmd_schedule_show(const struct command *command, const struct config *config);
int cmd_schedule_import(const struct command *command, const struct config *config);
int cmd_secret_set(const struct command *command, const struct config *config);
int cmd_adopt(const struct command *command, const struct config *config);
int cmd_doctor(const struct command *command, const struct config *config);
int cmd_new_process(const struct command *command, const struct config *config);
int cmd_new_command(const struct command *command, const struct config *config);
int cmd_new_webhook(const struct command *command, const struct config *config);
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

/* Does the user want colours on standard output? */
bool command_has_colour(const struct config *config);

/* Does the user want JSON? */
bool command_is_json(const struct config *config);

/* Prints rows as a table, or as JSON with -o json.  `columns` names those to show by their importance (struct command); JSON and
 * -o wide have all.  `sql` has no semicolon at its end.  `count` is the number of parameters.  *ret_rows is the number of rows;
 * ret_rows may be NULL.  False: the query failed, as `err` says, and nothing was printed. */
NODISCARD bool command_print_columns(struct db_once *db, const struct config *config, const char *columns, const char *sql,
    int count, const char *const *params, int *ret_rows, struct err *err);

/* The same with all columns, the first being the most important one. */
NODISCARD bool command_print(struct db_once *db, const struct config *config, const char *sql, int count,
    const char *const *params, int *ret_rows, struct err *err);

/* Prints the object that a statement has as its only field; `what` names the thing for the message that it does not exist.
 * Returns the exit code: EXIT_NOTHING if there is no row. */
int command_print_object(
    struct db_once *db, const char *sql, int count, const char *const *params, const char *what, const char *name);

/* Carries a command out again and again, with --watch, until a signal ends it.  Returns the exit code. */
int command_watch(const struct command *command, const struct config *config);

#endif
