#include <stdio.h>
#include <string.h>

#include "serve/serve_private.h"

struct page_viewer
reply_nobody(const struct serve *serve, const struct web_request *request)
{
    const struct desk_facts *facts = desks_facts(serve->desks);

    return (struct page_viewer){
        .person = "",
        .is_read_only = true,
        .token = "",
        .prefix = serve->base.prefix,
        .path = request->path,
        .query = "",
        .notice = "",
        .database = facts->database,
        .data_age_s = -1,
    };
}

/* What each answer of the dashboard says to the browser. */
static void
add_guards(struct web_request *request)
{
    web_header(request, "Content-Security-Policy",
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self';"
        " frame-ancestors 'none'; base-uri 'none'");
    web_header(request, "X-Frame-Options", "DENY");
    web_header(request, "Referrer-Policy", "no-referrer");
    web_header(request, "Cross-Origin-Opener-Policy", "same-origin");
    web_header(request, "Cross-Origin-Resource-Policy", "same-origin");
    web_header(request, "Permissions-Policy", "camera=(), geolocation=(), microphone=()");
    web_header(request, "Vary", "Cookie");
}

void
reply_page(struct web_request *request)
{
    request->answer.type = "text/html; charset=utf-8";
    add_guards(request);
    web_send(request);
}

void
reply_json(struct web_request *request)
{
    request->answer.type = "application/json";
    add_guards(request);
    web_send(request);
}

void
reply_problem(struct serve *serve, struct web_request *request, bool is_json, int status, const char *code, const char *title,
    const char *text, const char *hint)
{
    struct page_viewer viewer = reply_nobody(serve, request);
    struct buf *body = &request->answer.body;

    if (request->method == WEB_GET)
        viewer.query = request->query;
    buf_clear(body);
    request->answer.status = status;
    if (status == 503) {
        web_header(request, "Retry-After", "2");
        if (request->method == WEB_GET && !is_json)
            web_header(request, "Refresh", "5");
    }
    if (is_json) {
        buf_printf(body, "{\"error\": {\"status\": %d, \"code\": ", status);
        buf_json(body, code);
        buf_puts(body, ", \"message\": ");
        buf_json(body, text[0] == '\0' ? title : text);
        buf_puts(body, ", \"hint\": ");
        buf_json(body, hint);
        buf_puts(body, "}}\n");
        reply_json(request);
        return;
    }
    page_write_problem(status, title, text, hint, &viewer, body);
    reply_page(request);
}

#define FORM_HINT "Go back and send the form again. It is carried out once, also if it got through this time."
#define TIME_HINT "A time is written as 2030-01-31 09:00, yesterday, or a duration: 30min, 2h, 3 days."

/* Errors of the database by the beginning of their code; the first that fits. */
static const struct {
    const char *code;
    int status;
    const char *title;
    const char *text; /* NULL: the message of the database */
    const char *hint; /* NULL: the hint of the database */
} errors[] = {
    {"08006", 503, "The database is away", "The database does not answer.", "This page tries again by itself."},
    {"57014", 503, "That took too long", "The question took longer than two seconds and was stopped.",
        "Narrow the filter, or try again."},
    {"55P03", 503, "Somebody else holds a lock", "The lock was not free within a second.", "Try again."},
    {"40", 503, "Somebody else was faster", "The transaction met another one.", "Try again."},
    {"53", 503, "The database is short of something", NULL, "Try again later."},
    {"57", 503, "The database is away", NULL, "This page tries again by itself."},
    {"42501", 403, "You may not do that", NULL, NULL},
    {"25006", 409, "This database is read-only", "The server is connected to a standby, or to a database that takes no changes.",
        ""},
    {"3F", 503, "Reeve is not installed here", NULL, "Run reeve install."},
    {"22007", 400, "That time does not fit", NULL, TIME_HINT},
    {"22008", 400, "That time does not fit", NULL, TIME_HINT},
    {"22", 400, "That does not fit", NULL, NULL},
    {"23", 409, "That does not fit", NULL, NULL},
    {"54", 400, "That is too large", NULL, NULL},
    {"P0002", 404, "Not found", NULL, NULL},
    {"", 409, "The database refused it", NULL, NULL},
};

static size_t
error_no(const struct err *err)
{
    size_t i = 0;

    while (strncmp(errors[i].code, err->code, strlen(errors[i].code)) != 0)
        i++;
    return i;
}

const char *
reply_hint(const struct err *err)
{
    size_t i = error_no(err);

    return errors[i].hint == NULL ? err->hint : errors[i].hint;
}

void
reply_error(struct serve *serve, struct web_request *request, bool is_json, const struct err *err)
{
    size_t i = error_no(err);

    if (!desks_facts(serve->desks)->is_known && strcmp(err->code, "42501") == 0) {
        reply_problem(serve, request, is_json, 403, err->code, "This server has no right", err->message,
            "Grant the role queues_dashboard to the login of reeve serve.");
        return;
    }
    reply_problem(serve, request, is_json, errors[i].status, err->code, errors[i].title,
        errors[i].text == NULL ? err->message : errors[i].text,
        errors[i].status == 503 && request->method == WEB_POST ? FORM_HINT : reply_hint(err));
}

void
reply_redirect(struct serve *serve, struct web_request *request, const char *path)
{
    struct buf target;

    buf_init(&target, BOUND_VISIT_BYTES);
    buf_printf(&target, "%s%s", serve->base.prefix, web_path_is_ours(path) ? path : "/");
    request->answer.status = 303;
    web_header(request, "Location", target.overflowed ? "/" : target.text);
    buf_release(&target);
    reply_page(request);
}

void
reply_cookie(const struct serve *serve, struct web_request *request, const struct session *session)
{
    char cookie[SESSION_COOKIE] = "";
    char line[512];

    if (session != NULL)
        session_cookie(serve->sessions, session, cookie);
    (void)snprintf(line, sizeof(line), "%s=%s; Path=%s/; HttpOnly; SameSite=Strict%s%s", serve->cookie_name, cookie,
        serve->base.prefix, serve->base.is_secure || request->is_secure ? "; Secure" : "", session == NULL ? "; Max-Age=0" : "");
    web_header(request, "Set-Cookie", line);
}

bool
request_wants_json(const struct web_request *request)
{
    const char *accept = web_request_header(request, "Accept");

    return accept != NULL && strncmp(accept, "application/json", 16) == 0;
}
