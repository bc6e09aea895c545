/*
 * Who asks: the three kinds of login.  A password is proved by one connection of the person to the database, which is closed at
 * once.  The name that a proxy sends counts only from the address of a proxy.  The token counts once.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "base/utf8.h"
#include "serve/serve_private.h"

bool
login_is_proxy(const struct serve *serve, const struct web_request *request)
{
    for (int i = 0; i < serve->proxy_count; i++) {
        if (strcmp(serve->proxies[i], request->peer) == 0)
            return true;
    }
    return false;
}

bool
login_is_same_origin(const struct serve *serve, const struct web_request *request)
{
    const char *site = web_request_header(request, "Sec-Fetch-Site");
    const char *origin = web_request_header(request, "Origin");
    char own[300];

    if (site != NULL)
        return strcmp(site, "same-origin") == 0;
    /* A page without a referrer sends "null"; then only the token of the form tells. */
    if (origin == NULL || strcmp(origin, "null") == 0)
        return true;
    (void)snprintf(own, sizeof(own), "%s://%s", request->is_secure ? "https" : "http", request->host);
    return strcasecmp(origin, own) == 0 || (serve->base.origin[0] != '\0' && strcasecmp(origin, serve->base.origin) == 0);
}

/* --- sessions ---------------------------------------------------------------------------------------- */

/* The name that a proxy sends.  NULL: none, or no good one. */
static const char *
proxy_person(const struct serve *serve, const struct web_request *request)
{
    const char *secret = web_request_header(request, "X-Reeve-Proxy-Secret");
    const char *person = web_request_header(request, serve->options.proxy_header);

    if (!login_is_proxy(serve, request) || person == NULL || person[0] == '\0' || strlen(person) >= SESSION_PERSON
        || !utf8_is_valid(person, strlen(person)) || utf8_has_control(person))
        return NULL;
    if (serve->options.proxy_secret != NULL && (secret == NULL || !secret_is(secret, serve->options.proxy_secret)))
        return NULL;
    return person;
}

struct session *
login_session(struct serve *serve, const struct web_request *request, const char **ret_person)
{
    char cookie[SESSION_COOKIE];

    *ret_person = NULL;
    if (serve->options.login == SERVE_PROXY) {
        const char *person = proxy_person(serve, request);
        struct session *session = person == NULL ? NULL : session_of_person(serve->sessions, person, loop_now_ms(serve->loop));

        *ret_person = session == NULL ? person : NULL;
        return session;
    }
    if (!web_cookie(web_request_header(request, "Cookie"), serve->cookie_name, cookie, sizeof(cookie)))
        return NULL;
    return session_find(serve->sessions, cookie, loop_now_ms(serve->loop));
}

static void
ask_right_of(struct serve *serve, struct web_request *request, bool is_json, const char *person)
{
    struct desk_job job = {
        .errand = DESK_RIGHT,
        .person = serve->options.proxy_role == NULL ? person : serve->options.proxy_role,
        .done = login_done,
    };
    struct call *call = call_new(serve, request, CALL_LOGIN, is_json);

    if (call == NULL)
        return;
    (void)snprintf(call->person, sizeof(call->person), "%s", person);
    job.cookie = call;
    call->job = desk_give(serve->desks, &job);
    if (call->job == NULL) {
        reply_problem(serve, request, is_json, 503, "53000", "Too many viewers", "Too many questions wait for the database.", "");
        call_end(call);
    }
}

/* Did the viewer follow a link of another site? */
static bool
is_from_elsewhere(const struct web_request *request)
{
    const char *site = web_request_header(request, "Sec-Fetch-Site");

    return site != NULL && strcmp(site, "cross-site") == 0;
}

