/*
 * Declarations that the files of this folder share.
 */
#ifndef SERVE_SERVE_PRIVATE_H
#define SERVE_SERVE_PRIVATE_H

#include "base/bounds.h"
#include "base/list.h"
#include "pages/page.h"
#include "serve/attempts.h"
#include "serve/cache.h"
#include "serve/desk.h"
#include "serve/serve.h"
#include "serve/session.h"
#include "web/web_form.h"

/* Largest operand of a path, decoded. */
enum { SERVE_OPERAND = 256 };

struct serve {
    struct serve_options options;
    struct loop *loop;
    struct timer *timer; /* looks for calls that wait too long */
    struct web_server *web;
    struct desks *desks;
    struct sessions *sessions;
    struct attempts *attempts;
    struct cache *cache;
    struct web_base base; /* of --base-url; without one, only the prefix "" counts */
    const char *hosts[8]; /* values of Host that are ours; owned; ends with NULL */
    int host_count;
    char proxies[16][WEB_PEER]; /* addresses of proxies */
    int proxy_count;
    char *url;          /* address that viewers use */
    int64_t alive_ms;   /* systemd was told that we are alive */
    int64_t renewed_ms; /* on a standby: the sessions looked for a server that accepts writes */
    int64_t probed_ms;  /* the database was asked for a sign of life */
    char cookie_name[48];
    char secret[SESSION_SIGN]; /* the one-time token; "": none */
    struct list calls;         /* of struct call, oldest first */
    int call_count;
    bool is_ending;
};

/* What a request is for. */
enum call_kind { CALL_PAGE, CALL_QUESTION, CALL_ACT, CALL_LOGIN };

/* A request that goes on when the database has answered. */
struct call {
    struct list node;    /* of serve->calls */
    struct list waiting; /* of a document */
    struct serve *serve;
    struct web_request *request;
    int64_t due_ms;
    enum call_kind kind;
    bool is_json;
    const struct page *page;
    const struct page_act *act;
    char session_id[SESSION_ID];
    char person[SESSION_PERSON]; /* CALL_LOGIN: the name that was given */
    enum page_right right;
    const char *path; /* of the request, without the prefix and /api; belongs to the request */
    char operand[SERVE_OPERAND];
    bool has_operand;
    struct web_form form;             /* query of a page or question, fields of an act */
    char problem[BOUND_NOTICE_BYTES]; /* why the act was refused, for the form that is shown again; "": it was not */
    struct desk_job *job;
};

/* --- reply.c: answers ------------------------------------------------------------------------ */

/* The viewer of a page that belongs to nobody. */
struct page_viewer reply_nobody(const struct serve *serve, const struct web_request *request);

/* Sends a problem as a page, or as JSON. */
void reply_problem(struct serve *serve, struct web_request *request, bool is_json, int status, const char *code,
    const char *title, const char *text, const char *hint);

/* The same for an error of the database. */
void reply_error(struct serve *serve, struct web_request *request, bool is_json, const struct err *err);

/* What to do after an error of the database; "": nothing is known. */
const char *reply_hint(const struct err *err);

/* Sends the viewer to a path of ours; `path` is without the prefix. */
void reply_redirect(struct serve *serve, struct web_request *request, const char *path);

/* Sends HTML that is in the body. */
void reply_page(struct web_request *request);

/* Sends JSON that is in the body. */
void reply_json(struct web_request *request);

/* Sets the session's cookie, or removes it. */
void reply_cookie(const struct serve *serve, struct web_request *request, const struct session *session);

/* Does the request want JSON, by its Accept header? */
bool request_wants_json(const struct web_request *request);

/* --- call.c: requests that wait ---------------------------------------------------------------- */

/* Makes a call; it belongs to the serve.  NULL: too many wait, and the request was answered. */
struct call *call_new(struct serve *serve, struct web_request *request, enum call_kind kind, bool is_json);

/* Finds the page, or the act, of the call's path for this right.  False: there is none; *ret_is_refused: with a greater right
 * there would be one. */
NODISCARD bool call_find(struct call *call, enum page_right right, bool *ret_is_refused);

/* Goes on with a page, a question or an act: asks for the right of the session again if that was long ago. */
void call_go(struct call *call, struct session *session);

/* The call is answered: frees it. */
void call_end(struct call *call);

/* Answers calls that wait too long; all if the server ends. */
void calls_sweep(struct serve *serve);

/* --- login.c ----------------------------------------------------------------------------------- */

/* Is the peer one of the proxies? */
bool login_is_proxy(const struct serve *serve, const struct web_request *request);

/* The session of a request; NULL: it has none.  For a proxy that says who asks, *ret_person is set if a session must be made for
 * that person first; otherwise it is NULL. */
struct session *login_session(struct serve *serve, const struct web_request *request, const char **ret_person);

/* Answers a request without a session: the way to log in, or 401 for JSON. */
void login_ask(struct serve *serve, struct web_request *request, bool is_json, const char *path, const char *person);

/* GET and POST of /login, POST of /logout. */
void login_show(struct serve *serve, struct web_request *request);
void login_try(struct serve *serve, struct web_request *request);
void login_leave(struct serve *serve, struct web_request *request);

/* The answer of the database to a login or to a proxy's name. */
void login_done(void *cookie, struct desk_job *job);

/* Did the browser send this form from a page of ours? */
bool login_is_same_origin(const struct serve *serve, const struct web_request *request);

/* Makes a new one-time token and says its address. */
void login_new_secret(struct serve *serve);

/* --- route.c ------------------------------------------------------------------------------------- */

/* Answers a request: the handler of the server. */
void route_request(void *cookie, struct web_request *request);

/* Most bytes of the body of a request. */
size_t route_most_body(void *cookie, const struct web_request *request);

#endif
