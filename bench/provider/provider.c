/*
 * A provider for measurements: answers every request with 200 and {"id": "1"} after a fixed
 * delay, and costs as little as possible, since it shares the machine with what is measured.
 *
 *     provider DELAY_MS     prints its port, and counts on USR1
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { CONNECTIONS_MAX = 20000, BYTES_MAX = 65536 };

struct connection {
    char *bytes;
    size_t length;
    uint32_t generation; /* of this descriptor, so that an answer never goes to a successor */
};

struct answer { /* all have the same delay, so they are due in the order in which they were asked */
    int fd;
    uint32_t generation;
    int64_t due_us;
};

static struct connection connections[CONNECTIONS_MAX];
static struct answer answers[1 << 17];
static size_t first, last; /* of the ring */
static long answered;

static int64_t
now_us(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static void
drop(int fd)
{
    connections[fd].generation++;
    connections[fd].length = 0;
    (void)close(fd);
}

/* Requests that are complete become answers that are due later. */
static void
take(int fd, int64_t delay_us)
{
    struct connection *c = &connections[fd];

    for (;;) {
        char *end = memmem(c->bytes, c->length, "\r\n\r\n", 4);
        char *header;
        size_t body = 0;
        size_t size;

        if (end == NULL)
            return;
        *end = '\0';
        header = strcasestr(c->bytes, "\r\ncontent-length:");
        if (header != NULL)
            body = strtoul(header + 17, NULL, 10);
        *end = '\r';
        size = (size_t)(end - c->bytes) + 4 + body;
        if (c->length < size)
            return;
        answers[last++ % (sizeof(answers) / sizeof(answers[0]))]
            = (struct answer){.fd = fd, .generation = c->generation, .due_us = now_us() + delay_us};
        memmove(c->bytes, c->bytes + size, c->length - size);
        c->length -= size;
    }
}

static void
on_readable(int fd, int64_t delay_us)
{
    struct connection *c = &connections[fd];
    ssize_t got;

    if (c->bytes == NULL)
        c->bytes = malloc(BYTES_MAX + 1);
    got = read(fd, c->bytes + c->length, BYTES_MAX - c->length);
    if (got <= 0) {
        if (got == 0 || (errno != EAGAIN && errno != EINTR))
            drop(fd);
        return;
    }
    c->length += (size_t)got;
    c->bytes[c->length] = '\0';
    take(fd, delay_us);
}

static void
answer_due(void)
{
    static const char text[] = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{\"id\":\"1\"}";
    int64_t now = now_us();

    while (first != last && answers[first % (sizeof(answers) / sizeof(answers[0]))].due_us <= now) {
        struct answer *a = &answers[first++ % (sizeof(answers) / sizeof(answers[0]))];

        if (connections[a->fd].generation != a->generation)
            continue;
        if (write(a->fd, text, sizeof(text) - 1) != (ssize_t)sizeof(text) - 1)
            drop(a->fd);
        answered++;
    }
}

static int
wait_ms(void)
{
    int64_t left;

    if (first == last)
        return -1;
    left = answers[first % (sizeof(answers) / sizeof(answers[0]))].due_us - now_us();
    return left <= 0 ? 0 : (int)(left / 1000) + 1;
}

static void
on_usr1(int number)
{
    struct rusage usage;

    (void)number;
    (void)getrusage(RUSAGE_SELF, &usage);
    (void)printf("%ld %.3f\n", answered,
        (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6);
    (void)fflush(stdout);
}

int
main(int argc, char **argv)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof(address);
    int64_t delay_us = argc > 1 ? strtol(argv[1], NULL, 10) * 1000 : 0;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    int poll = epoll_create1(0);
    struct epoll_event events[512] = {{.events = EPOLLIN, .data.fd = listener}};
    int on = 1;

    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGUSR1, on_usr1);
    if (bind(listener, (struct sockaddr *)&address, size) != 0 || listen(listener, 4096) != 0
        || getsockname(listener, (struct sockaddr *)&address, &size) != 0
        || epoll_ctl(poll, EPOLL_CTL_ADD, listener, events) != 0) {
        perror("provider");
        return 1;
    }
    (void)printf("%d\n", ntohs(address.sin_port));
    (void)fflush(stdout);
    for (;;) {
        int count = epoll_wait(poll, events, 512, wait_ms());

        for (int i = 0; i < count; i++) {
            int fd = events[i].data.fd;

            if (fd != listener) {
                on_readable(fd, delay_us);
                continue;
            }
            while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
                struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};

                if (fd >= CONNECTIONS_MAX) {
                    (void)close(fd);
                    continue;
                }
                (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
                (void)epoll_ctl(poll, EPOLL_CTL_ADD, fd, &event);
            }
        }
        answer_due();
    }
}
