/*
 * The way of a transfer:  http_send -> policy reads the URL -> names -> policy admits each address
 * -> start (the library has it) -> finish (it is over) -> deliver (its owner gets the answer).
 *
 * The library calls our callbacks from within its own calls; these callbacks only record events.  Owners are called after
 * the library has returned, so that they may begin new transfers.
 */
#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/failpoint.h"
#include "base/log.h"
#include "http/http_private.h"

static void transfer_free(struct http_transfer *transfer);

/* --- owners ---------------------------------------------------------------------------- */

static void
deliver(struct http_client *client)
{
    while (!list_is_empty(&client->finished)) {
        struct http_transfer *transfer = LIST_OWNER(client->finished.next, struct http_transfer, node);
        struct http_answer answer = {
            .end = transfer->end,
            .status = transfer->status,
            .headers = &transfer->head,
            .body = &transfer->body,
            .is_truncated = transfer->is_body_cut || transfer->body_seen > transfer->body.length,
            .took_ms = loop_now_ms(client->loop) - transfer->started_ms,
            .problem = transfer->problem,
            .is_ours = transfer->is_late || transfer->is_short,
            .is_short = transfer->is_short,
        };

        list_remove(&transfer->node);
        transfer->done(transfer->cookie, &answer);
        transfer_free(transfer);
    }
}

static void
on_deliver(void *cookie)
{
    deliver(cookie);
}

static void
finish(struct http_transfer *transfer, enum http_end end, const char *problem)
{
    struct http_client *client = transfer->client;

    transfer->end = end;
    (void)snprintf(transfer->problem, sizeof(transfer->problem), "%s", problem);
    list_remove(&transfer->node);
    list_append(&client->finished, &transfer->node);
    if (!timer_is_armed(client->deliver))
        timer_start(client->deliver, 0);
}

/* --- what the library calls ------------------------------------------------------------ */

static size_t
on_body(char *bytes, size_t size, size_t count, void *cookie)
{
    struct http_transfer *transfer = cookie;
    size_t length = size * count;
    size_t room = BOUND_BODY_BYTES - transfer->body.length;

    transfer->body_seen += length;
    buf_add(&transfer->body, bytes, length < room ? length : room);
    if (transfer->body_seen <= BOUND_BODY_MOST_BYTES)
        return length;
    transfer->is_body_cut = true;
    return 0; /* Close the connection. */
}

/* Names are written in lower case.  A new status line discards the headers of an interim answer. */
static void
keep_header(struct http_transfer *transfer, const char *line, size_t length)
{
    size_t start = transfer->head.length;

    while (length > 0 && (line[length - 1] == '\r' || line[length - 1] == '\n'))
        length--;
    if (length == 0) {
        transfer->has_head = transfer->status >= 200;
        return;
    }
    if (length > 5 && strncasecmp(line, "http/", 5) == 0) {
        const char *space = memchr(line, ' ', length);

        buf_clear(&transfer->head);
        transfer->status = 0;
        /* The bytes need not end with NUL. */
        for (const char *c = space == NULL ? line + length : space + 1; c < line + length && *c >= '0' && *c <= '9'; c++)
            transfer->status = transfer->status > 99 ? 0 : transfer->status * 10 + (*c - '0');
        return;
    }
    buf_add(&transfer->head, line, length);
    buf_puts(&transfer->head, "\n");
    for (size_t i = start; i < transfer->head.length && transfer->head.text[i] != ':'; i++) {
        char *c = &transfer->head.text[i];

        if (*c >= 'A' && *c <= 'Z')
            *c = (char)(*c - 'A' + 'a');
    }
}

