/*
 * The launcher: this program, executed again between a worker and one child.  It has a session and a process group of its own,
 * sets umask, limits and user, and starts the program of the user in its group.  It ends the whole group when the program ends,
 * when the worker closes the pipe to it, and when the worker dies.  So no process of the group remains.  A process that leaves
 * the group (setsid) is not found: the control group of the service holds it.
 *
 *   LAUNCHER_CONTROL   the worker holds the other end; its close is the order to end
 *   LAUNCHER_STATUS    to the worker: "P <pid>\n" when the program runs, "X <code> <signal>\n" when it has ended
 */
#ifndef PROGRAM_LAUNCHER_H
#define PROGRAM_LAUNCHER_H

#include "base/attr.h"
#include "base/err.h"

/* Descriptors of a launcher beside those of the program. */
enum { LAUNCHER_CONTROL = 5, LAUNCHER_STATUS = 6 };

/* First argument of this program when it is a launcher.  It is followed by umask, limits, user and directory, each "" if it is
 * not set, and by the program with its arguments. */
#define LAUNCHER_FLAG "--launch"

enum { LAUNCHER_WORDS = 6 }; /* arguments before those of the program, with the name of this program */

/* Checks the texts of the options umask and limits, and the name of the user.  False: one is wrong, as `err` says. */
NODISCARD bool launcher_check(const char *mask, const char *limits, const char *user, struct err *err);

/* The launcher itself; never returns. */
_Noreturn void launcher_run(int argc, char **argv);

#endif
