/*
 * libmicrohttpd without its thread: it puts all its sockets into one epoll descriptor, which the loop watches.  MHD_run does
 * what is ready, and MHD_get_timeout says when to call it again without an event.
 *
 * The daemon calls on_request with the head of a request, with each part of its body, and at the end of it.  An answer to the
 * head means that the rest is not read, and costs the connection: that is wanted for what we refuse.  While the handler has not
 * answered, the connection is suspended: the daemon does not look at it, so the request lives until web_send.
 */
#include "web/web_server.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "base/bounds.h"
#include "base/list.h"
#include "base/parse.h"
#include "web/web_address.h"

/* A connection. */
struct visitor {
    struct list node; /* in server->visitors, oldest first */
    int fd;
    int64_t came_ms;
    int64_t waits_ms; /* since then it has had time to send a request */
    bool is_busy;     /* a whole request is being answered */
    char peer[WEB_PEER];
};

/* State of a request. */
enum visit_state {
    VISIT_HEAD,     /* its first line was read */
    VISIT_BODY,     /* its head was accepted */
    VISIT_ASKED,    /* the handler has it */
    VISIT_ANSWERED, /* the handler has answered */
    VISIT_SENDING,  /* its answer is being sent */
};

/* A request. */
struct visit {
    struct web_request request;
    struct list node; /* in server->waiting while it is suspended */
    struct web_server *server;
    struct MHD_Connection *connection;
    struct visitor *visitor;
    enum visit_state state;
    char *target;        /* the path, a NUL, the query */
    int64_t large_bytes; /* its part in server->large_bytes */
};

struct web_server {
    struct loop *loop;
    struct MHD_Daemon *daemon;
    struct watch *watch;
    struct timer *timer; /* the next time at which the daemon wants to run */
    struct timer *sweep; /* looks for visits that last too long */
    struct web_options options;
    struct list visitors;
    struct list waiting; /* suspended requests */
    bool is_local;
    bool is_ending;
    bool has_room;       /* a connection has gone in this run */
    int open_answers;    /* answers that have not been sent to their end */
    int64_t spent_ms;    /* since the last rest */
    int64_t answers[10]; /* by the first digit of their status */
    int64_t large_bytes; /* announced lengths of large bodies that are here or on their way */
    char address[80];
};

int64_t
web_rest_ms(int64_t spent_ms, bool is_answering)
{
    if (spent_ms < (is_answering ? BOUND_VISIT_ANSWER_MS : BOUND_VISIT_TURN_MS))
        return 0;
    return spent_ms < BOUND_VISIT_REST_MS / 4 ? spent_ms * 4 : BOUND_VISIT_REST_MS;
}

/* Lets the daemon do what it can do now, and sets the timer for its next time.  At its limit of connections, the daemon stops
 * watching for new ones, and it looks for room only at the beginning of a run.  So when a connection has gone, it runs again.
 * Visitors who ask a guest without end get a fifth of the time of the loop; the rest belongs to the work. */
static void
run(struct web_server *server)
{
    MHD_UNSIGNED_LONG_LONG wait_ms;
    int64_t began_ms = loop_boot_ms();
    int64_t rest_ms = 0;

    server->has_room = false;
    (void)MHD_run(server->daemon);
    server->spent_ms += loop_boot_ms() - began_ms;
    if (server->options.is_guest)
        rest_ms = web_rest_ms(server->spent_ms, server->open_answers > 0);
    watch_want(server->watch, rest_ms > 0 ? 0 : WATCH_READ);
    if (rest_ms > 0) {
        timer_start(server->timer, rest_ms);
        server->spent_ms = 0;
    } else if (server->has_room) {
        timer_start(server->timer, 0);
    } else if (MHD_get_timeout(server->daemon, &wait_ms) == MHD_YES) {
        timer_start(server->timer, (int64_t)wait_ms);
    } else {
        timer_stop(server->timer);
    }
}

static void
on_ready(void *cookie, int events)
{
    (void)events;
    run(cookie);
}

static void
on_timer(void *cookie)
{
    run(cookie);
}

/* --- connections ---------------------------------------------------------------------------- */

/* Ends visits that last too long, however busy they are, and those that do not send a whole request in time.  The daemon sees the
 * end of the connection, and closes it.  An answer that is under way gets as much time again. */
