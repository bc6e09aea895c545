/*
 * A mail server for development: it listens on this machine only, takes mail for anybody, and
 * keeps each message as a file, so that nothing leaves the machine and everything can be
 * read.  A recipient whose name begins with "refuse-once" is refused the first time, which
 * shows what supervisors do about it.
 *
 * It is a process of its own, which ends with its parent.
 */
#ifndef CLI_MAIL_CATCHER_H
#define CLI_MAIL_CATCHER_H

#include <sys/types.h>

#include "base/err.h"
#include "cli/folder.h"

struct mail_catcher {
    pid_t pid;
    int port;
    char dir[FOLDER_BYTES]; /* <number>.eml in the order in which they came */
};

/* Messages go to the folder "mail" in one of ours. */
NODISCARD bool mail_catcher_start(struct mail_catcher *catcher, const struct folder *folder, struct err *err);

/* Print the headers of the message for a recipient.  False: there is not exactly one. */
NODISCARD bool mail_catcher_show(const struct mail_catcher *catcher, const char *recipient);

/* Harmless if it never started. */
void mail_catcher_stop(struct mail_catcher *catcher);

#endif
