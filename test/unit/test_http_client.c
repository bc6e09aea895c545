/*
 * Transfers on a real loop, with a real library and real sockets.  What stands in is the
 * outside: the resolver, and a server in a thread that says what a test tells it to.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <arpa/inet.h>
#include <netdb.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "http/http_client.h"

/* --- the resolver ------------------------------------------------------------------- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int lookups;      /* so far */
static int hanging;      /* now */
static bool is_hanging;  /* "hang*" does not answer */
static char asked[4096]; /* names, each followed by a space */

/* Stands in for libc's.  *.test is this machine, mixed.test has a public address too, gone.test
 * does not exist. */
int
getaddrinfo(const char *name, const char *service, const struct addrinfo *wish, struct addrinfo **ret_list)
{
    static const char *const addresses[] = {"127.0.0.1", "8.8.8.8"};
    int count = strncmp(name, "mixed", 5) == 0 ? 2 : 1;

    (void)service;
    (void)wish;
    (void)pthread_mutex_lock(&mutex);
    lookups++;
    (void)snprintf(asked + strlen(asked), sizeof(asked) - strlen(asked), "%s ", name);
    hanging++;
    (void)pthread_cond_broadcast(&changed);
    while (is_hanging && strncmp(name, "hang", 4) == 0)
        (void)pthread_cond_wait(&changed, &mutex);
    hanging--;
    (void)pthread_mutex_unlock(&mutex);
    *ret_list = NULL;
    if (strncmp(name, "gone", 4) == 0)
        return EAI_NONAME;
    for (int i = count; i-- > 0;) {
        struct addrinfo *info = calloc(1, sizeof(*info));
        struct sockaddr_in *address = calloc(1, sizeof(*address));

        address->sin_family = AF_INET;
        (void)inet_pton(AF_INET, addresses[i], &address->sin_addr);
        *info = (struct addrinfo){.ai_family = AF_INET,
            .ai_socktype = SOCK_STREAM,
            .ai_addr = (struct sockaddr *)address,
            .ai_addrlen = sizeof(*address),
            .ai_next = *ret_list};
        *ret_list = info;
    }
    return 0;
}

void
freeaddrinfo(struct addrinfo *list)
{
    while (list != NULL) {
        struct addrinfo *next = list->ai_next;

        free(list->ai_addr);
        free(list);
        list = next;
    }
}

static void
resolver_hang(bool does)
{
    (void)pthread_mutex_lock(&mutex);
    is_hanging = does;
    (void)pthread_cond_broadcast(&changed);
    (void)pthread_mutex_unlock(&mutex);
}

/* --- the server --------------------------------------------------------------------- */

enum { REPLIES = 8, CONNECTIONS = 16 };

/* What it says to the n-th request, on any connection; NULL closes the connection. */
struct server {
    pthread_t thread;
    int fd;
    int port;
    const char *replies[REPLIES];
    int reply_count;
    int requests; /* so far */
    pthread_t connections[CONNECTIONS];
    int connection_count;
    char last[8192]; /* the last request */
};

struct connection {
    struct server *server;
    int fd;
};

/* What is to be said to the request that comes next; NULL: nothing, or there is none. */
static const char *
next_reply(struct server *server, int fd)
{
    char request[8192] = "";
    const char *reply;
    size_t length = 0;

    while (strstr(request, "\r\n\r\n") == NULL) {
        ssize_t got = read(fd, request + length, sizeof(request) - 1 - length);

        if (got <= 0)
            return NULL;
        length += (size_t)got;
        request[length] = '\0';
    }
    (void)pthread_mutex_lock(&mutex);
    reply = server->requests < server->reply_count ? server->replies[server->requests] : NULL;
    server->requests++;
    memcpy(server->last, request, sizeof(request));
    (void)pthread_mutex_unlock(&mutex);
    return reply;
}

static void *
converse(void *cookie)
{
    struct connection *connection = cookie;
    const char *reply;

    while ((reply = next_reply(connection->server, connection->fd)) != NULL) {
        if (send(connection->fd, reply, strlen(reply), MSG_NOSIGNAL) != (ssize_t)strlen(reply)
            || strstr(reply, "Connection: close") != NULL)
            break;
    }
    (void)close(connection->fd);
    free(connection);
    return NULL;
}

