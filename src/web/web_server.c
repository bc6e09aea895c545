/*
 * libmicrohttpd without its thread: it puts all its sockets into one epoll descriptor, which the loop watches.  MHD_run does
 * what is ready, and MHD_get_timeout says when to call it again without an event.
 *
 * A request is answered at the second call of the handler: an answer at the first call means that the rest of the request is
 * not read, and costs the connection.  That is wanted for requests other than GET and HEAD.
 */
#include "web/web_server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "base/bounds.h"
#include "base/list.h"
#include "web/web_address.h"

struct visitor {
    struct list node; /* in server->visitors, oldest first */
    int fd;
    int64_t came_ms;
};

struct web_server {
    struct loop *loop;
    struct MHD_Daemon *daemon;
    struct watch *watch;
    struct timer *timer; /* the next time at which the daemon wants to run */
    struct timer *sweep; /* the end of the oldest visit */
    const struct web_route *routes;
    int route_count;
    void *cookie;
    struct list visitors;
    bool is_local;
    bool has_room;    /* a connection has gone in this run */
    int open_answers; /* answers that have not been sent to their end */
    int64_t spent_ms; /* since the last rest */
    char address[80];
};

/* Marks of a request: its head was read; its answer is being sent. */
static char is_seen;
static char is_answered;

int64_t
web_rest_ms(int64_t spent_ms, bool is_answering)
{
    if (spent_ms < (is_answering ? BOUND_VISIT_ANSWER_MS : BOUND_VISIT_TURN_MS))
        return 0;
    return spent_ms < BOUND_VISIT_REST_MS / 4 ? spent_ms * 4 : BOUND_VISIT_REST_MS;
}

/* Lets the daemon do what it can do now, and sets the timer for its next time.  At its limit of connections, the daemon stops
 * watching for new ones, and it looks for room only at the beginning of a run.  So when a connection has gone, it runs again.
 * Visitors who ask without end get a fifth of the time of the loop; the rest belongs to the work. */
static void
run(struct web_server *server)
{
    MHD_UNSIGNED_LONG_LONG wait_ms;
    int64_t began_ms = loop_boot_ms();
    int64_t rest_ms;

    server->has_room = false;
    (void)MHD_run(server->daemon);
    server->spent_ms += loop_boot_ms() - began_ms;
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

/* Ends visits that last too long, however busy they are.  The daemon sees the end of the connection, and closes it. */
static void
on_sweep(void *cookie)
{
    struct web_server *server = cookie;
    int64_t now_ms = loop_now_ms(server->loop);

    for (struct list *node = server->visitors.next; node != &server->visitors; node = node->next) {
        const struct visitor *visitor = LIST_OWNER(node, struct visitor, node);

        if (now_ms - visitor->came_ms >= BOUND_VISIT_MS)
            (void)shutdown(visitor->fd, SHUT_RDWR);
    }
    if (!list_is_empty(&server->visitors))
        timer_start(server->sweep, BOUND_VISIT_MS / 6);
}

static void
on_visit(void *cookie, struct MHD_Connection *connection, void **visit, enum MHD_ConnectionNotificationCode code)
{
    struct web_server *server = cookie;
    struct visitor *visitor = *visit;

    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);

        visitor = must_alloc(sizeof(*visitor));
        visitor->fd = info->connect_fd;
        visitor->came_ms = loop_now_ms(server->loop);
        list_init(&visitor->node);
        list_append(&server->visitors, &visitor->node);
        *visit = visitor;
        if (!timer_is_armed(server->sweep))
            timer_start(server->sweep, BOUND_VISIT_MS);
    } else if (visitor != NULL) {
        server->has_room = true;
        list_remove(&visitor->node);
        free(visitor);
        *visit = NULL;
    }
}

/* The daemon says so once for each request whose handler was called. */
static void
on_answered(void *cookie, struct MHD_Connection *connection, void **request, enum MHD_RequestTerminationCode code)
{
    struct web_server *server = cookie;

    (void)connection;
    (void)code;
    if (*request == &is_answered)
        server->open_answers--;
    *request = NULL;
}

