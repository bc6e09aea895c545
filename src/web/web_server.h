/*
 * A small HTTP server on the loop: figures and health of a program, and the dashboard.  It has no threads.  One handler gets
 * every request that has arrived whole, and answers it, at once or later, with web_send.  The number of connections, the size of
 * a request, the time in which it must arrive, the life of a connection, and for a guest the share of the loop's time have limits
 * (base/bounds.h), so that visitors cannot take descriptors, memory or time from others.
 *
 * What does not look like one simple request is refused before the handler sees it: a body that is not announced by one
 * Content-Length, a read with a body, a Host header that is missing or comes twice, a target that is no path.
 */
#ifndef WEB_WEB_SERVER_H
#define WEB_WEB_SERVER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/buf.h"
#include "base/err.h"
#include "loop/loop.h"

/* Methods.  HEAD counts as GET: the server leaves out the body. */
enum web_method { WEB_GET, WEB_POST };

/* Size of the text of a peer's address. */
enum { WEB_PEER = 46 };

/* An answer.  The handler fills it; the server sends and frees it. */
struct web_answer {
    int status;        /* HTTP status; 200 if the handler leaves it */
    const char *type;  /* media type; static text; plain text if the handler leaves it */
    struct buf body;   /* empty at first */
    const char *fixed; /* static text of fixed_length bytes that is sent instead of the body; NULL: none */
    size_t fixed_length;
    struct buf headers; /* of web_header */
};

/* A request.  It lives until web_send. */
struct web_request {
    enum web_method method;
    const char *path;  /* as it came, not decoded; begins with a slash */
    const char *query; /* as it came, without the question mark; "": none */
    const char *host;  /* value of the Host header; "": none (HTTP/1.0) */
    struct buf body;   /* of a POST */
    char peer[WEB_PEER];
    bool is_secure; /* came over TLS */
    struct web_answer answer;
};

/* Answers a request: now or later calls web_send, exactly once.  Must not block. */
typedef void web_answer_fn(void *cookie, struct web_request *request);

/* The value of a header.  NULL: there is none, or it comes more than once.  The text lives as long as the request. */
const char *web_request_header(const struct web_request *request, const char *name);

/* Adds a header to the answer.  A value with a control character is not added. */
void web_header(struct web_request *request, const char *name, const char *value);

/* Sends the answer.  The request belongs to the server again. */
void web_send(struct web_request *request);

/* A path and its answer, for servers with few paths: such as "/livez".  The function fills the answer. */
struct web_route {
    const char *path; /* static text */
    web_answer_fn *answer;
};

/* Answers a GET by the routes, and sends it.  The cookie goes to the function of the route. */
void web_answer_routes(const struct web_route *routes, int count, void *cookie, struct web_request *request);

/* Options of a server. */
struct web_options {
    const char
        *address; /* HOST:PORT; HOST is a numeric address, in brackets for IPv6, or localhost; port 0: the system chooses */
    web_answer_fn *answer;
    void *cookie;
    int most_visitors;      /* connections at once */
    int most_of_peer;       /* the same from one address */
    size_t most_body_bytes; /* of a POST; 0: reads only */
    /* The same for one request, whose head is here and whose body is not; NULL: most_body_bytes for each. */
    size_t (*most_body)(void *cookie, const struct web_request *request);
    bool is_guest;           /* the loop has other work: see web_rest_ms */
    const char *certificate; /* for TLS: chain and key as PEM, which must outlive the server; NULL: plain HTTP */
    const char *key;
};

struct web_server;

/* Listens.  web_server_free frees the server.  NULL: `err` says what was wrong. */
struct web_server *web_server_new(struct loop *loop, const struct web_options *options, struct err *err) NODISCARD;

/* The address with the port that was chosen.  The text belongs to the server. */
const char *web_server_address(const struct web_server *server);

/* Can only programs on this machine reach the server? */
bool web_server_is_local(const struct web_server *server);

/* Number of answers so far whose status begins with this digit. */
int64_t web_server_answers(const struct web_server *server, int digit);

/* How long a server that has worked for spent_ms since its last rest must rest now, in milliseconds; 0: not yet.  Over time,
 * visitors get a fifth of the loop.  is_answering: an answer is being sent.  Its rest comes later, so that a scrape of a large
 * page does not wait for its own rest; a visitor who does not read delays the rest only for a while, and makes it longer. */
int64_t web_rest_ms(int64_t spent_ms, bool is_answering);

/* Closes all connections and frees the server; requests that were not answered end with it.  Not to be called from the handler.
 * NULL is fine. */
void web_server_free(struct web_server *server);

#endif