static void
on_sweep(void *cookie)
{
    struct web_server *server = cookie;
    int64_t now_ms = loop_now_ms(server->loop);

    for (struct list *node = server->visitors.next; node != &server->visitors; node = node->next) {
        const struct visitor *visitor = LIST_OWNER(node, struct visitor, node);
        int64_t life_ms = visitor->is_busy ? 2 * BOUND_VISIT_MS : BOUND_VISIT_MS;

        if (now_ms - visitor->came_ms >= life_ms || (!visitor->is_busy && now_ms - visitor->waits_ms >= BOUND_VISIT_ARRIVE_MS))
            (void)shutdown(visitor->fd, SHUT_RDWR);
    }
    if (!list_is_empty(&server->visitors))
        timer_start(server->sweep, BOUND_VISIT_SWEEP_MS);
}

static void
show_peer(const struct sockaddr *address, char text[WEB_PEER])
{
    if (address != NULL && address->sa_family == AF_INET6)
        (void)inet_ntop(AF_INET6, &((const struct sockaddr_in6 *)(const void *)address)->sin6_addr, text, WEB_PEER);
    else if (address != NULL && address->sa_family == AF_INET)
        (void)inet_ntop(AF_INET, &((const struct sockaddr_in *)(const void *)address)->sin_addr, text, WEB_PEER);
    else
        text[0] = '\0';
    /* An IPv4 address that came through a socket of IPv6 is an IPv4 address. */
    if (strncmp(text, "::ffff:", 7) == 0 && strchr(text, '.') != NULL)
        memmove(text, text + 7, strlen(text + 7) + 1);
}

/* May this address connect once more? */
static enum MHD_Result
on_accept(void *cookie, const struct sockaddr *address, socklen_t length)
{
    const struct web_server *server = cookie;
    char peer[WEB_PEER] = "";
    int count = 0;

    (void)length;
    show_peer(address, peer);
    for (struct list *node = server->visitors.next; node != &server->visitors; node = node->next)
        count += strcmp(LIST_OWNER(node, struct visitor, node)->peer, peer) == 0;
    return count < server->options.most_of_peer ? MHD_YES : MHD_NO;
}

static void
on_visit(void *cookie, struct MHD_Connection *connection, void **visit, enum MHD_ConnectionNotificationCode code)
{
    struct web_server *server = cookie;
    struct visitor *visitor = *visit;

    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
        const union MHD_ConnectionInfo *peer = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);

        visitor = must_alloc(sizeof(*visitor));
        visitor->fd = info->connect_fd;
        visitor->came_ms = loop_now_ms(server->loop);
        visitor->waits_ms = visitor->came_ms;
        show_peer(peer->client_addr, visitor->peer);
        list_init(&visitor->node);
        list_append(&server->visitors, &visitor->node);
        *visit = visitor;
        if (!timer_is_armed(server->sweep))
            timer_start(server->sweep, BOUND_VISIT_SWEEP_MS);
    } else if (visitor != NULL) {
        server->has_room = true;
        list_remove(&visitor->node);
        free(visitor);
        *visit = NULL;
    }
}

/* --- requests ------------------------------------------------------------------------------- */

/* The first line of a request was read: a request begins. */
static void *
on_target(void *cookie, const char *target, struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    struct visit *visit = must_alloc(sizeof(*visit));
    char *mark;

    visit->server = cookie;
    visit->connection = connection;
    visit->visitor = info == NULL ? NULL : info->socket_context;
    list_init(&visit->node);
    visit->target = must_strdup(target);
    mark = strchr(visit->target, '?');
    visit->request.query = mark == NULL ? "" : mark + 1;
    if (mark != NULL)
        *mark = '\0';
    visit->request.path = visit->target;
    if (visit->visitor != NULL)
        memcpy(visit->request.peer, visit->visitor->peer, WEB_PEER);
    visit->request.is_secure = visit->server->options.certificate != NULL;
    visit->request.answer = (struct web_answer){.status = MHD_HTTP_OK, .type = "text/plain; charset=utf-8"};
    buf_init(&visit->request.body, visit->server->options.most_body_bytes);
    buf_init(&visit->request.answer.body, BOUND_PAGE_BYTES);
    buf_init(&visit->request.answer.headers, BOUND_VISIT_BYTES);
    return visit;
}