static void *
serve(void *cookie)
{
    struct server *server = cookie;
    int fd;

    while ((fd = accept(server->fd, NULL, NULL)) >= 0) {
        struct connection *connection = must_alloc(sizeof(*connection));

        *connection = (struct connection){.server = server, .fd = fd};
        assert_true(server->connection_count < CONNECTIONS);
        (void)pthread_create(&server->connections[server->connection_count++], NULL, converse, connection);
    }
    return NULL;
}

static void
server_start(struct server *server)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof(address);

    server->fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(server->fd, (struct sockaddr *)&address, length), 0);
    assert_int_equal(listen(server->fd, 64), 0);
    assert_int_equal(getsockname(server->fd, (struct sockaddr *)&address, &length), 0);
    server->port = ntohs(address.sin_port);
    assert_int_equal(pthread_create(&server->thread, NULL, serve, server), 0);
}

static void
server_stop(struct server *server)
{
    (void)shutdown(server->fd, SHUT_RDWR);
    (void)pthread_join(server->thread, NULL);
    for (int i = 0; i < server->connection_count; i++)
        (void)pthread_join(server->connections[i], NULL);
    (void)close(server->fd);
}

/* --- transfers ---------------------------------------------------------------------- */

struct world {
    struct loop *loop;
    struct http_policy *policy;
    struct http_client *client;
    struct timer *deadline;
    struct server server;
    int waiting; /* transfers whose answer is awaited */
};

struct sent {
    struct world *world;
    struct http_transfer *transfer;
    struct sent *cancels; /* when this one is answered */
    struct sent *next;    /* is sent when this one is answered */
    char url[256];
    bool is_answered;
    enum http_end end;
    int status;
    bool is_truncated;
    char headers[256];
    char body[256];
    char problem[256];
};

static void
on_deadline(void *cookie)
{
    struct world *world = cookie;

    loop_stop(world->loop);
}

static struct world *
world_new(const struct http_policy_options *options)
{
    struct world *world = must_alloc(sizeof(*world));
    struct http_client_options client = {.agent = "unit/1", .connections = 8};

    assert_true(http_policy_new(options, &world->policy, NULL));
    world->loop = loop_new();
    client.policy = world->policy;
    world->client = http_client_new(world->loop, &client);
    world->deadline = timer_new(world->loop, on_deadline, world);
    lookups = 0;
    asked[0] = '\0';
    return world;
}

static void
world_free(struct world *world)
{
    resolver_hang(false);
    http_client_free(world->client);
    timer_close(world->deadline);
    loop_free(world->loop);
    http_policy_free(world->policy);
    free(world);
}

/* Until every awaited answer has come; the deadline is only for tests that fail. */
static void
run(struct world *world)
{
    timer_start(world->deadline, 30000);
    loop_run(world->loop, NULL, NULL);
    timer_stop(world->deadline);
    assert_int_equal(world->waiting, 0);
}

static void on_done(void *cookie, const struct http_answer *answer);

static void
send_request(struct world *world, struct sent *sent, const char *method, bool is_repeatable)
{
    struct http_request request;

    http_request_init(&request);
    http_request_start(&request, method, sent->url, false);
    request.is_repeatable = is_repeatable;
    if (strcmp(method, "POST") == 0)
        http_request_body(&request, "b", 1);
    sent->world = world;
    sent->transfer = http_send(world->client, &request, on_done, sent);
    world->waiting++;
}

static void
cancel(struct sent *sent)
{
    http_cancel(sent->transfer);
    sent->transfer = NULL;
    if (--sent->world->waiting == 0)
        loop_stop(sent->world->loop);
}

static void
on_done(void *cookie, const struct http_answer *answer)
{
    struct sent *sent = cookie;
    struct world *world = sent->world;

    assert_false(sent->is_answered);
    sent->is_answered = true;
    sent->transfer = NULL;
    sent->end = answer->end;
    sent->status = answer->status;
    sent->is_truncated = answer->is_truncated;
    (void)snprintf(sent->headers, sizeof(sent->headers), "%s", answer->headers->text);
    (void)snprintf(sent->body, sizeof(sent->body), "%s", answer->body->text);
    (void)snprintf(sent->problem, sizeof(sent->problem), "%s", answer->problem);
    if (sent->cancels != NULL)
        cancel(sent->cancels);
    if (sent->next != NULL)
        send_request(world, sent->next, "GET", true);
    if (--world->waiting == 0)
        loop_stop(world->loop);
}