static size_t
on_header(char *bytes, size_t size, size_t count, void *cookie)
{
    struct http_transfer *transfer = cookie;
    size_t length = size * count;

    if (transfer->target.is_smtp) {
        http_mail_take_reply(transfer, bytes, length);
        return length;
    }
    if (memchr(bytes, '\0', length) == NULL)
        keep_header(transfer, bytes, length);
    if (!transfer->head.overflowed) {
        /* The answer has begun: from now on it must not pause for long. */
        (void)curl_easy_setopt(transfer->easy, CURLOPT_LOW_SPEED_LIMIT, 1L);
        (void)curl_easy_setopt(transfer->easy, CURLOPT_LOW_SPEED_TIME, BOUND_DRIP_MS / 1000L);
        return length;
    }
    transfer->is_head_large = true;
    return 0;
}

/* May the next bytes be written?  After a false, nothing more is written. */
static bool
may_go_on(struct http_transfer *transfer)
{
    transfer->is_late = transfer->is_late
                        || (transfer->client->may_send != NULL && !transfer->client->may_send(transfer->cookie));
    return !transfer->is_late;
}

size_t
http_supply_body(char *to, size_t size, size_t count, void *cookie)
{
    struct http_transfer *transfer = cookie;
    size_t left = transfer->request.body_length - transfer->body_sent;
    size_t length = left < size * count ? left : size * count;

    if (!may_go_on(transfer))
        return CURL_READFUNC_ABORT;
    memcpy(to, transfer->request.body + transfer->body_sent, length);
    transfer->body_sent += length;
    transfer->has_ended_body = length == 0;
    return length;
}

static int
on_seek(void *cookie, curl_off_t offset, int origin)
{
    struct http_transfer *transfer = cookie;

    if (origin != SEEK_SET || offset < 0 || (size_t)offset > transfer->request.body_length)
        return CURL_SEEKFUNC_CANTSEEK;
    transfer->body_sent = (size_t)offset;
    return CURL_SEEKFUNC_OK;
}

static curl_socket_t
on_open(void *cookie, curlsocktype purpose, struct curl_sockaddr *address)
{
    struct http_transfer *transfer = cookie;
    int unsent = BOUND_UNSENT_BYTES;
    curl_socket_t fd = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);

    (void)purpose;
    transfer->family = address->family;
    if (fd < 0) {
        transfer->is_short = transfer->is_short || loop_is_shortage(errno);
        return CURL_SOCKET_BAD;
    }
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent, sizeof(unsent));
    if (transfer->target.is_smtp)
        http_mail_note_socket(transfer, fd);
    return fd;
}

static int
on_close(void *cookie, curl_socket_t fd)
{
    struct http_client *client = cookie;

    http_peers_forget(client->peers, fd);
    http_mail_forget_socket(client, fd);
    return close(fd);
}

/* The connection is made and nothing is written yet: the last moment to refuse. */
static int
on_peer(void *cookie, char *address, char *local, int port, int local_port)
{
    struct http_transfer *transfer = cookie;

    (void)local;
    (void)port;
    (void)local_port;
    if (!http_policy_admits(transfer->client->policy, &transfer->target, address, NULL)) {
        transfer->is_denied = true;
        return CURL_PREREQFUNC_ABORT;
    }
    if (!may_go_on(transfer))
        return CURL_PREREQFUNC_ABORT;
    /* A kept connection was dead when the request was written, and nobody knows whether the peer has read the request.  The
     * library would send it again. */
    if (transfer->begun > 0 && !transfer->request.is_repeatable) {
        transfer->is_repeat_lost = true;
        return CURL_PREREQFUNC_ABORT;
    }
    transfer->begun++;
    FAILPOINT("call.started");
    return CURL_PREREQFUNC_OK;
}

/* --- the end of a transfer ------------------------------------------------------------- */

static void
say_problem(const struct http_transfer *transfer, CURLcode code, char *text, size_t size)
{
    long error = 0;

    if (code == CURLE_COULDNT_CONNECT && curl_easy_getinfo(transfer->easy, CURLINFO_OS_ERRNO, &error) == CURLE_OK && error != 0)
        (void)snprintf(text, size, "could not connect to \"%s\": %s", transfer->target.host, strerror((int)error));
    else if (code == CURLE_OPERATION_TIMEDOUT)
        (void)snprintf(text, size, "no answer of \"%s\" in time", transfer->target.host);
    else
        (void)snprintf(text, size, "call of \"%s\" failed: %s", transfer->target.host, curl_easy_strerror(code));
}