/* The daemon says so once for each request that has begun. */
static void
on_end(void *cookie, struct MHD_Connection *connection, void **request, enum MHD_RequestTerminationCode code)
{
    struct web_server *server = cookie;
    struct visit *visit = *request;

    (void)connection;
    (void)code;
    if (visit == NULL)
        return;
    if (visit->state == VISIT_SENDING)
        server->open_answers--;
    if (visit->visitor != NULL) {
        visit->visitor->is_busy = false;
        visit->visitor->waits_ms = loop_now_ms(server->loop);
    }
    list_remove(&visit->node);
    server->large_bytes -= visit->large_bytes;
    buf_release(&visit->request.body);
    buf_release(&visit->request.answer.body);
    buf_release(&visit->request.answer.headers);
    free(visit->target);
    free(visit);
    *request = NULL;
}

/* A header that is looked for. */
struct search {
    const char *name;
    const char *value;
    int count;
};

static enum MHD_Result
on_header(void *cookie, enum MHD_ValueKind kind, const char *name, const char *value)
{
    struct search *search = cookie;

    (void)kind;
    if (strcasecmp(name, search->name) == 0) {
        search->value = value == NULL ? "" : value;
        search->count++;
    }
    return MHD_YES;
}

static struct search
find_header(struct MHD_Connection *connection, const char *name)
{
    struct search search = {.name = name};

    (void)MHD_get_connection_values(connection, MHD_HEADER_KIND, on_header, &search);
    return search;
}

const char *
web_request_header(const struct web_request *request, const char *name)
{
    const struct visit *visit = (const struct visit *)(const void *)request;
    struct search search = find_header(visit->connection, name);

    return search.count == 1 ? search.value : NULL;
}

void
web_header(struct web_request *request, const char *name, const char *value)
{
    for (const char *c = value; *c != '\0'; c++) {
        if (iscntrl((unsigned char)*c))
            return;
    }
    buf_printf(&request->answer.headers, "%s: %s\n", name, value);
}

static void
add_headers(struct MHD_Response *response, char *headers)
{
    char *line;

    while ((line = strsep(&headers, "\n")) != NULL) {
        char *colon = strchr(line, ':');

        if (colon == NULL)
            continue;
        *colon = '\0';
        (void)MHD_add_response_header(response, line, colon + 2);
    }
}

static bool
has_header(const struct web_answer *answer, const char *name)
{
    const char *found = strcasestr(answer->headers.text, name);

    return found != NULL && (found == answer->headers.text || found[-1] == '\n') && found[strlen(name)] == ':';
}

/* A connection that is in the second half of its life ends with this answer, so that none is cut in the middle of one. */
static bool
is_old(const struct visit *visit)
{
    return visit->visitor == NULL || loop_now_ms(visit->server->loop) - visit->visitor->came_ms >= BOUND_VISIT_MS / 2;
}

static enum MHD_Result
send_answer(struct visit *visit)
{
    struct web_answer *answer = &visit->request.answer;
    struct MHD_Response *response;
    enum MHD_Result result;

    if (answer->body.overflowed || answer->headers.overflowed) {
        answer->status = MHD_HTTP_INTERNAL_SERVER_ERROR;
        answer->type = "text/plain; charset=utf-8";
        buf_clear(&answer->body);
        buf_clear(&answer->headers);
        buf_puts(&answer->body, "The page is too large.\n");
    }
    if (answer->fixed != NULL)
        response = MHD_create_response_from_buffer(
            answer->fixed_length, (void *)(uintptr_t)answer->fixed, MHD_RESPMEM_PERSISTENT);
    else
        response = MHD_create_response_from_buffer(answer->body.length, answer->body.text, MHD_RESPMEM_MUST_COPY);
    if (response == NULL)
        return MHD_NO;
    (void)MHD_add_response_header(response, "Content-Type", answer->type);
    if (!has_header(answer, "Cache-Control"))
        (void)MHD_add_response_header(response, "Cache-Control", "no-store");
    (void)MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    if (is_old(visit))
        (void)MHD_add_response_header(response, "Connection", "close");
    add_headers(response, answer->headers.text);
    result = MHD_queue_response(visit->connection, (unsigned int)answer->status, response);
    MHD_destroy_response(response);
    if (result == MHD_YES) {
        visit->server->answers[answer->status / 100 % 10]++;
        visit->state = VISIT_SENDING;
        visit->server->open_answers++;
    }
    buf_release(&answer->body);
    return result;
}

