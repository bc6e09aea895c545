/*
 * One GET request to a server of this program (web_server.h), for a health check.  The call blocks: it is for a command, not
 * for the loop.
 */
#ifndef WEB_WEB_PROBE_H
#define WEB_WEB_PROBE_H

#include <stdbool.h>

#include "base/attr.h"
#include "base/err.h"

/* What a server answered. */
struct web_reply {
    int status;     /* HTTP status */
    char text[512]; /* beginning of the body, up to its first line end */
};

/* Asks the server that listens on `address` (HOST:PORT; 0.0.0.0 and [::] mean this machine) for `path`.  False: it did not answer
 * within a few seconds, or not with HTTP, as `err` says. */
NODISCARD bool web_probe(const char *address, const char *path, struct web_reply *ret_reply, struct err *err);

#endif
