/*
 * Requests that wait for the database.  A call asks at most two questions: for the right of its viewer, if that was long ago, and
 * for the document or the act.  Whatever comes, it is answered by its deadline; an answer of the database that comes later is
 * kept for others, if it is a document.
 */
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/outside.h"
#include "serve/serve_private.h"

struct call *
call_new(struct serve *serve, struct web_request *request, enum call_kind kind, bool is_json)
{
    struct call *call;

    if (serve->call_count >= BOUND_CALLS) {
        reply_problem(serve, request, is_json, 503, "53000", "Too many viewers", "Too many requests wait for the database.",
            "Try again in a moment.");
        return NULL;
    }
    call = must_alloc(sizeof(*call));
    call->serve = serve;
    call->request = request;
    call->kind = kind;
    call->is_json = is_json;
    call->due_ms = loop_now_ms(serve->loop) + BOUND_CALL_DUE_MS;
    list_init(&call->node);
    list_init(&call->waiting);
    list_append(&serve->calls, &call->node);
    serve->call_count++;
    return call;
}

void
call_end(struct call *call)
{
    call->serve->call_count--;
    list_remove(&call->node);
    list_remove(&call->waiting);
    if (call->job != NULL)
        call->job->cookie = NULL;
    web_form_release(&call->form);
    free(call);
}

bool
call_find(struct call *call, enum page_right right, bool *ret_is_refused)
{
    call->page = NULL;
    call->act = NULL;
    if (call->kind == CALL_PAGE)
        call->page = page_find(call->path, right, call->operand, sizeof(call->operand), ret_is_refused);
    else
        call->act = page_find_act(call->path, right, call->operand, sizeof(call->operand), ret_is_refused);
    if (call->page == NULL && call->act == NULL)
        return false;
    call->has_operand = strchr(call->page != NULL ? call->page->path : call->act->path, '{') != NULL;
    return true;
}

/* The page that had the form. */
static const char *
way_back(const struct call *call, const char *otherwise)
{
    const char *back = web_form_value(&call->form, PAGE_FIELD_BACK);

    return web_path_is_ours(back) ? back : otherwise;
}

static void
keep_notice(struct session *session, const char *text, const char *hint, bool is_bad)
{
    if (session == NULL)
        return;
    (void)snprintf(session->notice, sizeof(session->notice), "%.300s%s%.290s", text, hint[0] == '\0' ? "" : " ", hint);
    session->is_notice_bad = is_bad;
}

/* Shows the notice on the page that had the form: a refusal whose question cannot be asked again. */
static void
send_back(struct call *call)
{
    keep_notice(session_of_id(call->serve->sessions, call->session_id), call->problem, "", true);
    call->request->answer.status = 200;
    reply_redirect(call->serve, call->request, way_back(call, "/"));
    call_end(call);
}

static void
fail(struct call *call, const struct err *err)
{
    if (call->problem[0] != '\0') {
        send_back(call);
        return;
    }
    reply_error(call->serve, call->request, call->is_json, err);
    call_end(call);
}

static void
fail_full(struct call *call)
{
    reply_problem(call->serve, call->request, call->is_json, 503, "53000", "Too many viewers",
        "Too many questions wait for the database.", "Try again in a moment.");
    call_end(call);
}

static void
fill_viewer(
    const struct call *call, struct session *session, double data_age_s, const char *const *values, struct page_viewer *viewer)
{
    const struct serve *serve = call->serve;
    const struct desk_facts *facts = desks_facts(serve->desks);

    *viewer = (struct page_viewer){
        .person = call->person[0] == '\0' ? facts->login : call->person,
        .right = call->right,
        .is_read_only = serve->options.is_read_only || facts->is_standby || !facts->may_name,
        .token = session == NULL ? "" : session->token,
        .prefix = serve->base.prefix,
        .path = call->path,
        .query = call->request->query,
        .notice = call->problem[0] != '\0' ? call->problem
                  : session == NULL        ? ""
                                           : session->notice,
        .is_notice_bad = call->problem[0] != '\0' || (session != NULL && session->is_notice_bad),
        .database = facts->database,
        .data_age_s = data_age_s,
        .operand = call->has_operand ? call->operand : NULL,
        .back = call->kind == CALL_QUESTION ? way_back(call, "") : "",
        .values = values,
    };
}

