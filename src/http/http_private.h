/*
 * Declarations that the files of the client share: http_client.c, and http_mail.c for calls of a mail server.
 */
#ifndef HTTP_HTTP_PRIVATE_H
#define HTTP_HTTP_PRIVATE_H

#include <curl/curl.h>

#include "base/list.h"
#include "http/http_client.h"
#include "http/http_names.h"
#include "http/http_peers.h"

struct http_client {
    struct loop *loop;
    const struct http_policy *policy;
    struct http_names *names;
    CURLM *multi;             /* NULL before the first transfer, since TLS takes megabytes */
    struct timer *timer;      /* time at which the library wants to be called */
    struct timer *deliver;    /* delivers transfers that ended outside of the library */
    struct timer *nudge;      /* a transfer has lost its socket before it was connected */
    struct list transfers;    /* transfers under way */
    struct list finished;     /* transfers that are over and not yet delivered */
    struct http_peers *peers; /* descriptors that the library wants watched */
    struct list mail_sockets;
    http_may_send_fn *may_send;
    char *agent;
    char *ca_file;
    int connections;
    CURL *spares[64]; /* handles that can be used again */
    int spare_count;
};

struct http_transfer {
    struct list node; /* in client->transfers or client->finished */
    struct http_client *client;
    struct http_request request;
    struct http_target target;
    http_done_fn *done;
    void *cookie;
    struct http_name_wait *wait; /* set while the name is looked up */
    CURL *easy;                  /* set while the library has the transfer */
    struct curl_slist *headers, *resolve, *recipients;
    struct buf head;
    struct buf body;
    size_t body_seen;     /* bytes received, kept or not */
    size_t body_sent;     /* bytes of a mail or a large body that were handed to the library */
    int begun;            /* times that the request was about to be written */
    bool has_ended_body;  /* the library knows that the mail is complete, and ends the message */
    bool has_head;        /* a final status and its headers are complete */
    bool is_denied;       /* the address of the peer is not a vetted one */
    bool is_late;         /* may_send refused before the whole request was sent */
    bool is_short;        /* a descriptor, a port or memory was missing */
    bool has_lost_socket; /* an address did not answer, and the next one is tried */
    bool is_head_large;   /* the headers are larger than the limit */
    bool is_body_cut;     /* the body is larger than the limit */
    bool is_repeat_lost;  /* the library would have sent the request twice */
    int family;           /* address family of the last address that was tried */
    int64_t started_ms;
    enum http_end end;
    int status;
    char problem[BOUND_ERROR_BYTES];
};

/* The read callback of the library: the next bytes of the body, unless the owner may not send any more. */
size_t http_supply_body(char *to, size_t size, size_t count, void *cookie);

/* --- http_mail.c ----------------------------------------------------------------------- */

/* Sets the options of a transfer that carries a mail. */
void http_mail_set(struct http_transfer *transfer);

/* Takes a line of the server. */
void http_mail_take_reply(struct http_transfer *transfer, const char *bytes, size_t length);

/* The end of the transfer. */
enum http_end http_mail_end(struct http_transfer *transfer, CURLcode code);

/* A connection of this transfer is being opened. */
void http_mail_note_socket(struct http_transfer *transfer, curl_socket_t fd);

/* A descriptor is about to be closed, or a transfer is over. */
void http_mail_forget_socket(struct http_client *client, curl_socket_t fd);
void http_mail_forget(struct http_transfer *transfer);

/* Called by the library before a handshake: only the alternative names of a certificate count. */
CURLcode http_tls_begin(CURL *easy, void *context, void *cookie);

#endif