/* A world with a server, in development: this machine may be called. */
static struct world *
world_with(const char *const *replies, int count)
{
    struct world *world = world_new(
        &(struct http_policy_options){.is_development = true, .allow_hosts = "a.test,b.test,a.test."});

    for (int i = 0; i < count; i++)
        world->server.replies[i] = replies[i];
    world->server.reply_count = count;
    server_start(&world->server);
    return world;
}

static void
world_end(struct world *world)
{
    http_client_free(world->client); /* Connections are closed, so the server is free to stop. */
    world->client = NULL;
    server_stop(&world->server);
    world_free(world);
}

static void
url_of(const struct world *world, struct sent *sent, const char *host, const char *path)
{
    (void)snprintf(sent->url, sizeof(sent->url), "http://%s:%d%s", host, world->server.port, path);
}

#define OK "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Answer: Yes\r\n\r\nok"

static void
test_client_sends_and_hears_the_answer(void **state)
{
    struct world *world = world_with((const char *const[]){"HTTP/1.1 103 Early\r\nX-Early: 1\r\n\r\n" OK}, 1);
    struct sent sent = {0};

    (void)state;
    url_of(world, &sent, "127.0.0.1", "/x?y");
    send_request(world, &sent, "POST", false);
    assert_false(sent.is_answered); /* never from within */
    run(world);
    assert_int_equal(sent.end, HTTP_ANSWERED);
    assert_int_equal(sent.status, 200);
    assert_string_equal(sent.body, "ok");
    assert_string_equal(sent.headers, "content-length: 2\nx-answer: Yes\n"); /* of the last answer, names in lower case */
    assert_false(sent.is_truncated);
    assert_non_null(strstr(world->server.last, "POST /x?y HTTP/1.1\r\n"));
    assert_non_null(strstr(world->server.last, "\r\nUser-Agent: unit/1\r\n"));
    assert_null(strstr(world->server.last, "Expect"));
    assert_null(strstr(world->server.last, "Content-Type"));
    assert_int_equal(lookups, 0);
    world_end(world);
}

static void
test_client_looks_a_name_up_once_and_the_library_never_does(void **state)
{
    struct world *world = world_with((const char *const[]){OK, OK, OK, OK}, 4);
    struct sent sent[4] = {0};

    (void)state;
    url_of(world, &sent[0], "a.test", "/");
    url_of(world, &sent[1], "A.Test", "/"); /* the same */
    url_of(world, &sent[2], "a.test.", "/");
    url_of(world, &sent[3], "b.test", "/");
    for (int i = 0; i < 4; i++) {
        send_request(world, &sent[i], "GET", true);
        run(world);
        assert_int_equal(sent[i].end, HTTP_ANSWERED);
    }
    assert_string_equal(asked, "a.test a.test. b.test ");
    world_end(world);
}

static void
test_client_many_wait_for_one_lookup(void **state)
{
    struct world *world = world_new(&(struct http_policy_options){0});
    struct sent sent[20] = {0};

    (void)state;
    resolver_hang(true);
    for (int i = 0; i < 20; i++) {
        (void)snprintf(sent[i].url, sizeof(sent[i].url), "https://hang.test/%d", i);
        send_request(world, &sent[i], "GET", true);
    }
    cancel(&sent[7]);
    cancel(&sent[19]);
    sent[0].cancels = &sent[3]; /* from within the answer of another one that waited for the same */
    resolver_hang(false);
    run(world);
    for (int i = 0; i < 20; i++) {
        assert_int_equal(sent[i].is_answered, i != 3 && i != 7 && i != 19);
        assert_true(!sent[i].is_answered || sent[i].end == HTTP_REFUSED);
    }
    assert_string_equal(
        sent[0].problem, "outbound request refused: address of \"hang.test\" is not public (REEVE_ALLOW_NETWORKS)");
    assert_int_equal(lookups, 1);
    world_free(world);
}

static void
test_client_refuses_a_name_with_one_address_that_is_denied(void **state)
{
    struct world *world = world_new(&(struct http_policy_options){0});
    struct sent sent = {.url = "https://mixed.test/"};

    (void)state;
    send_request(world, &sent, "GET", true);
    run(world);
    assert_int_equal(sent.end, HTTP_REFUSED);
    world_free(world);
}