static enum http_end
end_of_call(struct http_transfer *transfer, CURLcode code)
{
    if (code == CURLE_OK) {
        long status = 0;

        (void)curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &status);
        transfer->status = (int)status;
        return HTTP_ANSWERED;
    }
    if (transfer->has_head && !transfer->is_head_large) {
        transfer->is_body_cut = true; /* The status is an answer, even if the body is incomplete. */
        return HTTP_ANSWERED;
    }
    transfer->status = 0;
    return transfer->begun > 0 ? HTTP_IN_DOUBT : HTTP_UNSENT;
}

/* A handle that is used again keeps nothing of its last transfer: the reset clears all options. */
static void
give_back(struct http_transfer *transfer)
{
    struct http_client *client = transfer->client;

    (void)curl_multi_remove_handle(client->multi, transfer->easy);
    if (client->spare_count < (int)LENGTH(client->spares) && !transfer->target.is_smtp) {
        curl_easy_reset(transfer->easy);
        client->spares[client->spare_count++] = transfer->easy;
    } else {
        curl_easy_cleanup(transfer->easy);
    }
    transfer->easy = NULL;
}

static CURL *
take_handle(struct http_client *client)
{
    CURL *easy = client->spare_count > 0 ? client->spares[--client->spare_count] : curl_easy_init();

    if (easy == NULL)
        abort();
    return easy;
}

/* Was the request not sent because of a shortage?  If this machine has no IPv6 address, an IPv6 peer is "not available",
 * too; that is no shortage. */
static bool
was_short(const struct http_transfer *transfer, CURLcode code)
{
    long error = 0;

    if (transfer->begun > 0 || code == CURLE_OK)
        return false;
    if (code == CURLE_COULDNT_CONNECT)
        (void)curl_easy_getinfo(transfer->easy, CURLINFO_OS_ERRNO, &error);
    return transfer->is_short || code == CURLE_OUT_OF_MEMORY || loop_is_shortage((int)error)
           || (error == EADDRNOTAVAIL && transfer->family == AF_INET)
           || (code == CURLE_SSL_CACERT_BADFILE && loop_lacks_descriptors());
}

/* A mail without its end has no effect.  The effect of a part of an HTTP request is not known. */
static enum http_end
end_of_late(const struct http_transfer *transfer)
{
    bool is_sent = transfer->target.is_smtp ? transfer->has_ended_body : transfer->begun > 0;

    return is_sent ? HTTP_IN_DOUBT : HTTP_UNSENT;
}

static void
complete(struct http_transfer *transfer, CURLcode code)
{
    char problem[BOUND_ERROR_BYTES] = "";
    bool is_short = was_short(transfer, code);
    enum http_end end = transfer->is_denied        ? HTTP_REFUSED
                        : transfer->is_late        ? end_of_late(transfer)
                        : transfer->is_repeat_lost ? HTTP_IN_DOUBT
                        : transfer->target.is_smtp ? http_mail_end(transfer, code)
                                                   : end_of_call(transfer, code);

    if (transfer->is_denied)
        (void)snprintf(problem, sizeof(problem), "outbound request refused: \"%s\" answered from an address that was not vetted",
            transfer->target.host);
    else if (transfer->is_late)
        (void)snprintf(problem, sizeof(problem), "the lease ran out before all of the request was sent");
    else if (transfer->is_repeat_lost)
        (void)snprintf(
            problem, sizeof(problem), "connection to \"%s\" was lost after the request was sent", transfer->target.host);
    else if (transfer->is_head_large)
        (void)snprintf(problem, sizeof(problem), "headers of the answer of \"%s\" are too large", transfer->target.host);
    else if (end != HTTP_ANSWERED)
        say_problem(transfer, code, problem, sizeof(problem));
    transfer->is_short = is_short;
    if (is_short)
        (void)snprintf(problem, sizeof(problem), "out of descriptors, ports or memory");
    give_back(transfer);
    finish(transfer, end, problem);
}