static int
read_values(const struct call *call, const char *const *names, const char **values)
{
    int count = 0;

    for (; names[count] != NULL; count++) {
        values[count] = web_form_value(&call->form, names[count]);
        if (values[count] != NULL && values[count][0] == '\0')
            values[count] = NULL;
    }
    return count;
}

static void
fill_params(const struct call *call, const char *const *values, int count, const char **params)
{
    int place = 0;

    if (call->has_operand)
        params[place++] = call->operand;
    for (int i = 0; i < count && place < DESK_PARAMS; i++)
        params[place++] = values[i];
}

/* --- pages and questions --------------------------------------------------------------------------- */

static void
answer_document(struct call *call, const struct document *document)
{
    struct serve *serve = call->serve;
    struct web_request *request = call->request;
    struct session *session = session_of_id(serve->sessions, call->session_id);
    const char *values[PAGE_ARGUMENTS + PAGE_FIELDS] = {NULL};
    struct page_viewer viewer;

    (void)read_values(call, call->page != NULL ? call->page->arguments : call->act->fields, values);
    if (!document->is_found && call->problem[0] != '\0') {
        send_back(call);
        return;
    }
    if (!document->is_found) {
        reply_problem(serve, request, call->is_json, 404, "P0002", "Not found", "The database has nothing with this id or name.",
            "History is removed when its retention time is over.");
    } else if (call->is_json) {
        buf_add(&request->answer.body, document->json.text, document->json.length);
        reply_json(request);
    } else {
        fill_viewer(call, session, document->data_age_s, values, &viewer);
        if (call->kind == CALL_PAGE)
            page_write(call->page, document->json.text, &viewer, &request->answer.body);
        else
            page_write_question(call->act, document->json.text, &viewer, &request->answer.body);
        /* A live update shows a notice that is there, and leaves it. */
        if (session != NULL && call->kind == CALL_PAGE && web_request_header(request, "X-Reeve-Live") == NULL)
            session->notice[0] = '\0';
        reply_page(request);
    }
    call_end(call);
}

static void
on_document(void *cookie, struct desk_job *job)
{
    struct document *document = cookie;

    document->is_found = job->is_found;
    document->data_age_s = job->data_age_s;
    buf_add(&document->json, job->text.text, job->text.length);
    while (!list_is_empty(&document->waiting)) {
        struct call *call = LIST_OWNER(document->waiting.next, struct call, waiting);

        list_remove(&call->waiting);
        if (job->is_done)
            answer_document(call, document);
        else
            fail(call, &job->err);
    }
    if (job->is_done)
        cache_keep(document, job->given_ms);
    else
        cache_drop(document);
}

/* The name of a document: a digest, since values may be long. */
static void
make_key(const struct call *call, const char *const *values, int count, char ret_key[2 * EVP_MAX_MD_SIZE + 1])
{
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned int size = 0;
    struct buf text;

    buf_init(&text, 2 * BOUND_FORM_BYTES);
    buf_printf(&text, "%d %d %s", (int)call->right, (int)call->kind, call->page != NULL ? call->page->path : call->act->path);
    buf_printf(&text, "\n%zu:%s", strlen(call->operand), call->operand);
    for (int i = 0; i < count; i++)
        buf_printf(&text, "\n%zu:%s", values[i] == NULL ? (size_t)0 : strlen(values[i]) + 1, values[i] == NULL ? "" : values[i]);
    if (EVP_Digest(text.text, text.length, digest, &size, EVP_sha256(), NULL) != 1) {
        size = 32;
        outside_random(digest, size); /* A name of its own: nobody shares this document. */
    }
    buf_release(&text);
    ret_key[0] = '\0';
    for (unsigned int i = 0; i < size; i++)
        (void)snprintf(ret_key + 2 * (size_t)i, 3, "%02x", digest[i]);
}

