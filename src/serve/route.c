/*
 * From a request to the row of a table: prefix, Host, files, login, pages and acts.
 */
#include <string.h>

#include "serve/serve_private.h"

/* --- what needs no login ------------------------------------------------------------------------ */

static bool
is_ready(const struct serve *serve, const char **ret_reason)
{
    const struct desk_facts *facts = desks_facts(serve->desks);

    *ret_reason = "ok";
    if (!desks_are_up(serve->desks))
        *ret_reason = "the database does not answer";
    else if (facts->schema_version != serve->options.schema_version)
        *ret_reason = "the schema of the database is of another version than this program";
    else
        return true;
    return false;
}

/* Pages for machines: they say nothing about the work. */
static bool
answer_probe(struct serve *serve, struct web_request *request, const char *path)
{
    const char *reason = "ok";

    if (request->method != WEB_GET)
        return false;
    if (strcmp(path, "/livez") == 0 || strcmp(path, "/readyz") == 0) {
        if (path[1] == 'r' && !is_ready(serve, &reason))
            request->answer.status = 503;
        buf_printf(&request->answer.body, "%s\n", reason);
        web_send(request);
        return true;
    }
    return false;
}

static bool
answer_asset(struct web_request *request, const char *path)
{
    for (int i = 0; i < page_asset_count; i++) {
        const struct page_asset *asset = &page_assets[i];
        const char *known = web_request_header(request, "If-None-Match");
        char tag[80];

        if (strcmp(asset->path, path) != 0)
            continue;
        (void)snprintf(tag, sizeof(tag), "\"%.64s\"", asset->hash);
        web_header(request, "ETag", tag);
        web_header(request, "Cache-Control",
            strncmp(request->query, "v=", 2) == 0 && strcmp(request->query + 2, asset->hash) == 0
                ? "public, max-age=31536000, immutable"
                : "no-cache");
        web_header(request, "Cross-Origin-Resource-Policy", "same-origin");
        web_header(request, "Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox");
        if (known != NULL && strcmp(known, tag) == 0) {
            request->answer.status = 304;
        } else {
            request->answer.fixed = asset->text;
            request->answer.fixed_length = asset->length;
        }
        request->answer.type = asset->type;
        web_send(request);
        return true;
    }
    return false;
}

/* --- pages and acts -------------------------------------------------------------------------------- */

static bool
is_uuid(const char *text)
{
    return text != NULL && strlen(text) == 36 && strspn(text, "0123456789abcdefABCDEF-") == 36;
}

static void
refuse_call(struct call *call, int status, const char *code, const char *title, const char *text, const char *hint)
{
    reply_problem(call->serve, call->request, call->is_json, status, code, title, text, hint);
    call_end(call);
}

/* May this form be believed?  False: it was refused. */
static bool
check_form(struct call *call, const struct session *session)
{
    const struct serve *serve = call->serve;
    const char *type = web_request_header(call->request, "Content-Type");
    const char *token;
    struct err err;

    if (serve->options.is_read_only || desks_facts(serve->desks)->is_standby) {
        refuse_call(call, 403, "25006", "This server is read-only",
            serve->options.is_read_only ? "It was started with --read-only." : "It is connected to a standby.", "");
        return false;
    }
    if (type == NULL || strncasecmp(type, "application/x-www-form-urlencoded", 33) != 0) {
        refuse_call(call, 415, "22023", "That is no form", "The body must be application/x-www-form-urlencoded.", "");
        return false;
    }
    if (!web_form_read(&call->form, call->request->body.text, call->request->body.length, &err)) {
        refuse_call(call, 400, err.code, "The form is broken", err.message, "");
        return false;
    }
    token = web_form_value(&call->form, PAGE_FIELD_TOKEN);
    if (!login_is_same_origin(serve, call->request) || token == NULL || !secret_is(token, session->token)) {
        refuse_call(call, 403, "28000", "This form came from another site or an older session", "Nothing was done.",
            "Load the page again, and send its form.");
        return false;
    }
    if (!is_uuid(web_form_value(&call->form, PAGE_FIELD_KEY))) {
        refuse_call(call, 400, "22023", "The form has no key", "Nothing was done.", "Load the page again, and send its form.");
        return false;
    }
    return true;
}

