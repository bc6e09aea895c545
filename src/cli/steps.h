/*
 * The steps of a migration.  A file of sql/migrations is cut into its statements, and what a statement begins with says when
 * it is made.  The order of the table steps is kept in databases that are half way (cmd_migrate.c): how a file is cut
 * never changes for a file that was released.
 */
#ifndef CLI_STEPS_H
#define CLI_STEPS_H

#include <stddef.h>

enum step_kind {
    STEP_TABLE, /* first, each in a transaction of its own: the old functions go on working with it */
    STEP_DROP,  /* in the transaction of the functions, before them: drop function, drop view */
    STEP_TYPE,  /* in the same transaction, behind them, because it locks: alter type */
    STEP_DATA,  /* behind it, each in a transaction of its own: update, which may be repeated */
    STEP_LAST   /* at the very end, likewise: drop routine, of a function that calls under way may still need */
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

#endif