static void make_multi(struct http_client *client);
static void end_multi(struct http_client *client);

/* After an error of the multi handle, the results of all its transfers are uncertain. */
static void
start_over(struct http_client *client, CURLMcode code)
{
    log_event(LOG_ERROR, "transfer library failed, all calls under way are in doubt", "error", curl_multi_strerror(code), NULL);
    for (struct list *node = client->transfers.next, *next; node != &client->transfers; node = next) {
        struct http_transfer *transfer = LIST_OWNER(node, struct http_transfer, node);

        next = node->next;
        if (transfer->easy != NULL)
            complete(transfer, CURLE_GOT_NOTHING);
    }
    end_multi(client);
    make_multi(client);
}

static void
collect(struct http_client *client)
{
    CURLMsg *message;
    int left;

    while ((message = curl_multi_info_read(client->multi, &left)) != NULL) {
        struct http_transfer *transfer = NULL;
        CURLcode code = message->data.result;

        if (message->msg != CURLMSG_DONE)
            continue;
        (void)curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
        complete(transfer, code);
    }
    deliver(client);
}

static void
act(struct http_client *client, curl_socket_t fd, int events)
{
    int active;
    CURLMcode code = curl_multi_socket_action(client->multi, fd, events, &active);

    if (code != CURLM_OK)
        start_over(client, code);
    collect(client);
}

static void
on_ready(void *cookie, int fd, int events)
{
    act(cookie, fd, ((events & WATCH_READ) != 0 ? CURL_CSELECT_IN : 0) | ((events & WATCH_WRITE) != 0 ? CURL_CSELECT_OUT : 0));
}

static void
on_timer(void *cookie)
{
    act(cookie, CURL_SOCKET_TIMEOUT, 0);
}

/* When one of several addresses does not answer, the library goes on to the next one, but does not ask us to watch its
 * socket.  It does so when the transfer is paused and continued. */
static void
on_nudge(void *cookie)
{
    struct http_client *client = cookie;

    for (struct list *node = client->transfers.next; node != &client->transfers; node = node->next) {
        struct http_transfer *transfer = LIST_OWNER(node, struct http_transfer, node);

        if (!transfer->has_lost_socket || transfer->easy == NULL)
            continue;
        transfer->has_lost_socket = false;
        (void)curl_easy_pause(transfer->easy, CURLPAUSE_ALL);
        (void)curl_easy_pause(transfer->easy, CURLPAUSE_CONT);
    }
}

static int
on_timer_wanted(CURLM *multi, long wait_ms, void *cookie)
{
    struct http_client *client = cookie;

    (void)multi;
    if (wait_ms < 0)
        timer_stop(client->timer);
    else
        timer_start(client->timer, wait_ms);
    return 0;
}

static int
on_socket_wanted(CURL *easy, curl_socket_t fd, int what, void *cookie, void *assigned)
{
    struct http_client *client = cookie;
    struct http_transfer *transfer = NULL;

    (void)assigned;
    if (what != CURL_POLL_REMOVE) {
        http_peers_want(
            client->peers, fd, ((what & CURL_POLL_IN) != 0 ? WATCH_READ : 0) | ((what & CURL_POLL_OUT) != 0 ? WATCH_WRITE : 0));
        return 0;
    }
    (void)curl_easy_getinfo(easy, CURLINFO_PRIVATE, &transfer);
    /* The library calls us when it closes a connection, but not after an attempt that failed. */
    if (transfer != NULL && transfer->has_head)
        http_peers_want(client->peers, fd, 0);
    else
        http_peers_forget(client->peers, fd);
    if (transfer != NULL && transfer->begun == 0) {
        transfer->has_lost_socket = true;
        timer_start(client->nudge, 0);
    }
    return 0;
}

