/*
 * The steps of a migration.  A file of sql/migrations is cut into its statements; the first words of a statement decide when
 * it is sent.  Databases in the middle of a migration store the number of table steps made (cmd_migrate.c), so a released file
 * must always be cut in the same way.
 */
#ifndef CLI_STEPS_H
#define CLI_STEPS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* When a step of a migration is made. */
enum step_kind {
    STEP_TABLE,    /* first, each in a transaction of its own; the old functions still work after it */
    STEP_VIEW,     /* in the transaction of the functions, before them: drop view */
    STEP_FUNCTION, /* after the views, or at the very end: drop function, drop procedure (steps_take_calls) */
    STEP_TYPE,     /* in the transaction of the functions, after them, because it locks: alter type */
    STEP_DATA      /* after the functions, each in a transaction of its own: update, which may be repeated */
};

/* One statement of a migration. */
struct step {
    enum step_kind kind;
    int file;  /* index of its migration in the bundle */
    char *sql; /* owned by the steps */
};

/* All statements of a migration.  {0} is an empty list; steps_release frees it. */
struct steps {
    struct step *items; /* owned; NULL: none yet */
    size_t count;
};

/* Adds copies of the statements of a text; steps_release frees them. */
void steps_add(struct steps *steps, int file, const char *sql);

/* Frees all steps and their texts. */
void steps_release(struct steps *steps);

/* Writes the function that a STEP_FUNCTION drops, as "schema.name(type, type)", to `ret`, which is emptied first. */
void steps_function(const struct step *step, struct buf *ret);

/* Do these statements create a function of the same name that takes the calls of `function`?  `function` has `most`
 * arguments, of which `least` have no default.  Then the old function must be dropped before the new one is made. */
bool steps_take_calls(const struct steps *code, const char *function, int least, int most);

#endif