static enum MHD_Result
refuse(struct visit *visit, int status, const char *text)
{
    visit->request.answer.status = status;
    buf_puts(&visit->request.answer.body, text);
    web_header(&visit->request, "Connection", "close");
    return send_answer(visit);
}

/* Is the target a path that can be shown and compared: visible ASCII, which begins with one slash? */
static bool
is_target_plain(const struct visit *visit)
{
    if (visit->request.path[0] != '/' || visit->request.path[1] == '/')
        return false;
    for (const char *c = visit->request.path; *c != '\0'; c++) {
        if (!isgraph((unsigned char)*c) || *c == '\\' || *c == '#')
            return false;
    }
    for (const char *c = visit->request.query; *c != '\0'; c++) {
        if (!isgraph((unsigned char)*c))
            return false;
    }
    return true;
}

static enum MHD_Result
on_name(void *cookie, enum MHD_ValueKind kind, const char *name, const char *value)
{
    bool *is_plain = cookie;

    (void)kind;
    (void)value;
    for (const char *c = name; *c != '\0'; c++)
        *is_plain = *is_plain && (isalnum((unsigned char)*c) || strchr("!#$%&'*+-.^_`|~", *c) != NULL);
    return MHD_YES;
}

/* Are the names of all headers plain words?  "Transfer-Encoding :" is another header for us than for others. */
static bool
are_names_plain(struct MHD_Connection *connection)
{
    bool is_plain = true;

    (void)MHD_get_connection_values(connection, MHD_HEADER_KIND, on_name, &is_plain);
    return is_plain;
}

/* Most bytes of the body of this request: of somebody who is not known yet it is less. */
static size_t
most_body(const struct visit *visit)
{
    const struct web_options *options = &visit->server->options;

    return options->most_body == NULL ? options->most_body_bytes : options->most_body(options->cookie, &visit->request);
}

/* Looks at the head of a request.  A body has exactly one length, and only a POST has one: so no other server between us and the
 * viewer can find another end of the request. */
static enum MHD_Result
take_head(struct visit *visit, const char *method, const char *version)
{
    const struct web_options *options = &visit->server->options;
    struct search length = find_header(visit->connection, "Content-Length");
    struct search host = find_header(visit->connection, "Host");
    int64_t bytes = 0;
    bool is_post = strcmp(method, MHD_HTTP_METHOD_POST) == 0 && options->most_body_bytes > 0;
    bool is_read = strcmp(method, MHD_HTTP_METHOD_GET) == 0 || strcmp(method, MHD_HTTP_METHOD_HEAD) == 0;

    if (!is_post && !is_read) {
        web_header(&visit->request, "Allow", options->most_body_bytes > 0 ? "GET, HEAD, POST" : "GET, HEAD");
        return refuse(visit, MHD_HTTP_METHOD_NOT_ALLOWED,
            options->most_body_bytes > 0 ? "This server knows GET, HEAD and POST.\n"
                                         : "This server is read only: GET or HEAD.\n");
    }
    if (!are_names_plain(visit->connection))
        return refuse(visit, MHD_HTTP_BAD_REQUEST, "The name of a header is no plain word.\n");
    if (!is_target_plain(visit))
        return refuse(visit, MHD_HTTP_BAD_REQUEST, "The target is no plain path.\n");
    if (host.count > 1 || (host.count == 0 && strcmp(version, MHD_HTTP_VERSION_1_1) == 0))
        return refuse(visit, MHD_HTTP_BAD_REQUEST, "The request needs one Host header.\n");
    if (length.count > 1 || find_header(visit->connection, "Transfer-Encoding").count > 0
        || (length.count == 1 && !parse_int(length.value, 0, INT64_MAX, &bytes, NULL)))
        return refuse(visit, MHD_HTTP_BAD_REQUEST, "The length of the body is not clear: use one Content-Length.\n");
    if (is_read && bytes > 0)
        return refuse(visit, MHD_HTTP_BAD_REQUEST, "A read has no body.\n");
    if (is_post && length.count == 0)
        return refuse(visit, MHD_HTTP_LENGTH_REQUIRED, "The request needs a Content-Length.\n");
    visit->request.method = is_post ? WEB_POST : WEB_GET;
    visit->request.host = host.value == NULL ? "" : host.value;
    if (bytes > 0 && (uint64_t)bytes > most_body(visit))
        return refuse(visit, MHD_HTTP_CONTENT_TOO_LARGE, "The form is too large.\n");
    /* All large bodies together have a bound, and small ones always have room. */
    if (bytes > BOUND_VISIT_BYTES) {
        if (visit->server->large_bytes + bytes > BOUND_FORMS_BYTES)
            return refuse(visit, MHD_HTTP_SERVICE_UNAVAILABLE, "Too many large forms at once. Try again in a moment.\n");
        visit->large_bytes = bytes;
        visit->server->large_bytes += bytes;
    }
    visit->state = VISIT_BODY;
    return MHD_YES;
}

