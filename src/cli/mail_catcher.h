/*
 * A mail server for development.  It listens on this machine only, accepts mail for any address, and stores each message as a
 * file.  So no mail leaves the machine, and all of it can be read.  A recipient whose name begins with "refuse-once" is
 * refused the first time, which shows how a supervisor reacts.
 *
 * It is a process of its own, which ends with its parent.
 */
#ifndef CLI_MAIL_CATCHER_H
#define CLI_MAIL_CATCHER_H

#include <sys/types.h>

#include "base/err.h"
#include "cli/folder.h"

/* A server that accepts every mail and keeps it in a folder. */
struct mail_catcher {
    pid_t pid;              /* 0 or less: the process was not started */
    int port;               /* port of SMTP on the loopback address */
    char dir[FOLDER_BYTES]; /* folder of the messages: <number>.eml in the order of arrival */
};

/* Starts the process; messages go to the folder "mail" in `folder`.  mail_catcher_stop ends the
 * process.  False: it could not be started, as `err` says. */
NODISCARD bool mail_catcher_start(struct mail_catcher *catcher, const struct folder *folder, struct err *err);

/* Prints the headers of the message for a recipient.  False: there is no message, or more than one. */
NODISCARD bool mail_catcher_show(const struct mail_catcher *catcher, const char *recipient);

/* Stops the process; harmless if it was not started. */
void mail_catcher_stop(struct mail_catcher *catcher);

#endif