static void
route_call(struct serve *serve, struct web_request *request, bool is_json, const char *path, struct session *session)
{
    struct call *call = call_new(serve, request, CALL_PAGE, is_json);
    const struct desk_facts *facts = desks_facts(serve->desks);
    struct err err;
    bool is_refused;

    if (call == NULL)
        return;
    call->path = path;
    call->kind = request->method == WEB_POST ? CALL_ACT : CALL_PAGE;
    if (!call_find(call, PAGE_ADMIN, &is_refused)) {
        call->kind = request->method == WEB_POST ? CALL_PAGE : CALL_QUESTION;
        if (!call_find(call, PAGE_ADMIN, &is_refused)) {
            refuse_call(call, 404, "", "There is no such page", "The address is not that of a page.", "");
            return;
        }
    }
    if (request->method == WEB_POST && call->kind == CALL_PAGE) {
        web_header(request, "Allow", "GET, HEAD");
        refuse_call(call, 405, "", "A page cannot be changed", "This address can be read, and takes no form.", "");
        return;
    }
    if (call->kind == CALL_QUESTION && is_json) {
        web_header(request, "Allow", "POST");
        refuse_call(call, 405, "", "This is an act", "Send a form to this address.", "");
        return;
    }
    if (facts->is_known && facts->schema_version != serve->options.schema_version) {
        refuse_call(call, 503, "QU001", "Program and schema do not fit",
            "The schema of the database is of another version than this program.", "Run reeve migrate, or update the program.");
        return;
    }
    if (call->kind == CALL_ACT) {
        if (!check_form(call, session))
            return;
    } else if (!web_form_read(&call->form, request->query, strlen(request->query), &err)) {
        refuse_call(call, 400, err.code, "The address is broken", err.message, "");
        return;
    }
    call_go(call, session);
}

/* Is the first part of the path `part`, which begins with a slash?  *ret_rest is what follows. */
static bool
begins_with(const char *path, const char *part, const char **ret_rest)
{
    size_t length = strlen(part);

    if (length == 0 || strncmp(path, part, length) != 0 || (path[length] != '/' && path[length] != '\0'))
        return false;
    *ret_rest = path[length] == '\0' ? "/" : path + length;
    return true;
}

void
route_request(void *cookie, struct web_request *request)
{
    struct serve *serve = cookie;
    const char *path = request->path;
    const char *person;
    struct session *session;
    bool is_json;

    (void)begins_with(path, serve->base.prefix, &path);
    if (answer_probe(serve, request, path))
        return;
    if (strcmp(path, "/metrics") == 0 && serve->options.metrics != NULL && request->method == WEB_GET
        && (!web_server_is_local(serve->web) || web_host_is(request->host, serve->hosts))) {
        serve->options.metrics(serve->options.metrics_cookie, request);
        web_send(request);
        return;
    }
    if (!web_host_is(request->host, serve->hosts)) {
        reply_problem(serve, request, false, 421, "28000", "This server has another name",
            "The name in the address is not one of this server.", "See --base-url of reeve serve.");
        return;
    }
    if (serve->proxy_count > 0 && !login_is_proxy(serve, request)) {
        reply_problem(serve, request, false, 403, "28000", "Come through the proxy", "This server talks to its proxy only.", "");
        return;
    }
    if (request->method == WEB_GET && answer_asset(request, path))
        return;
    if (strcmp(path, "/login") == 0 && request->method == WEB_GET) {
        login_show(serve, request);
        return;
    }
    if (strcmp(path, "/login") == 0) {
        login_try(serve, request);
        return;
    }
    if (strcmp(path, "/logout") == 0 && request->method == WEB_POST) {
        login_leave(serve, request);
        return;
    }
    is_json = begins_with(path, "/api", &path) || request_wants_json(request);
    session = login_session(serve, request, &person);
    if (session == NULL)
        login_ask(serve, request, is_json, path, person);
    else
        route_call(serve, request, is_json, path, session);
}

size_t
route_most_body(void *cookie, const struct web_request *request)
{
    const char *person;

    if (login_session(cookie, request, &person) != NULL || person != NULL)
        return BOUND_FORM_BYTES;
    return BOUND_STRANGER_BYTES;
}
