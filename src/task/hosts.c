/*
 * Destinations of HTTP jobs.  A host gets a number of calls at once and no more, and one that
 * fails again and again is closed for a while, then tried with one call.  Claims pass over hosts
 * that are full or closed: their jobs wait in the database, not in our places.
 *
 * Retries ("retry HOST") get a part of the places only, so that what failed before never crowds
 * out what is new: a quarter, one more with each good answer, and a quarter again with each bad
 * one.
 *
 *   open --10 failures in a row--> closed 30 s --time--> trial --answered--> open
 *                                  ^  doubled, to 10 min  |
 *                                  +-------failed---------+
 */
#include "task/worker_private.h"

struct host {
    struct list node; /* in worker->hosts */
    int held;         /* tasks that we hold for it */
    int retries;      /* and those of them that were tried before */
    int budget;       /* how many may be */
    int failures;     /* in a row */
    int64_t closed_until_ms;
    int64_t close_ms; /* how long it was closed last; 0: it is open */
    char name[];
};

static const char retry_mark[] = "retry ";

static int
least_budget(const struct worker *worker)
{
    return worker->options->per_host < 8 ? 1 : worker->options->per_host / 4;
}

static struct host *
find(const struct worker *worker, const char *name)
{
    for (struct list *node = worker->hosts.next; node != &worker->hosts; node = node->next) {
        struct host *host = LIST_OWNER(node, struct host, node);

        if (strcmp(host->name, name) == 0)
            return host;
    }
    return NULL;
}

/* How many more tasks it may get now. */
static int
room_of(const struct worker *worker, const struct host *host)
{
    int most = worker->options->per_host;

    if (host->close_ms > 0)
        most = loop_now_ms(worker->loop) >= host->closed_until_ms ? 1 : 0;
    return most > host->held ? most - host->held : 0;
}

/* How many of these may be retries. */
static int
retry_room_of(const struct worker *worker, const struct host *host)
{
    int room = room_of(worker, host);
    int rest = host->budget > host->retries ? host->budget - host->retries : 0;

    return room < rest ? room : rest;
}

void
hosts_take(struct worker *worker, struct task *task, const char *name)
{
    struct host *host;

    task->is_retry = strncmp(name, retry_mark, strlen(retry_mark)) == 0;
    if (task->is_retry)
        name += strlen(retry_mark);
    host = find(worker, name);
    if (host == NULL) {
        host = must_alloc(sizeof(*host) + strlen(name) + 1);
        memcpy(host->name, name, strlen(name) + 1);
        host->budget = least_budget(worker);
        list_init(&host->node);
        list_append(&worker->hosts, &host->node);
    }
    host->held++;
    host->retries += task->is_retry;
    task->host = host;
}

static void
note_failure(struct worker *worker, struct host *host)
{
    bool was_trial = host->close_ms > 0;

    host->failures++;
    if (!was_trial && host->failures < BOUND_HOST_FAILURES)
        return;
    if (was_trial && loop_now_ms(worker->loop) < host->closed_until_ms)
        return; /* One of those that were under way when it was closed. */
    host->close_ms = was_trial ? host->close_ms * 2 : BOUND_HOST_CLOSED_MS;
    if (host->close_ms > BOUND_HOST_MOST_MS)
        host->close_ms = BOUND_HOST_MOST_MS;
    host->closed_until_ms = loop_now_ms(worker->loop) + host->close_ms;
    log_event(LOG_WARN, "host fails, its jobs wait", "host", host->name, "seconds", LOG_I64(host->close_ms / 1000), NULL);
    claim_look_later(worker, host->close_ms);
}

/* Its call is over, or will not be made.  NULL class: answered well; "": nothing is known. */
void
hosts_give_back(struct worker *worker, struct task *task, const char *error_class)
{
    struct host *host = task->host;
    bool was_full;
    bool is_good = error_class == NULL;

    if (host == NULL)
        return;
    task->host = NULL;
    was_full = retry_room_of(worker, host) == 0;
    host->held--;
    host->retries -= task->is_retry;
    if (is_good && host->budget < worker->options->per_host)
        host->budget++;
    else if (!is_good && error_class[0] != '\0')
        host->budget = least_budget(worker);
    if (is_good || strcmp(error_class, "refused") == 0 || strcmp(error_class, "rate_limited") == 0) {
        if (host->close_ms > 0)
            log_event(LOG_INFO, "host answers again", "host", host->name, NULL);
        host->failures = 0;
        host->close_ms = 0;
    } else if (strcmp(error_class, "network") == 0 || strcmp(error_class, "server") == 0 || strcmp(error_class, "in_doubt") == 0) {
        note_failure(worker, host);
    }
    if (was_full && retry_room_of(worker, host) > 0)
        claim_look(worker);
    if (host->held == 0 && host->failures == 0) {
        list_remove(&host->node);
        free(host);
    }
}

/* An element of an array literal: a name that is passed over, or may get so many more. */
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

/* What a claim is told: "name" for those to be passed over, "name=n" for those that may get n
 * more, "*=n" for all others; likewise of retries.  True: a host that answers is among the full
 * ones. */
bool
hosts_add_limits(const struct worker *worker, struct buf *literal)
{
    bool is_limited = false;

    buf_puts(literal, "{");
    for (struct list *node = worker->hosts.next; node != &worker->hosts; node = node->next) {
        const struct host *host = LIST_OWNER(node, struct host, node);
        int room = room_of(worker, host);

        add_element(literal, "", host->name, room);
        add_element(literal, retry_mark, host->name, retry_room_of(worker, host));
        is_limited = is_limited || (host->close_ms == 0 && retry_room_of(worker, host) == 0);
    }
    add_element(literal, "", "*", worker->options->per_host);
    add_element(literal, retry_mark, "*", least_budget(worker));
    buf_puts(literal, "}");
    return is_limited;
}

bool
hosts_are_full(const struct worker *worker)
{
    for (struct list *node = worker->hosts.next; node != &worker->hosts; node = node->next) {
        const struct host *host = LIST_OWNER(node, struct host, node);

        if (host->held > 0 && retry_room_of(worker, host) == 0)
            return true;
    }
    return false;
}

void
hosts_free(struct worker *worker)
{
    while (!list_is_empty(&worker->hosts)) {
        struct host *host = LIST_OWNER(worker->hosts.next, struct host, node);

        list_remove(&host->node);
        free(host);
    }
}
