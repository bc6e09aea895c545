/*
 * The guided demo of reeve dev: enqueues tasks, shows each fact when it is recorded, and checks every fact at the end.
 */
#ifndef CLI_STORY_H
#define CLI_STORY_H

#include <signal.h>

#include "cli/mail_catcher.h"

/* Runs the demo.  Returns an exit code: 0 only if every fact is right.  It ends early when *stop is set. */
int story_tell(const char *conninfo, const struct mail_catcher *mail, const volatile sig_atomic_t *stop);

#endif