/* --- the start of a transfer ----------------------------------------------------------- */

static void
set_common(struct http_transfer *transfer, int64_t left_ms)
{
    struct http_client *client = transfer->client;
    CURL *easy = transfer->easy;

    (void)curl_easy_setopt(easy, CURLOPT_PRIVATE, transfer);
    (void)curl_easy_setopt(easy, CURLOPT_URL, transfer->request.url);
    (void)curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https,smtp,smtps");
    (void)curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    (void)curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
    (void)curl_easy_setopt(easy, CURLOPT_PROXY, "");
    (void)curl_easy_setopt(easy, CURLOPT_NOPROXY, "*");
    (void)curl_easy_setopt(easy, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
    (void)curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    (void)curl_easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    (void)curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L);
    (void)curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L);
    (void)curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, http_tls_begin);
    (void)curl_easy_setopt(easy, CURLOPT_SSL_CTX_DATA, transfer);
    if (client->ca_file != NULL)
        (void)curl_easy_setopt(easy, CURLOPT_CAINFO, client->ca_file);
    (void)curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, left_ms < BOUND_CONNECT_MS ? (long)left_ms : (long)BOUND_CONNECT_MS);
    (void)curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)left_ms);
    (void)curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, 8192L);
    (void)curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, on_peer);
    (void)curl_easy_setopt(easy, CURLOPT_PREREQDATA, transfer);
    (void)curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, on_open);
    (void)curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, transfer);
    (void)curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, on_close);
    (void)curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, client);
    (void)curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
    (void)curl_easy_setopt(easy, CURLOPT_WRITEDATA, transfer);
    (void)curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header);
    (void)curl_easy_setopt(easy, CURLOPT_HEADERDATA, transfer);
    if (transfer->resolve != NULL)
        (void)curl_easy_setopt(easy, CURLOPT_RESOLVE, transfer->resolve);
    if (transfer->request.user != NULL) {
        (void)curl_easy_setopt(easy, CURLOPT_USERNAME, transfer->request.user);
        (void)curl_easy_setopt(easy, CURLOPT_PASSWORD, transfer->request.password == NULL ? "" : transfer->request.password);
    }
}

static void
set_call(struct http_transfer *transfer)
{
    const struct http_request *request = &transfer->request;
    CURL *easy = transfer->easy;
    bool has_body = request->body != NULL || strcmp(request->method, "POST") == 0;

    for (int i = 0; i < request->header_count; i++)
        transfer->headers = curl_slist_append(transfer->headers, request->headers[i]);
    transfer->headers = curl_slist_append(transfer->headers, "Expect:");
    if (has_body && !http_request_has_header(request, "Content-Type"))
        transfer->headers = curl_slist_append(transfer->headers, "Content-Type:");
    (void)curl_easy_setopt(easy, CURLOPT_HTTPHEADER, transfer->headers);
    (void)curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
    (void)curl_easy_setopt(easy, CURLOPT_PIPEWAIT, transfer->target.is_tls ? 1L : 0L);
    (void)curl_easy_setopt(easy, CURLOPT_HTTP09_ALLOWED, 0L);
    if (!http_request_has_header(request, "User-Agent"))
        (void)curl_easy_setopt(easy, CURLOPT_USERAGENT, transfer->client->agent);
    if (request->user != NULL)
        (void)curl_easy_setopt(easy, CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC);
    if (has_body && request->body_length > BOUND_BODY_AT_ONCE_BYTES) {
        (void)curl_easy_setopt(easy, CURLOPT_POST, 1L);
        (void)curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_length);
        (void)curl_easy_setopt(easy, CURLOPT_READFUNCTION, http_supply_body);
        (void)curl_easy_setopt(easy, CURLOPT_READDATA, transfer);
        (void)curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, on_seek);
        (void)curl_easy_setopt(easy, CURLOPT_SEEKDATA, transfer);
    } else if (has_body) {
        (void)curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_length);
        (void)curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request->body == NULL ? "" : request->body);
    } else if (strcmp(request->method, "HEAD") == 0) {
        (void)curl_easy_setopt(easy, CURLOPT_NOBODY, 1L);
    }
    if (strcmp(request->method, "GET") != 0 && strcmp(request->method, "HEAD") != 0)
        (void)curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request->method);
}