static void
test_client_a_name_that_is_not_found_is_remembered_for_a_while(void **state)
{
    struct world *world = world_new(&(struct http_policy_options){0});
    struct sent sent[2] = {{.url = "https://gone.test/"}, {.url = "https://gone.test/"}};

    (void)state;
    sent[0].next = &sent[1];
    send_request(world, &sent[0], "GET", true);
    run(world);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(sent[i].end, HTTP_UNSENT);
        assert_string_equal(sent[i].problem, "could not resolve \"gone.test\": Name or service not known");
    }
    assert_int_equal(lookups, 1);
    world_free(world);
}

static void
test_client_says_unsent_when_nobody_listens_and_in_doubt_when_nobody_answers(void **state)
{
    struct world *world = world_with((const char *const[]){NULL, NULL}, 2);
    struct sent lost = {0};
    struct sent refused = {.url = "http://127.0.0.1:1/"};

    (void)state;
    url_of(world, &lost, "127.0.0.1", "/?token=secret");
    send_request(world, &lost, "POST", false);
    send_request(world, &refused, "POST", false);
    run(world);
    assert_int_equal(lost.end, HTTP_IN_DOUBT);
    assert_null(strstr(lost.problem, "secret"));
    assert_int_equal(refused.end, HTTP_UNSENT);
    assert_string_equal(refused.problem, "could not connect to \"127.0.0.1\": Connection refused");
    world_end(world);
}

static void
test_client_does_not_repeat_what_may_have_been_read_unless_it_is_repeatable(void **state)
{
    /* The first answer leaves the connection open; the next request on it gets no answer. */
    struct world *world = world_with((const char *const[]){OK, NULL, OK, NULL, OK}, 5);
    struct sent sent[4] = {0};

    (void)state;
    for (int i = 0; i < 4; i++)
        url_of(world, &sent[i], "127.0.0.1", "/");
    send_request(world, &sent[0], "GET", true);
    run(world);
    send_request(world, &sent[1], "POST", false);
    run(world);
    assert_int_equal(sent[1].end, HTTP_IN_DOUBT);
    assert_string_equal(sent[1].problem, "connection to \"127.0.0.1\" was lost after the request was sent");
    assert_int_equal(world->server.requests, 2);
    send_request(world, &sent[2], "GET", true);
    run(world);
    send_request(world, &sent[3], "GET", true);
    run(world);
    assert_int_equal(sent[3].end, HTTP_ANSWERED);
    assert_int_equal(world->server.requests, 5);
    world_end(world);
}

