/*
 * A request and its answer, as values.  Both serve HTTP and SMTP: a mail is a transfer with an envelope.
 */
#ifndef HTTP_HTTP_REQUEST_H
#define HTTP_HTTP_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

enum { HTTP_HEADERS = 64 }; /* largest number of headers of one request */

/* The request owns its texts.  http_send takes them; http_request_release frees a request that is not sent. */
struct http_request {
    char method[8]; /* "" for SMTP */
    char *url;
    char *headers[HTTP_HEADERS]; /* "Name: value" */
    int header_count;
    char *body;         /* exact bytes; NULL: none */
    size_t body_length; /* bytes */
    char *user;         /* user for basic authentication or SMTP; NULL: none */
    char *password;     /* NULL: none */
    char *mail_from;    /* sender of the SMTP envelope, with angle brackets; NULL: HTTP */
    char *mail_to;      /* recipient of the SMTP envelope; NULL: HTTP */
    bool is_trusted;    /* the URL comes from the configuration */
    bool is_repeatable; /* a second copy does no harm, so the request may be sent again on a new connection */
    bool needs_tls;     /* SMTP: STARTTLS is required */
    int64_t timeout_ms; /* longest time of the whole transfer; BOUND_CALL_MS unless it is set */
};

/* How a transfer ended. */
enum http_end {
    HTTP_ANSWERED, /* the peer has answered with a status of HTTP or SMTP */
    HTTP_REFUSED,  /* not sent: the outbound policy forbids it */
    HTTP_UNSENT,   /* not sent: the lookup, the connection or TLS failed */
    HTTP_IN_DOUBT, /* sent, or partly sent, and not answered */
};

/* Valid during the callback. */
struct http_answer {
    enum http_end end;
    int status;          /* status of HTTP or SMTP; 0: none */
    struct buf *headers; /* lines "name: value\n", names in lower case; SMTP: the replies */
    struct buf *body;    /* raw bytes, at most BOUND_BODY_BYTES */
    bool is_truncated;   /* the body was longer */
    int64_t took_ms;     /* duration of the transfer */
    const char *problem; /* reason if there is no answer; it has neither an address nor a query */
    bool is_ours;        /* HTTP_UNSENT for a reason of this worker, not of the peer */
    bool is_short;       /* is_ours because descriptors, ports or memory are missing */
};

/* Makes an empty request; http_request_release frees what it owns. */
void http_request_init(struct http_request *request);

/* Set method and URL, and the body of `length` bytes.  All are copied.  Each is called once at most. */
void http_request_start(struct http_request *request, const char *method, const char *url, bool is_trusted);
void http_request_body(struct http_request *request, const char *bytes, size_t length);

/* Adds a copy of a header.  False, with `err`, and nothing was added: the name is not a token, the value has a control
 * character other than a tab, the value is longer than BOUND_HEADER_BYTES, or there are HTTP_HEADERS already. */
NODISCARD bool http_request_header(struct http_request *request, const char *name, const char *value, struct err *err);

/* Is there a header of this name, in any case?  Remove all headers of this name. */
bool http_request_has_header(const struct http_request *request, const char *name);
void http_request_drop_header(struct http_request *request, const char *name);

/* Wipes URL, headers, user and password, and frees all that the request owns.  The request is empty afterwards. */
void http_request_release(struct http_request *request);

/* The value of a header of the answer, by its lower-case name; *ret_length is its length in bytes.  The value
 * belongs to the answer and has no NUL at its end.  NULL: none. */
const char *http_answer_header(const struct http_answer *answer, const char *name, size_t *ret_length);

#endif
