/*
 * The guided story of reeve dev: enqueues tasks, shows their facts as they happen, and
 * checks at the end that every fact is as it should be.
 */
#ifndef CLI_STORY_H
#define CLI_STORY_H

#include <signal.h>

#include "cli/mail_catcher.h"

/* Returns an exit code: 0 only if every fact is right.  Ends early when *stop is set. */
int story_tell(const char *conninfo, const struct mail_catcher *mail, const volatile sig_atomic_t *stop);

#endif
