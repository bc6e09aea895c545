/*
 * The dashboard: HTTP on one side, the database on the other, and the tables of pages/page.h between them.  It finds who asks,
 * what they may do, runs the statement of the page or act under their role, and sends what the pages write.
 */
#ifndef SERVE_SERVE_H
#define SERVE_SERVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "loop/loop.h"
#include "web/web_server.h"

/* How viewers log in. */
enum serve_login {
    SERVE_TOKEN,    /* with the address that the program prints, once */
    SERVE_PASSWORD, /* as a role of the database */
    SERVE_PROXY     /* a proxy says who they are */
};

/* Options.  All texts must outlive the dashboard. */
struct serve_options {
    const char *address;  /* HOST:PORT */
    const char *conninfo; /* of the server's own login */
    const char *base_url; /* address that viewers use; NULL: that of `address` */
    enum serve_login login;
    bool is_read_only;
    const char *certificate; /* PEM; NULL: plain HTTP */
    const char *key;
    const char *proxies;      /* addresses that may say who a viewer is, separated by commas; NULL: none */
    const char *proxy_header; /* header with the name of the viewer */
    const char *proxy_role;   /* role of all viewers that a proxy names; NULL: the name is that of a role */
    const char *proxy_secret; /* the proxy must send it; NULL: none */
    int64_t session_ms;       /* longest life of a session */
    int64_t recheck_ms;       /* time between two questions for the right of a viewer */
    int schema_version;       /* version that this program needs */
    /* Answers /metrics; NULL: there is no such page. */
    web_answer_fn *metrics;
    void *metrics_cookie;
    /* Gets the address to open, with the one-time token if there is one.  NULL: nobody wants to know. */
    void (*on_address)(const char *url);
};

struct serve;

/* Begins to listen.  NULL: `err` says what was wrong: the address cannot be used, or it would be open to everybody. */
struct serve *serve_new(struct loop *loop, const struct serve_options *options, struct err *err) NODISCARD;

/* The address with the port that was chosen. */
const char *serve_address(const struct serve *serve);

/* What the dashboard does. */
struct serve_figures {
    int64_t answers[6]; /* by the first digit of their status, 0 to 5 */
    int64_t questions;  /* to the database */
    int sessions;
    int waiting; /* requests that wait for the database */
};
void serve_measure(const struct serve *serve, struct serve_figures *ret_figures);

/* Stops: open requests are answered that the server ends.  Then comes loop_free, then serve_free. */
void serve_stop(struct serve *serve);

/* Frees everything.  NULL is fine. */
void serve_free(struct serve *serve);

#endif
