/*
 * The guided demo of reeve dev: enqueues tasks, shows each fact when it is recorded, and checks every fact at the end.
 */
#ifndef CLI_STORY_H
#define CLI_STORY_H

#include <signal.h>

#include "cli/mail_catcher.h"

/* Shows the demo, and ends early when *stop is set.  Returns an exit code: EXIT_OK unless a fact is wrong or the database fails,
 * which is printed. */
int story_tell(const char *conninfo, const struct mail_catcher *mail, const volatile sig_atomic_t *stop);

#endif