void
login_ask(struct serve *serve, struct web_request *request, bool is_json, const char *path, const char *person)
{
    struct buf target;

    if (person != NULL) {
        ask_right_of(serve, request, is_json, person);
        return;
    }
    if (serve->options.login == SERVE_PROXY) {
        reply_problem(serve, request, is_json, 403, "28000", "The proxy did not say who you are",
            "This server takes the name of its viewers from a proxy, and this request had none that counts.", "");
        return;
    }
    if (is_json || request->method == WEB_POST) {
        reply_problem(serve, request, is_json, is_json ? 401 : 403, "28000", "You are not logged in",
            "There is no session, or it has ended.", "Log in, and do it again.");
        return;
    }
    /* A link on another site: the browser keeps the cookie back for this one request, and sends it with the next. */
    if (is_from_elsewhere(request)) {
        buf_puts(&request->answer.body,
            "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"0\">"
            "<title>Reeve</title><p>One moment ...</p>\n");
        reply_page(request);
        return;
    }
    buf_init(&target, BOUND_VISIT_BYTES);
    buf_puts(&target, "/login");
    if (strcmp(path, "/") != 0 || request->query[0] != '\0') {
        buf_puts(&target, "?back=");
        for (const char *part = path; part != NULL; part = part == path && request->query[0] != '\0' ? request->query : NULL) {
            if (part != path)
                buf_puts(&target, "%3F");
            for (const char *c = part; *c != '\0'; c++) {
                if (isalnum((unsigned char)*c) || *c == '/' || *c == '-' || *c == '_' || *c == '.')
                    buf_printf(&target, "%c", *c);
                else
                    buf_printf(&target, "%%%02X", (unsigned char)*c);
            }
        }
    }
    reply_redirect(serve, request, target.overflowed ? "/login" : target.text);
    buf_release(&target);
}

/* --- the page --------------------------------------------------------------------------------------------- */

static void
show_login(struct serve *serve, struct web_request *request, int status, const char *problem, const char *back)
{
    struct page_viewer viewer = reply_nobody(serve, request);

    viewer.path = "/login";
    request->answer.status = status;
    page_write_login(serve->options.login == SERVE_PASSWORD ? PAGE_LOGIN_PASSWORD : PAGE_LOGIN_TOKEN, problem,
        web_path_is_ours(back) ? back : "/", &viewer, &request->answer.body);
    reply_page(request);
}

void
login_new_secret(struct serve *serve)
{
    char *url;

    secret_make(serve->secret, (SESSION_SIGN - 1) / 2);
    if (serve->options.on_address == NULL)
        return;
    url = must_format("%s/login?secret=%s", serve->url, serve->secret);
    serve->options.on_address(url);
    explicit_bzero(url, strlen(url));
    free(url);
}

/* The address that failed logins are counted for: behind a proxy, the one that it names last. */
static void
find_peer(const struct serve *serve, const struct web_request *request, char *ret_peer, size_t size)
{
    const char *forwarded = login_is_proxy(serve, request) ? web_request_header(request, "X-Forwarded-For") : NULL;
    const char *last = forwarded == NULL ? NULL : strrchr(forwarded, ',');

    if (forwarded == NULL)
        last = request->peer;
    else
        last = last == NULL ? forwarded : last + 1;
    last += strspn(last, " ");
    (void)snprintf(ret_peer, size, "peer %.60s", last);
}

static bool
must_wait(struct serve *serve, struct web_request *request, const char *peer, const char *name, const char *back)
{
    int64_t now_ms = loop_now_ms(serve->loop);
    int64_t wait_ms = attempts_wait_ms(serve->attempts, peer, now_ms);
    int64_t name_ms = attempts_wait_ms(serve->attempts, name, now_ms);
    char text[120];

    /* A name waits for less time, or everybody could lock its owner out. */
    if (name_ms > BOUND_ATTEMPT_NAME_MS)
        name_ms = BOUND_ATTEMPT_NAME_MS;
    if (name_ms > wait_ms)
        wait_ms = name_ms;
    if (wait_ms <= 0)
        return false;
    (void)snprintf(text, sizeof(text), "Too many logins have failed. Wait %d s.", (int)(wait_ms / 1000) + 1);
    show_login(serve, request, 429, text, back);
    return true;
}

