/*
 * The steps of a migration.  A file of sql/migrations is cut into its statements, and what a statement begins with says when
 * it is made.  The order of the table steps is kept in databases that are half way (cmd_migrate.c): how a file is cut
 * never changes for a file that was released.
 */
#ifndef CLI_STEPS_H
#define CLI_STEPS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

enum step_kind {
    STEP_TABLE,    /* first, each in a transaction of its own: the old functions go on working with it */
    STEP_VIEW,     /* in the transaction of the functions, before them: drop view */
    STEP_FUNCTION, /* behind the views, or at the very end: drop function, drop procedure (steps_take_calls) */
    STEP_TYPE,     /* in the transaction of the functions, behind them, because it locks: alter type */
    STEP_DATA      /* behind it, each in a transaction of its own: update, which may be repeated */
};

struct step {
    enum step_kind kind;
    int file; /* index of its migration */
    char *sql;
};

struct steps {
    struct step *items;
    size_t count;
};

/* Add the statements of a text. */
void steps_add(struct steps *steps, int file, const char *sql);

void steps_release(struct steps *steps);

/* The function that a STEP_FUNCTION drops, "schema.name(type, type)", in `ret`. */
void steps_function(const struct step *step, struct buf *ret);

/* Does a function that these statements create have the same name, and take as many arguments as one that has `most`, of which
 * `least` have no default?  Then calls of the one are calls of the other: they cannot live side by side, and need not. */
bool steps_take_calls(const struct steps *code, const char *function, int least, int most);

#endif