static enum MHD_Result
send_answer(struct MHD_Connection *connection, const struct web_answer *answer)
{
    struct MHD_Response *response = MHD_create_response_from_buffer(
        answer->body.length, answer->body.text, MHD_RESPMEM_MUST_COPY);
    enum MHD_Result result;

    if (response == NULL)
        return MHD_NO;
    (void)MHD_add_response_header(response, "Content-Type", answer->type);
    (void)MHD_add_response_header(response, "Cache-Control", "no-store");
    (void)MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    if (answer->status == MHD_HTTP_METHOD_NOT_ALLOWED)
        (void)MHD_add_response_header(response, "Allow", "GET, HEAD");
    result = MHD_queue_response(connection, (unsigned int)answer->status, response);
    MHD_destroy_response(response);
    return result;
}

static void
fill_answer(const struct web_server *server, struct MHD_Connection *connection, const char *path, struct web_answer *answer)
{
    for (int i = 0; i < server->route_count; i++) {
        if (strcmp(server->routes[i].path, path) == 0) {
            server->routes[i].answer(server->cookie, MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Accept"), answer);
            return;
        }
    }
    answer->status = MHD_HTTP_NOT_FOUND;
    buf_puts(&answer->body, "There is no such page. These are there:\n");
    for (int i = 0; i < server->route_count; i++)
        buf_printf(&answer->body, "%s\n", server->routes[i].path);
}

static enum MHD_Result
on_request(void *cookie, struct MHD_Connection *connection, const char *path, const char *method, const char *version,
    const char *upload, size_t *upload_size, void **request)
{
    struct web_server *server = cookie;
    struct web_answer answer = {.status = MHD_HTTP_OK, .type = "text/plain; charset=utf-8"};
    enum MHD_Result result;
    bool is_read = strcmp(method, MHD_HTTP_METHOD_GET) == 0 || strcmp(method, MHD_HTTP_METHOD_HEAD) == 0;

    (void)version;
    (void)upload;
    if (is_read && *request == NULL) {
        *request = &is_seen;
        return MHD_YES;
    }
    if (is_read && *upload_size > 0)
        return MHD_NO; /* A read has no body; the connection is closed. */
    buf_init(&answer.body, BOUND_PAGE_BYTES);
    if (is_read) {
        fill_answer(server, connection, path, &answer);
    } else {
        answer.status = MHD_HTTP_METHOD_NOT_ALLOWED;
        buf_puts(&answer.body, "This server is read only: GET or HEAD.\n");
    }
    if (answer.body.overflowed) {
        answer.status = MHD_HTTP_INTERNAL_SERVER_ERROR;
        buf_clear(&answer.body);
        buf_puts(&answer.body, "The page is too large.\n");
    }
    result = send_answer(connection, &answer);
    if (result == MHD_YES) {
        *request = &is_answered;
        server->open_answers++;
    }
    buf_release(&answer.body);
    return result;
}

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
web_server_new(
    struct loop *loop, const char *address, const struct web_route *routes, int route_count, void *cookie, struct err *err)
{
    struct web_server *server;
    struct sockaddr_storage where;

    if (!web_address_read(address, &where, err))
        return NULL;
    server = must_alloc(sizeof(*server));
    server->loop = loop;
    server->routes = routes;
    server->route_count = route_count;
    server->cookie = cookie;
    list_init(&server->visitors);
    errno = 0;
    server->daemon = MHD_start_daemon(MHD_USE_EPOLL | (where.ss_family == AF_INET6 ? MHD_USE_IPv6 : 0U), 0, NULL, NULL,
        on_request, server, MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&where, MHD_OPTION_LISTENING_ADDRESS_REUSE, 1U,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned int)BOUND_VISITORS, MHD_OPTION_CONNECTION_TIMEOUT,
        (unsigned int)BOUND_VISIT_IDLE_S, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)BOUND_VISIT_BYTES,
        MHD_OPTION_NOTIFY_CONNECTION, on_visit, server, MHD_OPTION_NOTIFY_COMPLETED, on_answered, server, MHD_OPTION_END);
    if (server->daemon == NULL) {
        (void)err_set(err, ERR_RETRY, "", "cannot listen on %s: %s", address, errno == 0 ? "refused" : strerror(errno));
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
    MHD_stop_daemon(server->daemon);
    timer_close(server->sweep);
    free(server);
}
