/*
 * A request and what came of it, as values.  The same pair serves HTTP and SMTP: a mail is
 * a transfer with an envelope.
 */
#ifndef HTTP_HTTP_REQUEST_H
#define HTTP_HTTP_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

enum { HTTP_HEADERS = 64 }; /* of one request */

/* Owned by whoever made it; released after the transfer has begun. */
struct http_request {
    char method[8]; /* "" for SMTP */
    char *url;
    char *headers[HTTP_HEADERS]; /* "Name: value" */
    int header_count;
    char *body; /* NULL: none */
    size_t body_length;
    char *user; /* basic authentication, or that of SMTP; NULL: none */
    char *password;
    char *mail_from; /* SMTP envelope, with angle brackets */
    char *mail_to;
    bool is_trusted;    /* the URL comes from the configuration */
    bool is_repeatable; /* a second copy does no harm: it may be sent again on a new connection */
    bool needs_tls;     /* SMTP: STARTTLS is required */
    int64_t timeout_ms; /* for all of it */
};

enum http_end {
    HTTP_ANSWERED, /* there is a status, of HTTP or SMTP */
    HTTP_REFUSED,  /* not sent: the outbound policy forbids it */
    HTTP_UNSENT,   /* not sent: name, connection, TLS */
    HTTP_IN_DOUBT, /* sent, or partly sent, and no answer */
};

/* Valid during the callback. */
struct http_answer {
    enum http_end end;
    int status;          /* HTTP or SMTP; 0: none */
    struct buf *headers; /* lines "name: value\n", names in lower case; SMTP: the replies */
    struct buf *body;    /* raw bytes, at most BOUND_BODY_BYTES */
    bool is_truncated;   /* there was more */
    int64_t took_ms;
    const char *problem; /* why there is no answer; no address, no query */
    bool is_ours;        /* HTTP_UNSENT for a reason of our own: the peer has nothing to do with it */
    bool is_short;       /* that reason is that we lack descriptors, ports or memory */
};

void http_request_init(struct http_request *request);

/* Set what is sent.  Texts are copied. */
void http_request_start(struct http_request *request, const char *method, const char *url, bool is_trusted);
void http_request_body(struct http_request *request, const char *bytes, size_t length);

/* False: the name is no token, or the value has a control character (tabs aside), or there are too many. */
NODISCARD bool http_request_header(struct http_request *request, const char *name, const char *value, struct err *err);

/* Is there a header of this name?  Take all of this name away. */
bool http_request_has_header(const struct http_request *request, const char *name);
void http_request_drop_header(struct http_request *request, const char *name);

/* Wipes what may be secret. */
void http_request_release(struct http_request *request);

/* A header of the answer by its lower-case name, or NULL; *ret_length is that of its value. */
const char *http_answer_header(const struct http_answer *answer, const char *name, size_t *ret_length);

#endif
