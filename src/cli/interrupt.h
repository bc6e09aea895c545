/*
 * A clean end after Ctrl-C or TERM: a flag is set, and the query that is under way is cancelled, so that the command sees a
 * failure and removes what it has made.
 */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <stdbool.h>

#include "db/db_once.h"

/* From now on the signals INT and TERM do not end the program but set the flag. */
void interrupt_catch(void);

/* Was the program asked to end? */
bool interrupt_is_asked(void);

/* Says whose query a signal cancels; NULL: none.  The connection must stay open until another one, or NULL, is given. */
void interrupt_cancels(struct db_once *db);

#endif
