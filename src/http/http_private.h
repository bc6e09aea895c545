/*
 * What the files of the client share: http_client.c, and http_mail.c for what is different when a
 * mail server is called.
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
    CURLM *multi;             /* made for the first transfer: who never calls has no use for TLS and its megabytes */
    struct timer *timer;      /* when the library wants to be called */
    struct timer *deliver;    /* something ended outside of it */
    struct timer *nudge;      /* a transfer has lost its socket before it was connected */
    struct list transfers;    /* under way */
    struct list finished;     /* over, to be delivered */
    struct http_peers *peers; /* what the library wants watched */
    struct list mail_sockets;
    http_may_send_fn *may_send;
    char *agent;
    char *ca_file;
    int connections;
    CURL *spares[64]; /* handles to be used again */
    int spare_count;
};

struct http_transfer {
    struct list node; /* in client->transfers or client->finished */
    struct http_client *client;
    struct http_request request;
    struct http_target target;
    http_done_fn *done;
    void *cookie;
    struct http_name_wait *wait; /* while its name is looked up */
    CURL *easy;                  /* while the library has it */
    struct curl_slist *headers, *resolve, *recipients;
    struct buf head;
    struct buf body;
    size_t body_seen;     /* bytes that came, kept or not */
    size_t body_sent;     /* bytes of a mail or a large body that were handed to the library */
    int begun;            /* how often the request was about to be written */
    bool has_ended_body;  /* the library was told that the mail is complete; it ends the message then */
    bool has_head;        /* a final status and its headers are complete */
    bool is_denied;       /* the real peer is not one that we vetted */
    bool is_late;         /* its owner may not send any more, and not all was sent */
    bool is_short;        /* we lacked a descriptor, a port or memory for it */
    bool has_lost_socket; /* an address did not answer, the next is to be tried */
    bool is_head_large;   /* more headers than we read */
    bool is_body_cut;     /* more body than we read */
    bool is_repeat_lost;  /* the library would have sent it twice */
    int family;           /* of the last address that was tried */
    int64_t started_ms;
    enum http_end end;
    int status;
    char problem[BOUND_ERROR_BYTES];
};

/* The read callback of the library: the next bytes of the body, unless the owner may not send any more. */
size_t http_supply_body(char *to, size_t size, size_t count, void *cookie);

/* --- http_mail.c ----------------------------------------------------------------------- */

/* Options of a transfer that carries a mail. */
void http_mail_set(struct http_transfer *transfer);

/* A line of the server. */
void http_mail_take_reply(struct http_transfer *transfer, const char *bytes, size_t length);

/* How it ended. */
enum http_end http_mail_end(struct http_transfer *transfer, CURLcode code);

/* A connection of this transfer is being opened. */
void http_mail_note_socket(struct http_transfer *transfer, curl_socket_t fd);

/* A descriptor is about to be closed, or a transfer is over. */
void http_mail_forget_socket(struct http_client *client, curl_socket_t fd);
void http_mail_forget(struct http_transfer *transfer);

/* What the library calls before a handshake: only names that the certificate has as such count. */
CURLcode http_tls_begin(CURL *easy, void *context, void *cookie);

#endif
