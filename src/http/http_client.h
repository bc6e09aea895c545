/*
 * Transfers on the loop: libcurl's multi interface with our descriptors and timers.  The client keeps connections alive, and
 * speaks HTTP/1.1, HTTP/2 where the peer offers it, and SMTP.  libcurl never resolves a name: names are looked up in a
 * thread, the policy judges each address, and the transfer is pinned to these addresses.  The address of the peer is checked
 * once more before anything is sent.  There are no redirects, no proxies and no cookies; TLS is 1.2 or later and always
 * verified.
 */
#ifndef HTTP_HTTP_CLIENT_H
#define HTTP_HTTP_CLIENT_H

#include "http/http_policy.h"
#include "http/http_request.h"
#include "loop/loop.h"

struct http_client;
struct http_transfer;

/* Called with the cookie of a transfer just before each part of its request is written that can have an effect: the head,
 * each part of a body that is not written with it, and the end of a mail.  False: do not send. */
typedef bool http_may_send_fn(void *cookie);

/* Options of a client. */
struct http_client_options {
    const struct http_policy *policy; /* outlives the client */
    const char *agent;                /* User-Agent; copied */
    const char *ca_file;              /* certificates to trust instead of the system's; copied; NULL: the system's */
    int connections;                  /* largest number of open connections, with those kept for later */
    http_may_send_fn *may_send;       /* NULL: always allowed */
};

/* The end of a transfer, whatever it was.  The answer is valid during the callback.  The client frees the transfer afterwards;
 * it must not be cancelled any more. */
typedef void http_done_fn(void *cookie, const struct http_answer *answer);

/* Makes a client; http_client_free frees it. */
struct http_client *http_client_new(struct loop *loop, const struct http_client_options *options) NODISCARD;

/* Begins a transfer and takes all that `request` owns; `request` is empty afterwards.  A refusal or a failure is an answer, too.
 * `done` is called once, from the loop, never from within this call.  The client owns the transfer, which is valid until `done`
 * is called or the transfer is cancelled. */
struct http_transfer *http_send(struct http_client *client, struct http_request *request, http_done_fn *done, void *cookie);

/* Ends and frees the transfer; `done` is not called.  A request that was sent may still have its effect. */
void http_cancel(struct http_transfer *transfer);

/* Sets the largest number of open connections, with those kept for later. */
void http_client_limit(struct http_client *client, int connections);

/* Ends all transfers without an answer, and frees the client.  NULL is fine. */
void http_client_free(struct http_client *client);

#endif