/* The whole request is here. */
static enum MHD_Result
ask_handler(struct visit *visit)
{
    struct web_server *server = visit->server;

    if (server->is_ending)
        return MHD_NO;
    visit->state = VISIT_ASKED;
    if (visit->visitor != NULL)
        visit->visitor->is_busy = true;
    server->options.answer(server->options.cookie, &visit->request);
    if (visit->state == VISIT_ANSWERED)
        return send_answer(visit);
    list_append(&server->waiting, &visit->node);
    MHD_suspend_connection(visit->connection);
    return MHD_YES;
}

static enum MHD_Result
on_request(void *cookie, struct MHD_Connection *connection, const char *path, const char *method, const char *version,
    const char *upload, size_t *upload_size, void **request)
{
    struct visit *visit = *request;

    (void)cookie;
    (void)connection;
    (void)path;
    if (visit == NULL)
        return MHD_NO;
    switch (visit->state) {
    case VISIT_HEAD:
        return take_head(visit, method, version);
    case VISIT_BODY:
        if (*upload_size == 0)
            return ask_handler(visit);
        if (visit->request.method == WEB_GET)
            return MHD_NO;
        buf_add(&visit->request.body, upload, *upload_size);
        *upload_size = 0;
        return visit->request.body.overflowed ? MHD_NO : MHD_YES;
    case VISIT_ASKED:
        return visit->server->is_ending ? MHD_NO : MHD_YES;
    case VISIT_ANSWERED:
        return send_answer(visit);
    case VISIT_SENDING:
        break;
    }
    return MHD_YES;
}

void
web_send(struct web_request *request)
{
    struct visit *visit = (struct visit *)(void *)request;

    visit->state = VISIT_ANSWERED;
    if (list_is_empty(&visit->node))
        return; /* The handler has answered at once. */
    list_remove(&visit->node);
    MHD_resume_connection(visit->connection);
    timer_start(visit->server->timer, 0);
}

void
web_answer_routes(const struct web_route *routes, int count, void *cookie, struct web_request *request)
{
    bool is_found = false;

    for (int i = 0; i < count && !is_found; i++) {
        is_found = strcmp(routes[i].path, request->path) == 0;
        if (is_found)
            routes[i].answer(cookie, request);
    }
    if (!is_found) {
        request->answer.status = MHD_HTTP_NOT_FOUND;
        buf_puts(&request->answer.body, "There is no such page. These are there:\n");
        for (int i = 0; i < count; i++)
            buf_printf(&request->answer.body, "%s\n", routes[i].path);
    }
    web_send(request);
}

/* The daemon leaves the target as it came: web_form.h decodes. */
static size_t
keep_escapes(void *cookie, struct MHD_Connection *connection, char *text)
{
    (void)cookie;
    (void)connection;
    return strlen(text);
}

/* What the daemon and its TLS library say about visitors is not for our log. */
static void
say_nothing(void *cookie, const char *format, va_list args)
{
    (void)cookie;
    (void)format;
    (void)args;
}

/* --- the server ----------------------------------------------------------------------------- */