static void
enter(struct serve *serve, struct web_request *request, struct session *session, const char *back)
{
    log_event(LOG_INFO, "a viewer has logged in", "person", session->person[0] == '\0' ? "(token)" : session->person, "peer",
        request->peer, NULL);
    reply_cookie(serve, request, session);
    reply_redirect(serve, request, back);
}

static void
try_secret(struct serve *serve, struct web_request *request, const char *secret, const char *back)
{
    bool is_right = serve->secret[0] != '\0' && secret_is(secret, serve->secret);
    char peer[80];

    find_peer(serve, request, peer, sizeof(peer));
    /* Who has the token never waits: nobody can guess it, and any page of another site can make the browser fail here. */
    if (!is_right && must_wait(serve, request, peer, "token", back))
        return;
    if (!is_right) {
        attempts_count(serve->attempts, peer, loop_now_ms(serve->loop));
        show_login(
            serve, request, 403, "This token is not right, or it was used before. The program has printed a new address.", back);
        return;
    }
    login_new_secret(serve);
    enter(serve, request, session_add(serve->sessions, "", "", (int)PAGE_ADMIN, loop_now_ms(serve->loop)), back);
}

void
login_show(struct serve *serve, struct web_request *request)
{
    struct web_form form;
    const char *secret = NULL;
    const char *back = "/";
    const char *person;

    if (web_form_read(&form, request->query, strlen(request->query), NULL)) {
        back = web_form_value(&form, "back");
        secret = web_form_value(&form, "secret");
    }
    if (!web_path_is_ours(back))
        back = "/";
    if (serve->options.login == SERVE_PROXY || login_session(serve, request, &person) != NULL)
        reply_redirect(serve, request, back);
    else if (serve->options.login == SERVE_TOKEN && secret != NULL)
        try_secret(serve, request, secret, back);
    else
        show_login(serve, request, 200, "", back);
    web_form_release(&form);
}

static void
try_password(struct serve *serve, struct web_request *request, const struct web_form *form, const char *back)
{
    const char *name = web_form_value(form, "name");
    const char *password = web_form_value(form, "password");
    struct desk_job job = {.errand = DESK_LOGIN, .person = name, .password = password, .done = login_done};
    struct call *call;
    char peer[80];
    char counted[SESSION_ROLE + 8];

    if (name == NULL || password == NULL || name[0] == '\0' || password[0] == '\0' || strlen(name) >= SESSION_ROLE) {
        show_login(serve, request, 400, "Name and password are both needed.", back);
        return;
    }
    find_peer(serve, request, peer, sizeof(peer));
    (void)snprintf(counted, sizeof(counted), "name %s", name);
    if (must_wait(serve, request, peer, counted, back))
        return;
    call = call_new(serve, request, CALL_LOGIN, false);
    if (call == NULL)
        return;
    /* Counted before the answer, so that many at once are many. */
    attempts_count(serve->attempts, peer, loop_now_ms(serve->loop));
    attempts_count(serve->attempts, counted, loop_now_ms(serve->loop));
    (void)snprintf(call->person, sizeof(call->person), "%s", name);
    (void)snprintf(call->operand, sizeof(call->operand), "%s", strlen(back) < sizeof(call->operand) ? back : "/");
    job.cookie = call;
    call->job = desk_give(serve->desks, &job);
    if (call->job == NULL) {
        show_login(serve, request, 503, "Too many logins wait. Try again in a moment.", back);
        call_end(call);
    }
}

