/*
 * A small HTTP server on the loop, for figures and health: GET and HEAD, answered at once from memory.  It has no threads.  The
 * number of connections, the size of a request, the idle and whole life of a connection, and the share of the loop's time have
 * limits (base/bounds.h), so that visitors cannot take descriptors, memory or time from the work.
 */
#ifndef WEB_WEB_SERVER_H
#define WEB_WEB_SERVER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/buf.h"
#include "base/err.h"
#include "loop/loop.h"

/* An answer.  Its route fills it; the server sends and frees it. */
struct web_answer {
    int status;       /* HTTP status; 200 if the route leaves it */
    const char *type; /* media type; static text; plain text if the route leaves it */
    struct buf body;  /* empty at first */
};

/* Makes the answer for a path.  `accept` is the Accept header; NULL: there is none.  Must not block. */
typedef void web_route_fn(void *cookie, const char *accept, struct web_answer *answer);

/* A path and its answer. */
struct web_route {
    const char *path; /* static text, such as "/livez" */
    web_route_fn *answer;
};

struct web_server;

/* Listens on `address`, as HOST:PORT: HOST is a numeric address, in brackets for IPv6, or localhost.  Port 0 lets the system
 * choose.  `routes` must outlive the server; `cookie` is passed to the routes.  web_server_free frees the server.  NULL:
 * `err` says what was wrong. */
struct web_server *web_server_new(struct loop *loop, const char *address, const struct web_route *routes, int route_count,
    void *cookie, struct err *err) NODISCARD;

/* The address with the port that was chosen.  The text belongs to the server. */
const char *web_server_address(const struct web_server *server);

/* Can only programs on this machine reach the server? */
bool web_server_is_local(const struct web_server *server);

/* How long a server that has worked for spent_ms since its last rest must rest now, in milliseconds; 0: not yet.  Over time,
 * visitors get a fifth of the loop.  is_answering: an answer is being sent.  Its rest comes later, so that a scrape of a large
 * page does not wait for its own rest; a visitor who does not read delays the rest only for a while, and makes it longer. */
int64_t web_rest_ms(int64_t spent_ms, bool is_answering);

/* Closes all connections and frees the server.  Not to be called from a route.  NULL is fine. */
void web_server_free(struct web_server *server);

#endif