/* Asks the system for the address that the server has. */
static void
learn_address(struct web_server *server)
{
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_LISTEN_FD);
    struct sockaddr_storage address = {0};
    socklen_t size = sizeof(address);
    char host[INET6_ADDRSTRLEN] = "";

    (void)getsockname(info->listen_fd, (struct sockaddr *)&address, &size);
    if (address.ss_family == AF_INET6) {
        const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)&address;

        (void)inet_ntop(AF_INET6, &six->sin6_addr, host, sizeof(host));
        server->is_local = IN6_IS_ADDR_LOOPBACK(&six->sin6_addr);
        (void)snprintf(server->address, sizeof(server->address), "[%s]:%d", host, ntohs(six->sin6_port));
    } else {
        const struct sockaddr_in *four = (const struct sockaddr_in *)&address;

        (void)inet_ntop(AF_INET, &four->sin_addr, host, sizeof(host));
        server->is_local = (ntohl(four->sin_addr.s_addr) >> 24) == 127;
        (void)snprintf(server->address, sizeof(server->address), "%s:%d", host, ntohs(four->sin_port));
    }
}

struct web_server *
web_server_new(struct loop *loop, const struct web_options *options, struct err *err)
{
    struct web_server *server;
    struct sockaddr_storage where;
    bool has_tls = options->certificate != NULL;

    if (!web_address_read(options->address, &where, err))
        return NULL;
    server = must_alloc(sizeof(*server));
    server->loop = loop;
    server->options = *options;
    list_init(&server->visitors);
    list_init(&server->waiting);
    errno = 0;
    server->daemon = MHD_start_daemon(MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | (where.ss_family == AF_INET6 ? MHD_USE_IPv6 : 0U)
                                          | (has_tls ? MHD_USE_TLS : 0U),
        0, on_accept, server, on_request, server, MHD_OPTION_EXTERNAL_LOGGER, say_nothing, NULL, MHD_OPTION_SOCK_ADDR,
        (struct sockaddr *)&where, MHD_OPTION_LISTENING_ADDRESS_REUSE, 1U, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned int)options->most_visitors, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned int)BOUND_VISIT_IDLE_S,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)BOUND_VISIT_BYTES, MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_UNESCAPE_CALLBACK, keep_escapes, NULL, MHD_OPTION_URI_LOG_CALLBACK, on_target, server,
        MHD_OPTION_NOTIFY_CONNECTION, on_visit, server, MHD_OPTION_NOTIFY_COMPLETED, on_end, server,
        has_tls ? MHD_OPTION_HTTPS_MEM_CERT : MHD_OPTION_END, options->certificate, MHD_OPTION_HTTPS_MEM_KEY, options->key,
        MHD_OPTION_HTTPS_PRIORITIES, "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2", MHD_OPTION_END);
    if (server->daemon == NULL) {
        (void)err_set(err, ERR_RETRY, "", "cannot listen on %s: %s", options->address,
            errno != 0 ? strerror(errno) : (has_tls ? "certificate and key are refused" : "refused"));
        free(server);
        return NULL;
    }
    learn_address(server);
    server->timer = timer_new(loop, on_timer, server);
    server->sweep = timer_new(loop, on_sweep, server);
    server->watch = watch_new(loop, MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd, on_ready, server);
    watch_want(server->watch, WATCH_READ);
    return server;
}

const char *
web_server_address(const struct web_server *server)
{
    return server->address;
}

int64_t
web_server_answers(const struct web_server *server, int digit)
{
    return server->answers[digit];
}

bool
web_server_is_local(const struct web_server *server)
{
    return server->is_local;
}

void
web_server_free(struct web_server *server)
{
    if (server == NULL)
        return;
    watch_close(server->watch);
    timer_close(server->timer);
    server->timer = NULL;
    server->is_ending = true;
    /* The daemon cannot end while a connection is suspended. */
    while (!list_is_empty(&server->waiting)) {
        struct visit *visit = LIST_OWNER(server->waiting.next, struct visit, node);

        list_remove(&visit->node);
        MHD_resume_connection(visit->connection);
    }
    (void)MHD_run(server->daemon);
    MHD_stop_daemon(server->daemon);
    timer_close(server->sweep);
    free(server);
}