void
login_try(struct serve *serve, struct web_request *request)
{
    struct web_form form;
    struct err err;
    const char *back;

    if (!web_form_read(&form, request->body.text, request->body.length, &err)) {
        reply_problem(serve, request, false, 400, err.code, "The form is broken", err.message, "");
    } else if (serve->options.login == SERVE_PROXY || !login_is_same_origin(serve, request)) {
        reply_problem(serve, request, false, 403, "28000", "This form came from another site", "Nothing was done.", "");
    } else {
        back = web_form_value(&form, "back");
        if (!web_path_is_ours(back))
            back = "/";
        if (serve->options.login == SERVE_PASSWORD)
            try_password(serve, request, &form, back);
        else
            try_secret(serve, request, web_form_value(&form, "secret") == NULL ? "" : web_form_value(&form, "secret"), back);
    }
    web_form_release(&form);
}

static void
end_login(struct call *call, const struct desk_job *job)
{
    struct serve *serve = call->serve;
    struct web_request *request = call->request;
    struct session *session;
    char peer[80];
    char counted[SESSION_ROLE + 8];

    if (!job->is_done && strcmp(job->err.code, "28P01") != 0 && strcmp(job->err.code, "28000") != 0
        && !desks_are_up(serve->desks)) {
        show_login(serve, request, 503, "The database is away or busy. Try again in a moment.", call->operand);
    } else if (!job->is_done || job->found_right == DESK_NOBODY) {
        log_event(LOG_WARN, "a login was refused", "peer", request->peer, NULL);
        if (!job->is_done && strcmp(job->err.code, "28000") == 0)
            log_event(LOG_ERROR, "logins by password cannot work here", "error", job->err.message, NULL);
        /* One answer for a wrong password and for a role without a right: nobody learns which names exist. */
        show_login(serve, request, 403,
            "The database refused this name and password, or this role is no member of queues_observer.", call->operand);
    } else {
        find_peer(serve, request, peer, sizeof(peer));
        (void)snprintf(counted, sizeof(counted), "name %.63s", call->person);
        attempts_forgive(serve->attempts, peer);
        attempts_forgive(serve->attempts, counted);
        session = session_add(serve->sessions, call->person, call->person, job->found_right, loop_now_ms(serve->loop));
        session->must_log_in = true;
        enter(serve, request, session, call->operand);
    }
    call_end(call);
}

/* The right of the person that a proxy named. */
static void
end_proxy(struct call *call, const struct desk_job *job)
{
    struct serve *serve = call->serve;
    struct web_request *request = call->request;
    bool is_json = call->is_json;

    if (!job->is_done) {
        reply_error(serve, request, is_json, &job->err);
    } else if (job->found_right == DESK_NOBODY) {
        reply_problem(serve, request, is_json, 403, "28000", "You have no right here",
            "The proxy says who you are, but that is no role of this database that is a member of queues_observer.", "");
    } else {
        (void)session_add(serve->sessions, call->person,
            serve->options.proxy_role == NULL ? call->person : serve->options.proxy_role, job->found_right,
            loop_now_ms(serve->loop));
        call_end(call);
        route_request(serve, request);
        return;
    }
    call_end(call);
}

void
login_done(void *cookie, struct desk_job *job)
{
    struct call *call = cookie;

    call->job = NULL;
    if (job->errand == DESK_LOGIN)
        end_login(call, job);
    else
        end_proxy(call, job);
}

void
login_leave(struct serve *serve, struct web_request *request)
{
    const char *person;
    struct session *session = login_session(serve, request, &person);
    struct web_form form;
    const char *token = NULL;

    if (web_form_read(&form, request->body.text, request->body.length, NULL))
        token = web_form_value(&form, "token");
    if (session != NULL && (token == NULL || !secret_is(token, session->token) || !login_is_same_origin(serve, request))) {
        reply_problem(serve, request, false, 403, "28000", "This form came from another site", "Nothing was done.", "");
    } else {
        if (session != NULL)
            session_drop(serve->sessions, session);
        reply_cookie(serve, request, NULL);
        reply_redirect(serve, request, "/login");
    }
    web_form_release(&form);
}
