/*
 * Progress of a command that may take longer than a second: one line on stderr that says what is being done and for how long.
 * On a terminal it is written over each second, and it is gone at the end; elsewhere a line comes every ten seconds.  A
 * command that is quick shows nothing.
 */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "base/attr.h"

/* From now on the program does this; the seconds start at 0. */
FORMAT(1, 2) void progress_step(const char *format, ...);

/* Removes the line, so that something else can be printed.  It comes back with the next second. */
void progress_clear(void);

/* Nothing is under way any more. */
void progress_end(void);

#endif
