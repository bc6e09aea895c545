#include "task/host.h"

#include <stdlib.h>
#include <string.h>

#include "base/bounds.h"
#include "base/err.h"

static const char retry_mark[] = "retry ";

void
hosts_init(struct hosts *hosts, int per_host)
{
    list_init(&hosts->all);
    hosts->count = 0;
    hosts->per_host = per_host;
}

static void
drop(struct hosts *hosts, struct host *host)
{
    list_remove(&host->node);
    free(host);
    hosts->count--;
}

void
hosts_free(struct hosts *hosts)
{
    while (!list_is_empty(&hosts->all))
        drop(hosts, LIST_OWNER(hosts->all.next, struct host, node));
}

/* Those that hold nothing: the good ones, and the oldest of too many bad ones. */
static void
forget_some(struct hosts *hosts)
{
    for (struct list *node = hosts->all.next; node != &hosts->all;) {
        struct host *host = LIST_OWNER(node, struct host, node);

        node = node->next;
        if (host->held == 0 && (host->failures == 0 || hosts->count >= BOUND_HOST_COUNT))
            drop(hosts, host);
    }
}

static struct host *
find(const struct hosts *hosts, const char *name)
{
    for (struct list *node = hosts->all.prev; node != &hosts->all; node = node->prev) {
        struct host *host = LIST_OWNER(node, struct host, node);

        if (strcmp(host->name, name) == 0)
            return host;
    }
    return NULL;
}

static int
least_budget(const struct hosts *hosts)
{
    return hosts->per_host < 8 ? 1 : hosts->per_host / 4;
}

/* The rest is kept for what is new. */
static int
most_budget(const struct hosts *hosts)
{
    return hosts->per_host == 1 ? 1 : hosts->per_host - least_budget(hosts);
}

/* How many more tasks it may get now. */
static int
room_of(const struct hosts *hosts, const struct host *host, int64_t now_ms)
{
    int most = hosts->per_host;

    if (host->close_ms > 0)
        most = now_ms >= host->closed_until_ms ? 1 : 0;
    return most > host->held ? most - host->held : 0;
}

/* How many of these may be retries. */
static int
retry_room_of(const struct hosts *hosts, const struct host *host, int64_t now_ms)
{
    int room = room_of(hosts, host, now_ms);
    int rest = host->budget > host->retries ? host->budget - host->retries : 0;

    return room < rest ? room : rest;
}

struct host *
hosts_take(struct hosts *hosts, const char *destination, bool *ret_is_retry)
{
    struct host *host;

    *ret_is_retry = strncmp(destination, retry_mark, strlen(retry_mark)) == 0;
    if (*ret_is_retry)
        destination += strlen(retry_mark);
    host = find(hosts, destination);
    if (host == NULL) {
        forget_some(hosts);
        host = must_alloc(sizeof(*host) + strlen(destination) + 1);
        memcpy(host->name, destination, strlen(destination) + 1);
        host->budget = least_budget(hosts);
        list_init(&host->node);
        hosts->count++;
    }
    list_append(&hosts->all, &host->node);
    host->held++;
    host->retries += *ret_is_retry;
    return host;
}

static bool
is_failure(const char *error_class)
{
    return strcmp(error_class, "network") == 0 || strcmp(error_class, "server") == 0 || strcmp(error_class, "in_doubt") == 0;
}

/* True: this one closes it. */
static bool
close_if_due(struct host *host, int64_t now_ms)
{
    bool was_closed = host->close_ms > 0;

    host->failures++;
    if (!was_closed && host->failures < BOUND_HOST_FAILURES)
        return false;
    if (was_closed && now_ms < host->closed_until_ms)
        return false; /* One of those that were under way when it was closed. */
    host->close_ms = was_closed ? host->close_ms * 2 : BOUND_HOST_CLOSED_MS;
    if (host->close_ms > BOUND_HOST_MOST_MS)
        host->close_ms = BOUND_HOST_MOST_MS;
    host->closed_until_ms = now_ms + host->close_ms;
    return true;
}

enum host_change
hosts_give_back(struct hosts *hosts, struct host *host, bool is_retry, const char *error_class, int64_t now_ms)
{
    bool is_good = error_class == NULL;
    bool was_full = retry_room_of(hosts, host, now_ms) == 0;
    bool was_closed = host->close_ms > 0;

    host->held--;
    host->retries -= is_retry;
    if (is_good && host->budget < most_budget(hosts))
        host->budget++;
    else if (!is_good && error_class[0] != '\0')
        host->budget = least_budget(hosts);
    if (is_good || strcmp(error_class, "refused") == 0 || strcmp(error_class, "rate_limited") == 0) {
        host->failures = 0;
        host->close_ms = 0;
        if (was_closed)
            return HOST_OPENED;
    } else if (is_failure(error_class) && close_if_due(host, now_ms)) {
        return HOST_CLOSED;
    }
    return was_full && retry_room_of(hosts, host, now_ms) > 0 ? HOST_ROOMY : HOST_AS_BEFORE;
}

static void
add_element(struct buf *literal, const char *mark, const char *name, int room)
{
    buf_printf(literal, literal->length == 1 ? "\"%s" : ",\"%s", mark);
    for (const char *c = name; *c != '\0'; c++)
        buf_printf(literal, "%s%c", *c == '"' || *c == '\\' ? "\\" : "", *c);
    if (room > 0)
        buf_printf(literal, "=%d", room);
    buf_puts(literal, "\"");
}

bool
hosts_limits(const struct hosts *hosts, int64_t now_ms, struct buf *literal)
{
    bool is_limited = false;

    buf_puts(literal, "{");
    for (struct list *node = hosts->all.next; node != &hosts->all; node = node->next) {
        const struct host *host = LIST_OWNER(node, struct host, node);
        int retry_room = retry_room_of(hosts, host, now_ms);

        if (host->held == 0 && host->close_ms == 0)
            continue; /* As all others. */
        add_element(literal, "", host->name, room_of(hosts, host, now_ms));
        add_element(literal, retry_mark, host->name, retry_room);
        is_limited = is_limited || (host->close_ms == 0 && retry_room == 0);
    }
    add_element(literal, "", "*", hosts->per_host);
    add_element(literal, retry_mark, "*", least_budget(hosts));
    buf_puts(literal, "}");
    return is_limited;
}

bool
hosts_are_full(const struct hosts *hosts, int64_t now_ms)
{
    for (struct list *node = hosts->all.next; node != &hosts->all; node = node->next) {
        const struct host *host = LIST_OWNER(node, struct host, node);

        if (host->held > 0 && retry_room_of(hosts, host, now_ms) == 0)
            return true;
    }
    return false;
}