/* The addresses are vetted: passes the transfer to the library. */
static void
start(struct http_transfer *transfer)
{
    struct http_client *client = transfer->client;
    int64_t left_ms = transfer->request.timeout_ms - (loop_now_ms(client->loop) - transfer->started_ms);
    CURLMcode code;

    if (left_ms < 1) {
        finish(transfer, HTTP_UNSENT, "the time for the call was over before it began");
        return;
    }
    if (client->multi == NULL)
        make_multi(client);
    transfer->easy = take_handle(client);
    set_common(transfer, left_ms);
    if (transfer->target.is_smtp)
        http_mail_set(transfer);
    else
        set_call(transfer);
    code = curl_multi_add_handle(client->multi, transfer->easy);
    if (code != CURLM_OK) {
        give_back(transfer);
        finish(transfer, HTTP_UNSENT, curl_multi_strerror(code));
    }
}

/* Writes host:port:address,address for CURLOPT_RESOLVE. */
static void
pin(struct http_transfer *transfer, const struct lookup_answer *answer)
{
    struct buf line;

    buf_init(&line, 1024);
    buf_printf(&line, "%s:%d:", transfer->target.host, transfer->target.port);
    for (int i = 0; i < answer->count; i++) {
        bool is_v6 = strchr(answer->addresses[i], ':') != NULL;

        buf_printf(&line, "%s%s%s%s", i == 0 ? "" : ",", is_v6 ? "[" : "", answer->addresses[i], is_v6 ? "]" : "");
    }
    transfer->resolve = curl_slist_append(NULL, line.text);
    buf_release(&line);
}

static void
on_name(void *cookie, const struct lookup_answer *answer)
{
    struct http_transfer *transfer = cookie;
    struct err err;
    char problem[BOUND_ERROR_BYTES];

    transfer->wait = NULL;
    if (answer->count == 0) {
        transfer->is_short = answer->is_short;
        (void)snprintf(problem, sizeof(problem), "could not resolve \"%s\": %s", transfer->target.host, answer->problem);
        finish(transfer, HTTP_UNSENT, problem);
        return;
    }
    for (int i = 0; i < answer->count; i++) {
        if (!http_policy_admits(transfer->client->policy, &transfer->target, answer->addresses[i], &err)) {
            finish(transfer, HTTP_REFUSED, err.message);
            return;
        }
    }
    pin(transfer, answer);
    start(transfer);
}

struct http_transfer *
http_send(struct http_client *client, struct http_request *request, http_done_fn *done, void *cookie)
{
    struct http_transfer *transfer = must_alloc(sizeof(*transfer));
    struct err err;

    transfer->client = client;
    transfer->request = *request;
    http_request_init(request);
    transfer->done = done;
    transfer->cookie = cookie;
    transfer->started_ms = loop_now_ms(client->loop);
    buf_init(&transfer->head, BOUND_HEADER_BYTES);
    buf_init(&transfer->body, BOUND_BODY_BYTES);
    list_init(&transfer->node);
    list_append(&client->transfers, &transfer->node);
    if (!http_policy_read(client->policy, transfer->request.url, transfer->request.is_trusted, &transfer->target, &err)) {
        finish(transfer, HTTP_REFUSED, err.message);
    } else if (transfer->target.is_smtp != (transfer->request.mail_to != NULL)) {
        /* A mail needs an envelope, and an HTTP request has none. */
        finish(transfer, HTTP_REFUSED, "outbound request refused: not a URL of a scheme that is allowed");
    } else if (transfer->target.is_numeric) {
        if (http_policy_admits(client->policy, &transfer->target, transfer->target.host, &err))
            start(transfer);
        else
            finish(transfer, HTTP_REFUSED, err.message);
    } else {
        transfer->wait = http_names_find(client->names, transfer->target.host, on_name, transfer);
    }
    return transfer;
}

