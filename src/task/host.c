#include "task/host.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/bounds.h"
#include "base/err.h"

void
hosts_init(struct hosts *hosts, int per_host, int most)
{
    *hosts = (struct hosts){.per_host = per_host, .most = most};
    list_init(&hosts->all);
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

/* Frees entries that hold no task: those without failures, and the oldest of too many with failures. */
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
smaller(int a, int b)
{
    return a < b ? a : b;
}

/* Number of places kept for destinations that have none yet. */
static int
reserve_of(const struct hosts *hosts)
{
    return hosts->most < 2 ? 0 : hosts->most < 8 ? 1 : hosts->most / 4;
}

/* Number of places that one destination may have. */
static int
places_of(const struct hosts *hosts, bool is_own)
{
    int most = hosts->most - reserve_of(hosts);

    return is_own ? most : smaller(hosts->per_host, most);
}

/* Number of tasks that a destination may hold: a few more than it has places, if calls are quick. */
static int
cap_of(const struct hosts *hosts, bool is_own, int ahead)
{
    int places = places_of(hosts, is_own);

    return places + smaller(ahead, places / 8);
}

/* Number of tasks that may be taken for destinations that have places. */
static int
shared_room_of(const struct hosts *hosts, int ahead)
{
    int room = hosts->most - reserve_of(hosts) + smaller(ahead, hosts->most / 8) - hosts->held;

    return room > 0 ? room : 0;
}

static int
least_budget(const struct hosts *hosts)
{
    return hosts->per_host < 8 ? 1 : hosts->per_host / 4;
}

/* Largest number of retries; the other places are kept for new tasks. */
static int
most_budget(const struct hosts *hosts)
{
    return hosts->per_host == 1 ? 1 : hosts->per_host - least_budget(hosts);
}

/* Number of tasks that the destination may get now. */
static int
room_of(const struct hosts *hosts, const struct host *host, int64_t now_ms, int ahead)
{
    int most = cap_of(hosts, host->is_own, ahead);
    int shared = shared_room_of(hosts, ahead);
    int room;

    if (host->close_ms > 0)
        most = now_ms >= host->closed_until_ms ? 1 : 0;
    room = most > host->held ? most - host->held : 0;
    if (host->held == 0)
        return room;
    if (host->name[0] == '\0' && shared == 0)
        shared = 1; /* Behind this task there may be tasks of destinations that have none. */
    return smaller(room, shared);
}

/* Largest number of retries among the tasks that the destination may get. */
static int
retry_room_of(const struct hosts *hosts, const struct host *host, int64_t now_ms, int ahead)
{
    int rest = host->budget > host->retries ? host->budget - host->retries : 0;

    return smaller(room_of(hosts, host, now_ms, ahead), rest);
}

static struct host *
get(struct hosts *hosts, const char *name, bool is_own)
{
    struct host *host = find(hosts, name);

    if (host == NULL) {
        forget_some(hosts);
        host = must_alloc(sizeof(*host) + strlen(name) + 1);
        memcpy(host->name, name, strlen(name) + 1);
        host->budget = least_budget(hosts);
        host->is_own = is_own;
        list_init(&host->node);
        hosts->count++;
    }
    list_append(&hosts->all, &host->node);
    return host;
}

struct host *
hosts_take(struct hosts *hosts, const char *name, bool is_own, bool is_retry)
{
    struct host *host = get(hosts, name == NULL ? "" : name, is_own || name == NULL);

    host->held++;
    hosts->held++;
    host->retries += is_retry;
    return host;
}

struct host *
hosts_move(struct hosts *hosts, struct host *host, const char *name, bool is_retry, int64_t now_ms)
{
    struct host *other;
    bool has_room;

    other = get(hosts, name, false); /* The old host holds this task, so get() does not free it. */
    host->held--;
    hosts->held--;
    has_room = room_of(hosts, other, now_ms, 0) > 0;
    hosts->held++;
    if (!has_room) {
        host->held++;
        return NULL;
    }
    other->held++;
    host->retries -= is_retry;
    other->retries += is_retry;
    return other;
}

bool
hosts_may_start(const struct hosts *hosts, const struct host *host)
{
    if (host->placed == 0)
        return hosts->placed < hosts->most;
    return host->placed < places_of(hosts, host->is_own) && hosts->placed < hosts->most - reserve_of(hosts);
}

void
hosts_start(struct hosts *hosts, struct host *host)
{
    host->placed++;
    hosts->placed++;
}

static bool
is_failure(const char *error_class)
{
    return strcmp(error_class, "network") == 0 || strcmp(error_class, "server") == 0 || strcmp(error_class, "in_doubt") == 0;
}

/* True: this failure closes the destination. */
static bool
close_if_due(struct host *host, int64_t now_ms)
{
    bool was_closed = host->close_ms > 0;

    host->failures++;
    if (!was_closed && host->failures < BOUND_HOST_FAILURES)
        return false;
    if (was_closed && now_ms < host->closed_until_ms)
        return false; /* This call was under way when the destination was closed. */
    host->close_ms = was_closed ? host->close_ms * 2 : BOUND_HOST_CLOSED_MS;
    if (host->close_ms > BOUND_HOST_MOST_MS)
        host->close_ms = BOUND_HOST_MOST_MS;
    host->closed_until_ms = now_ms + host->close_ms;
    return true;
}

enum host_change
hosts_give_back(struct hosts *hosts, struct host *host, bool is_retry, bool was_started, const char *error_class, int64_t now_ms)
{
    bool is_good = error_class == NULL;
    bool was_full = retry_room_of(hosts, host, now_ms, 0) == 0;
    bool was_closed = host->close_ms > 0;

    host->held--;
    hosts->held--;
    host->placed -= was_started;
    hosts->placed -= was_started;
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
    } else if (host->name[0] != '\0' && is_failure(error_class) && close_if_due(host, now_ms)) {
        return HOST_CLOSED;
    }
    return was_full && retry_room_of(hosts, host, now_ms, 0) > 0 ? HOST_ROOMY : HOST_AS_BEFORE;
}

