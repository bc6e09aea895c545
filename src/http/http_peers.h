/*
 * The descriptors of the transfer library, and the events for which the loop watches them.
 *
 * The library starts and stops watching a kept connection once per request.  The loop goes on watching it in between, since
 * each change needs system calls.  It stops only when an event comes that the library did not ask for.
 */
#ifndef HTTP_HTTP_PEERS_H
#define HTTP_HTTP_PEERS_H

#include "loop/loop.h"

struct http_peers;

/* Events of a wanted descriptor, as WATCH_READ and WATCH_WRITE. */
typedef void http_peers_fn(void *cookie, int fd, int events);

/* Makes a set of watched descriptors; http_peers_free frees it. */
struct http_peers *http_peers_new(struct loop *loop, http_peers_fn *fn, void *cookie) NODISCARD;

/* Watches the descriptor for these events; 0: for none.  The library owns the descriptor. */
void http_peers_want(struct http_peers *peers, int fd, int events);

/* The descriptor is about to be closed, and its number may be used again. */
void http_peers_forget(struct http_peers *peers, int fd);

/* Stops watching and frees the set; the descriptors stay open.  NULL is fine. */
void http_peers_free(struct http_peers *peers);

#endif