static void
test_client_cuts_what_is_too_large_and_keeps_the_status(void **state)
{
    char *large = must_alloc(BOUND_BODY_MOST_BYTES + 200);
    char *many = must_alloc(BOUND_HEADER_BYTES + 200);
    struct world *world;
    struct sent sent[3] = {0};

    (void)state;
    memset(large, 'b', BOUND_BODY_MOST_BYTES + 199);
    memcpy(large, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n", 38);
    memset(many, 'h', BOUND_HEADER_BYTES + 199);
    memcpy(many, "HTTP/1.1 200 OK\r\nX: ", 20);
    world = world_with(
        (const char *const[]){large, many, "HTTP/1.1 404 No\r\nContent-Length: 9\r\nConnection: close\r\n\r\nhalf"}, 3);
    for (int i = 0; i < 3; i++) {
        url_of(world, &sent[i], "127.0.0.1", "/");
        send_request(world, &sent[i], "POST", false);
        run(world);
    }
    assert_int_equal(sent[0].end, HTTP_ANSWERED);
    assert_int_equal(sent[0].status, 200);
    assert_true(sent[0].is_truncated);
    assert_int_equal(sent[1].end, HTTP_IN_DOUBT); /* there was no status that we could trust */
    assert_int_equal(sent[1].status, 0);
    assert_int_equal(sent[2].end, HTTP_ANSWERED);
    assert_int_equal(sent[2].status, 404);
    assert_true(sent[2].is_truncated);
    assert_string_equal(sent[2].body, "half");
    world_end(world);
    free(large);
    free(many);
}

static void
test_client_sends_mail_only_when_it_is_asked_to(void **state)
{
    struct world *world = world_new(&(struct http_policy_options){.is_development = true});
    struct sent sent[2] = {{.url = "smtp://127.0.0.1:1/"}, {.url = "smtps://8.8.8.8/"}};

    (void)state;
    for (int i = 0; i < 2; i++) {
        send_request(world, &sent[i], "GET", true);
        run(world);
        assert_int_equal(sent[i].end, HTTP_REFUSED);
        assert_string_equal(sent[i].problem, "outbound request refused: not a URL of a scheme that is allowed");
    }
    world_free(world);
}

static void
test_client_does_not_follow_redirects(void **state)
{
    struct world *world = world_with(
        (const char *const[]){"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"}, 1);
    struct sent sent = {0};

    (void)state;
    url_of(world, &sent, "127.0.0.1", "/");
    send_request(world, &sent, "GET", true);
    run(world);
    assert_int_equal(sent.end, HTTP_ANSWERED);
    assert_int_equal(sent.status, 302);
    assert_int_equal(world->server.requests, 1);
    world_end(world);
}

static void
test_client_owners_may_begin_and_end_transfers_when_they_are_answered(void **state)
{
    struct world *world = world_with((const char *const[]){OK, OK, OK}, 3);
    struct sent sent[5] = {0};

    (void)state;
    for (int i = 0; i < 3; i++)
        url_of(world, &sent[i], "127.0.0.1", "/");
    (void)snprintf(sent[3].url, sizeof(sent[3].url), "ftp://x/"); /* over at once, still to be delivered */
    (void)snprintf(sent[4].url, sizeof(sent[4].url), "ftp://x/");
    sent[0].next = &sent[1];
    sent[1].next = &sent[2];
    sent[3].cancels = &sent[4];
    send_request(world, &sent[0], "GET", true);
    send_request(world, &sent[3], "GET", true);
    send_request(world, &sent[4], "GET", true);
    run(world);
    assert_int_equal(sent[2].end, HTTP_ANSWERED);
    assert_int_equal(sent[3].end, HTTP_REFUSED);
    assert_false(sent[4].is_answered);
    world_end(world);
}

/* Stop as soon as the server has heard something. */
static void
stop_when_heard(void *cookie)
{
    struct world *world = cookie;

    (void)pthread_mutex_lock(&mutex);
    if (world->server.requests > 0)
        loop_stop(world->loop);
    (void)pthread_mutex_unlock(&mutex);
}

static void
test_client_freed_with_transfers_in_every_state_answers_none(void **state)
{
    struct world *world = world_with((const char *const[]){"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"}, 1);
    struct sent sent[4] = {{.url = ""}, {.url = "https://hang.test/"}, {.url = "ftp://x/"}, {.url = ""}};

    (void)state;
    resolver_hang(true);
    url_of(world, &sent[0], "127.0.0.1", "/");
    url_of(world, &sent[3], "127.0.0.1", "/");
    send_request(world, &sent[0], "GET", true);
    timer_start(world->deadline, 30000);
    loop_run(world->loop, stop_when_heard, world); /* the answer begins and does not end */
    send_request(world, &sent[1], "GET", true);
    send_request(world, &sent[2], "GET", true);
    send_request(world, &sent[3], "GET", true);
    resolver_hang(false);
    world_end(world);
    for (int i = 0; i < 4; i++)
        assert_false(sent[i].is_answered);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_client_sends_and_hears_the_answer),
        cmocka_unit_test(test_client_looks_a_name_up_once_and_the_library_never_does),
        cmocka_unit_test(test_client_many_wait_for_one_lookup),
        cmocka_unit_test(test_client_refuses_a_name_with_one_address_that_is_denied),
        cmocka_unit_test(test_client_a_name_that_is_not_found_is_remembered_for_a_while),
        cmocka_unit_test(test_client_says_unsent_when_nobody_listens_and_in_doubt_when_nobody_answers),
        cmocka_unit_test(test_client_does_not_repeat_what_may_have_been_read_unless_it_is_repeatable),
        cmocka_unit_test(test_client_cuts_what_is_too_large_and_keeps_the_status),
        cmocka_unit_test(test_client_sends_mail_only_when_it_is_asked_to),
        cmocka_unit_test(test_client_does_not_follow_redirects),
        cmocka_unit_test(test_client_owners_may_begin_and_end_transfers_when_they_are_answered),
        cmocka_unit_test(test_client_freed_with_transfers_in_every_state_answers_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