void
host_limits_init(struct host_limits *limits)
{
    *limits = (struct host_limits){0};
    buf_init(&limits->names, BOUND_HOST_LIST_BYTES);
    buf_init(&limits->rooms, BOUND_HOST_LIST_BYTES);
    buf_init(&limits->retry_rooms, BOUND_HOST_LIST_BYTES);
}

void
host_limits_release(struct host_limits *limits)
{
    buf_release(&limits->names);
    buf_release(&limits->rooms);
    buf_release(&limits->retry_rooms);
}

static void
add_name(struct buf *literal, const char *name)
{
    if (name[0] == '\0') {
        buf_puts(literal, "NULL");
        return;
    }
    buf_puts(literal, "\"");
    for (const char *c = name; *c != '\0'; c++)
        buf_printf(literal, "%s%c", *c == '"' || *c == '\\' ? "\\" : "", *c);
    buf_puts(literal, "\"");
}

static void
add_limit(struct host_limits *limits, const char *name, int room, int retry_room)
{
    const char *before = limits->names.length == 0 ? "{" : ",";

    buf_puts(&limits->names, before);
    add_name(&limits->names, name);
    buf_printf(&limits->rooms, "%s%d", before, room);
    buf_printf(&limits->retry_rooms, "%s%d", before, retry_room);
}

bool
hosts_limit(const struct hosts *hosts, int64_t now_ms, int ahead, struct host_limits *limits)
{
    bool is_limited = false;
    bool has_unknown = false;

    for (struct list *node = hosts->all.next; node != &hosts->all; node = node->next) {
        const struct host *host = LIST_OWNER(node, struct host, node);
        int retry_room = retry_room_of(hosts, host, now_ms, ahead);

        if (host->held == 0 && host->close_ms == 0)
            continue; /* other_room applies. */
        add_limit(limits, host->name, room_of(hosts, host, now_ms, ahead), retry_room);
        is_limited = is_limited || (host->close_ms == 0 && retry_room == 0);
        has_unknown = has_unknown || host->name[0] == '\0';
    }
    if (!has_unknown)
        add_limit(limits, "", cap_of(hosts, true, ahead), 0);
    buf_puts(&limits->names, "}");
    buf_puts(&limits->rooms, "}");
    buf_puts(&limits->retry_rooms, "}");
    limits->other_room = cap_of(hosts, false, ahead);
    limits->other_retry_room = smaller(least_budget(hosts), limits->other_room);
    limits->shared_room = shared_room_of(hosts, ahead);
    return is_limited;
}

void
hosts_closed(const struct hosts *hosts, int64_t now_ms, struct buf *names, struct buf *left_ms)
{
    int count = 0;

    /* The last entries were used last. */
    for (struct list *node = hosts->all.prev; node != &hosts->all && count < BOUND_HOST_CLOSED_COUNT; node = node->prev) {
        const struct host *host = LIST_OWNER(node, struct host, node);

        if (host->close_ms == 0 || host->closed_until_ms <= now_ms || strlen(host->name) > BOUND_HOST_NAME_BYTES)
            continue;
        buf_puts(names, count == 0 ? "{" : ",");
        add_name(names, host->name);
        buf_printf(left_ms, "%s%" PRId64, count == 0 ? "{" : ",", host->closed_until_ms - now_ms);
        count++;
    }
    if (count > 0) {
        buf_puts(names, "}");
        buf_puts(left_ms, "}");
    }
}

bool
hosts_are_full(const struct hosts *hosts, int64_t now_ms)
{
    for (struct list *node = hosts->all.next; node != &hosts->all; node = node->next) {
        const struct host *host = LIST_OWNER(node, struct host, node);

        if (host->held > 0 && retry_room_of(hosts, host, now_ms, 0) == 0)
            return true;
    }
    return false;
}
