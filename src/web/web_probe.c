#include "web/web_probe.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/parse.h"
#include "web/web_address.h"

enum {
    STEP_SECONDS = 2, /* longest wait for the connection, and for each part of the answer */
    STEPS = 4,        /* largest number of parts that are read */
    ANSWER_BYTES = 4096,
};

/* A server that listens on every address is asked on the loopback interface. */
static void
prefer_loopback(struct sockaddr_storage *address)
{
    struct sockaddr_in *four = (struct sockaddr_in *)address;
    struct sockaddr_in6 *six = (struct sockaddr_in6 *)address;

    if (address->ss_family == AF_INET && four->sin_addr.s_addr == htonl(INADDR_ANY))
        four->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    else if (address->ss_family == AF_INET6 && IN6_IS_ADDR_UNSPECIFIED(&six->sin6_addr))
        six->sin6_addr = in6addr_loopback;
}

/* Sends the request and reads the beginning of the answer into `answer`, as a text.  False: the connection failed, as errno
 * says. */
static bool
exchange(int fd, const struct sockaddr_storage *address, const char *request, char *answer)
{
    struct timeval limit = {.tv_sec = STEP_SECONDS};
    size_t length = 0;

    if (setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit)) != 0
        || setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)) != 0
        || connect(fd, (const struct sockaddr *)address, web_address_size(address)) != 0
        || send(fd, request, strlen(request), MSG_NOSIGNAL) != (ssize_t)strlen(request))
        return false;
    for (int step = 0; step < STEPS && length < ANSWER_BYTES; step++) {
        ssize_t count = recv(fd, answer + length, ANSWER_BYTES - length, 0);

        if (count < 0)
            return false;
        if (count == 0)
            break;
        length += (size_t)count;
    }
    answer[length] = '\0';
    return true;
}

/* Reads "HTTP/1.1 200 OK", the head, and the first line of the body. */
static bool
read_answer(const char *answer, struct web_reply *ret_reply)
{
    const char *body = strstr(answer, "\r\n\r\n");
    char digits[4];
    int64_t status;

    if (strncmp(answer, "HTTP/1.", 7) != 0 || strlen(answer) < 12 || answer[8] != ' ' || body == NULL)
        return false;
    (void)snprintf(digits, sizeof(digits), "%.3s", answer + 9);
    if (!parse_int(digits, 100, 999, &status, NULL))
        return false;
    ret_reply->status = (int)status;
    body += 4;
    (void)snprintf(ret_reply->text, sizeof(ret_reply->text), "%.*s", (int)strcspn(body, "\r\n"), body);
    return true;
}

bool
web_probe(const char *address, const char *path, struct web_reply *ret_reply, struct err *err)
{
    struct sockaddr_storage where;
    char request[512];
    char answer[ANSWER_BYTES + 1] = "";
    bool is_answered;
    int reason;
    int fd;

    if (!web_address_read(address, &where, err))
        return false;
    /* A blank or a line end in the path would be another request. */
    if (path[0] != '/' || strlen(path) > 200 || strpbrk(path, " \t\r\n") != NULL)
        return err_set(err, ERR_REFUSED, "", "\"%s\" is not a path such as /readyz", path);
    prefer_loopback(&where);
    (void)snprintf(request, sizeof(request), "GET %s HTTP/1.0\r\nHost: reeve\r\n\r\n", path);
    fd = socket(where.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    is_answered = fd >= 0 && exchange(fd, &where, request, answer);
    reason = errno;
    if (fd >= 0)
        (void)close(fd);
    if (!is_answered)
        return err_set(err, ERR_RETRY, "", "no answer from %s: %s", address,
            reason == EAGAIN || reason == EINPROGRESS ? "timed out" : strerror(reason));
    if (!read_answer(answer, ret_reply))
        return err_set(err, ERR_REFUSED, "", "the answer from %s is not HTTP", address);
    return true;
}