static void
ask_document(struct call *call)
{
    struct serve *serve = call->serve;
    const char *values[PAGE_ARGUMENTS + PAGE_FIELDS] = {NULL};
    struct desk_job job = {.errand = DESK_READ, .right = (int)call->right, .person = call->person, .done = on_document};
    int count = read_values(call, call->page != NULL ? call->page->arguments : call->act->fields, values);
    struct document *document;
    char key[2 * EVP_MAX_MD_SIZE + 1];
    bool is_new;

    make_key(call, values, count, key);
    document = cache_get(serve->cache, key, loop_now_ms(serve->loop), &is_new);
    if (!document->is_asked) {
        answer_document(call, document);
        return;
    }
    list_append(&document->waiting, &call->waiting);
    if (!is_new)
        return;
    job.sql = call->page != NULL ? call->page->sql : call->act->ask;
    job.cookie = document;
    fill_params(call, values, count, job.params);
    if (desk_give(serve->desks, &job) == NULL) {
        list_remove(&call->waiting);
        cache_drop(document);
        fail_full(call);
    }
}

/* A question that needs no document. */
static void
show_question(struct call *call)
{
    struct serve *serve = call->serve;
    const char *values[PAGE_FIELDS] = {NULL};
    struct page_viewer viewer;

    (void)read_values(call, call->act->fields, values);
    fill_viewer(call, session_of_id(serve->sessions, call->session_id), -1, values, &viewer);
    page_write_question(call->act, NULL, &viewer, &call->request->answer.body);
    reply_page(call->request);
    call_end(call);
}

/* --- acts ---------------------------------------------------------------------------------------------- */

static void
answer_act(struct call *call, const struct desk_job *job)
{
    struct web_request *request = call->request;
    const char *path = job->path.length == 0 ? way_back(call, "/") : job->path.text;

    if (call->is_json) {
        buf_puts(&request->answer.body, "{\"notice\": ");
        buf_json(&request->answer.body, job->text.text);
        buf_puts(&request->answer.body, ", \"path\": ");
        buf_json(&request->answer.body, path);
        buf_puts(&request->answer.body, "}\n");
        reply_json(request);
    } else {
        keep_notice(session_of_id(call->serve->sessions, call->session_id), job->text.text, "", false);
        reply_redirect(call->serve, request, path);
    }
}

/* What the engine refuses is said where the viewer was. */
static bool
is_refusal(const struct err *err)
{
    return err->kind != ERR_RETRY && strncmp(err->code, "57", 2) != 0 && strcmp(err->code, "42501") != 0
           && strncmp(err->code, "25", 2) != 0;
}

/* Shows the form once more, with what the viewer has typed and what is wrong with it. */
static void
ask_again(struct call *call, const struct err *err)
{
    (void)snprintf(call->problem, sizeof(call->problem), "%.300s%s%.290s", err->message, reply_hint(err)[0] == '\0' ? "" : " ",
        reply_hint(err));
    call->kind = CALL_QUESTION;
    call->request->answer.status = 409;
    if (call->act->ask == NULL)
        show_question(call);
    else
        ask_document(call);
}

static void
on_act(void *cookie, struct desk_job *job)
{
    struct call *call = cookie;
    struct serve *serve = call->serve;

    call->job = NULL;
    /* Also after an error: perhaps it was committed. */
    cache_clear(serve->cache);
    if (job->is_done) {
        answer_act(call, job);
    } else if (is_refusal(&job->err) && !call->is_json) {
        ask_again(call, &job->err);
        return;
    } else {
        reply_error(serve, call->request, call->is_json, &job->err);
    }
    call_end(call);
}

static void
do_act(struct call *call)
{
    struct serve *serve = call->serve;
    const struct desk_facts *facts = desks_facts(serve->desks);
    const char *values[PAGE_FIELDS] = {NULL};
    struct desk_job job = {
        .errand = DESK_ACT,
        .right = (int)call->right,
        .person = call->person,
        .sql = call->act->sql,
        .key = web_form_value(&call->form, PAGE_FIELD_KEY),
        .act = call->path,
        .done = on_act,
        .cookie = call,
    };

    if (facts->is_known && !facts->may_name) {
        reply_problem(serve, call->request, call->is_json, 403, "42501", "This server may not act",
            "Its login is no member of the role queues_dashboard, so it may only show.",
            "Grant that role to the login of reeve serve.");
        call_end(call);
        return;
    }
    fill_params(call, values, read_values(call, call->act->fields, values), job.params);
    call->job = desk_give(serve->desks, &job);
    if (call->job == NULL)
        fail_full(call);
}

/* --- rights ---------------------------------------------------------------------------------------------- */