static void
transfer_free(struct http_transfer *transfer)
{
    list_remove(&transfer->node);
    if (transfer->wait != NULL)
        http_names_cancel(transfer->wait);
    if (transfer->easy != NULL)
        give_back(transfer);
    http_mail_forget(transfer);
    curl_slist_free_all(transfer->headers);
    curl_slist_free_all(transfer->resolve);
    curl_slist_free_all(transfer->recipients);
    http_request_release(&transfer->request);
    buf_release(&transfer->head);
    buf_release(&transfer->body);
    free(transfer);
}

void
http_cancel(struct http_transfer *transfer)
{
    transfer_free(transfer);
}

/* --- the client ------------------------------------------------------------------------ */

/* At the limit, the library closes a kept connection and opens the new one. */
static void
limit(struct http_client *client)
{
    (void)curl_multi_setopt(client->multi, CURLMOPT_MAXCONNECTS, (long)client->connections);
    (void)curl_multi_setopt(client->multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, (long)client->connections);
}

void
http_client_limit(struct http_client *client, int connections)
{
    client->connections = connections;
    if (client->multi != NULL)
        limit(client);
}

static void
make_multi(struct http_client *client)
{
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        abort();
    client->multi = curl_multi_init();
    if (client->multi == NULL)
        abort();
    (void)curl_multi_setopt(client->multi, CURLMOPT_SOCKETFUNCTION, on_socket_wanted);
    (void)curl_multi_setopt(client->multi, CURLMOPT_SOCKETDATA, client);
    (void)curl_multi_setopt(client->multi, CURLMOPT_TIMERFUNCTION, on_timer_wanted);
    (void)curl_multi_setopt(client->multi, CURLMOPT_TIMERDATA, client);
    limit(client);
}

static void
end_multi(struct http_client *client)
{
    if (client->multi == NULL)
        return;
    (void)curl_multi_cleanup(client->multi);
    client->multi = NULL;
    while (client->spare_count > 0)
        curl_easy_cleanup(client->spares[--client->spare_count]);
    curl_global_cleanup();
}

struct http_client *
http_client_new(struct loop *loop, const struct http_client_options *options)
{
    struct http_client *client = must_alloc(sizeof(*client));

    /* Never write keys of TLS sessions to a file, even if the environment asks for it. */
    (void)unsetenv("SSLKEYLOGFILE");
    /* A silent name server holds a thread; keep this time short. */
    (void)setenv("RES_OPTIONS", "timeout:1 attempts:2", 0);
    client->loop = loop;
    client->policy = options->policy;
    client->agent = must_strdup(options->agent);
    client->ca_file = options->ca_file == NULL ? NULL : must_strdup(options->ca_file);
    client->names = http_names_new(loop);
    client->peers = http_peers_new(loop, on_ready, client);
    client->timer = timer_new(loop, on_timer, client);
    client->deliver = timer_new(loop, on_deliver, client);
    client->nudge = timer_new(loop, on_nudge, client);
    list_init(&client->transfers);
    list_init(&client->finished);
    list_init(&client->mail_sockets);
    client->connections = options->connections;
    client->may_send = options->may_send;
    return client;
}

void
http_client_free(struct http_client *client)
{
    if (client == NULL)
        return;
    while (!list_is_empty(&client->transfers))
        transfer_free(LIST_OWNER(client->transfers.next, struct http_transfer, node));
    while (!list_is_empty(&client->finished))
        transfer_free(LIST_OWNER(client->finished.next, struct http_transfer, node));
    end_multi(client);
    http_peers_free(client->peers);
    http_names_free(client->names);
    timer_close(client->timer);
    timer_close(client->deliver);
    timer_close(client->nudge);
    free(client->agent);
    free(client->ca_file);
    free(client);
}
