/*
 * A promise to the kernel: this process never starts another one.
 */
#ifndef CLI_CONFINE_H
#define CLI_CONFINE_H

#include <stdbool.h>

/* From now on, fork, vfork, execve and clone of a process fail with EPERM, for this thread and all that it starts; threads can
 * still be started.  It cannot be taken back.  False: the kernel or the processor does not know such filters, and nothing has
 * changed. */
bool confine_to_threads(void);

#endif
