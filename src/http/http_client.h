/*
 * Transfers on the one loop: libcurl's multi interface with our descriptors and timers.  It
 * keeps connections alive, speaks HTTP/2 where it is offered, and SMTP.  It never resolves a
 * name by itself: names are looked up in a thread, each address is judged by the policy, and
 * the transfer is pinned to them; the peer is looked at once more before anything is sent.
 * No redirects, no proxies, no cookies, TLS 1.2 or later and always verified.
 */
#ifndef HTTP_HTTP_CLIENT_H
#define HTTP_HTTP_CLIENT_H

#include "http/http_policy.h"
#include "http/http_request.h"
#include "loop/loop.h"

struct http_client;
struct http_transfer;

/* Asked with the cookie of a transfer at the last moment before each part of its request is written that can
 * have an effect: the head, each part of a body that is not written with it, and the end of a mail. */
typedef bool http_may_send_fn(void *cookie);

struct http_client_options {
    const struct http_policy *policy; /* outlives the client */
    const char *agent;                /* User-Agent; copied */
    const char *ca_file;              /* certificates to trust instead of the system's, or NULL; copied */
    int connections;                  /* open at once at most, those that are kept for later included */
    http_may_send_fn *may_send;       /* NULL: always */
};

typedef void http_done_fn(void *cookie, const struct http_answer *answer);

struct http_client *http_client_new(struct loop *loop, const struct http_client_options *options) NODISCARD;

/* Begin.  `done` is called once, later, never from within.  Takes what `request` holds. */
struct http_transfer *http_send(struct http_client *client, struct http_request *request, http_done_fn *done, void *cookie);

/* End it; `done` is not called. */
void http_cancel(struct http_transfer *transfer);

/* From now on so many connections may be open at once, those that are kept for later included. */
void http_client_limit(struct http_client *client, int connections);

/* Ends all transfers; none is answered.  NULL is fine. */
void http_client_free(struct http_client *client);

#endif