/* Is the module of the page not installed? */
static bool
is_missing(const struct call *call)
{
    const struct desk_facts *facts = desks_facts(call->serve->desks);
    const char *module = call->page->module;

    if (module == NULL || !facts->is_known)
        return false;
    return (strcmp(module, "comms") == 0 && !facts->has_comms) || (strcmp(module, "files") == 0 && !facts->has_files);
}

static void
show_missing(struct call *call)
{
    struct document document = {.is_found = true, .data_age_s = -1};

    buf_init(&document.json, 128);
    buf_printf(&document.json, "{\"missing\": \"%s\"}", call->page->module);
    answer_document(call, &document);
    buf_release(&document.json);
}

/* Says which role the page or act needs. */
static void
refuse_right(struct call *call, int right)
{
    const char *text = "It needs the role queues_admin.";
    bool is_refused;

    if (right == DESK_NOBODY)
        text = "It needs the role queues_observer.";
    else if (right == (int)PAGE_OBSERVER && call_find(call, PAGE_OPERATOR, &is_refused))
        text = "It needs the role queues_operator.";
    reply_problem(call->serve, call->request, call->is_json, 403, "42501", "You may not do that", text, "");
    call_end(call);
}

/* The right of the viewer is known. */
static void
go_on(struct call *call, const struct session *session)
{
    const struct desk_facts *facts = desks_facts(call->serve->desks);
    int right = session->right;
    bool is_refused = false;

    /* Nobody gets more than the server itself may do. */
    if (facts->is_known && facts->right < right)
        right = facts->right;
    if (right == DESK_NOBODY || !call_find(call, (enum page_right)right, &is_refused)) {
        refuse_right(call, right);
        return;
    }
    call->right = (enum page_right)right;
    if (call->kind == CALL_PAGE && is_missing(call)) {
        show_missing(call);
        return;
    }
    if (call->kind == CALL_ACT)
        do_act(call);
    else if (call->kind == CALL_QUESTION && call->act->ask == NULL)
        show_question(call);
    else
        ask_document(call);
}

static void
on_right(void *cookie, struct desk_job *job)
{
    struct call *call = cookie;
    struct serve *serve = call->serve;
    struct session *session = session_of_id(serve->sessions, call->session_id);

    call->job = NULL;
    if (!job->is_done) {
        fail(call, &job->err);
        return;
    }
    if (session == NULL || job->found_right == DESK_NOBODY) {
        if (session != NULL) {
            log_event(LOG_INFO, "a viewer has no right any more", "person", session->person, NULL);
            session_drop(serve->sessions, session);
        }
        reply_cookie(serve, call->request, NULL);
        reply_problem(serve, call->request, call->is_json, 403, "42501", "You have no right any more",
            "Your role was removed, or it is no member of queues_observer any more.", "");
        call_end(call);
        return;
    }
    session->right = job->found_right;
    session->asked_ms = loop_now_ms(serve->loop);
    go_on(call, session);
}

void
call_go(struct call *call, struct session *session)
{
    struct serve *serve = call->serve;
    struct desk_job job = {
        .errand = DESK_RIGHT, .person = session->role, .must_log_in = session->must_log_in, .done = on_right, .cookie = call};

    memcpy(call->session_id, session->id, sizeof(call->session_id));
    memcpy(call->person, session->person, sizeof(call->person));
    if (session->role[0] == '\0' || loop_now_ms(serve->loop) - session->asked_ms < serve->options.recheck_ms) {
        go_on(call, session);
        return;
    }
    call->job = desk_give(serve->desks, &job);
    if (call->job == NULL)
        fail_full(call);
}

void
calls_sweep(struct serve *serve)
{
    int64_t now_ms = loop_now_ms(serve->loop);
    struct list *next;

    for (struct list *node = serve->calls.next; node != &serve->calls; node = next) {
        struct call *call = LIST_OWNER(node, struct call, node);

        next = node->next;
        if (now_ms < call->due_ms && !serve->is_ending)
            continue;
        reply_problem(serve, call->request, call->is_json, 503, "57000",
            serve->is_ending ? "The server ends" : "The database is slow",
            call->kind == CALL_ACT ? "It is not known yet whether this was done." : "The answer did not come in time.",
            call->kind == CALL_ACT ? "Look first. Sending the same form again does it at most once." : "Try again in a moment.");
        call_end(call);
    }
}
