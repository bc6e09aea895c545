/*
 * The descriptors of the transfer library: which of them the loop watches, and for what.
 *
 * A connection that is kept is wanted, not wanted, and wanted again, once per request.  It stays
 * watched in between, since each change is a system call or several; only if something happens on
 * it while nobody wants it, the watching stops.
 */
#ifndef HTTP_HTTP_PEERS_H
#define HTTP_HTTP_PEERS_H

#include "loop/loop.h"

struct http_peers;

/* Events of a wanted descriptor, as WATCH_READ and WATCH_WRITE. */
typedef void http_peers_fn(void *cookie, int fd, int events);

struct http_peers *http_peers_new(struct loop *loop, http_peers_fn *fn, void *cookie) NODISCARD;

/* Watch it for these events; 0: not any more. */
void http_peers_want(struct http_peers *peers, int fd, int events);

/* It is about to be closed, and its number will be somebody else's. */
void http_peers_forget(struct http_peers *peers, int fd);

/* NULL is fine. */
void http_peers_free(struct http_peers *peers);

#endif
