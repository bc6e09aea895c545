#include "db/db_hosts.h"

#include <arpa/inet.h>
#include <assert.h>

#include "base/bounds.h"
#include "base/buf.h"
#include "db/db_private.h"

enum { MAX_OPTIONS = 64 };

/* Our defaults of settings that have neither an environment variable (for the others see db_env.h) nor a default of libpq.
 * With them, a dead peer is noticed within seconds. */
static const struct {
    const char *keyword;
    const char *value;
} defaults[] = {
    {"keepalives_idle", "5"},
    {"keepalives_interval", "2"},
    {"keepalives_count", "3"},
    {"tcp_user_timeout", "5000"},
};

struct db_hosts {
    struct loop *loop;
    db_hosts_fn *fn;
    void *cookie;
    PQconninfoOption *options; /* parsed conninfo, merged with defaults and PG* */
    char *application_name;
    char *names[BOUND_HOSTS]; /* hosts to resolve, in order; owned */
    char *ports[BOUND_HOSTS]; /* port of each host; owned; NULL: the default */
    int count;
    int next; /* index of the name that is being resolved */
    int skip; /* number of addresses that move to the end of the list */
    struct lookup *lookup;
    struct buf host, hostaddr, port; /* the expanded lists */
    struct err last;
};

static const char *
option_value(const struct db_hosts *hosts, const char *keyword)
{
    for (PQconninfoOption *o = hosts->options; o != NULL && o->keyword != NULL; o++) {
        if (strcmp(o->keyword, keyword) == 0 && o->val != NULL && o->val[0] != '\0')
            return o->val;
    }
    return NULL;
}

/* The n-th item of a comma-separated list; a single port stands for all hosts. */
static char *
item(const char *list, int n)
{
    const char *start = list;

    if (list == NULL)
        return NULL;
    if (strchr(list, ',') == NULL)
        return must_strdup(list);
    for (; n > 0 && start != NULL; n--) {
        start = strchr(start, ',');
        if (start != NULL)
            start++;
    }
    if (start == NULL)
        return NULL;
    return strndup(start, strcspn(start, ","));
}

static void
add_address(struct db_hosts *hosts, const char *host, const char *address, const char *port)
{
    const char *comma = hosts->host.length + hosts->hostaddr.length > 0 ? "," : "";

    buf_printf(&hosts->host, "%s%s", comma, host);
    buf_printf(&hosts->hostaddr, "%s%s", comma, address);
    buf_printf(&hosts->port, "%s%s", comma, port == NULL ? "" : port);
}

/* The list with its first `skip` items moved to its end. */
static void
rotate(struct buf *list, int skip)
{
    struct buf turned;
    const char *rest = list->text;

    for (int i = 0; i < skip; i++)
        rest += strcspn(rest, ",") + 1;
    if (skip == 0)
        return;
    buf_init(&turned, list->ceiling);
    buf_printf(&turned, "%s,", rest);
    buf_add(&turned, list->text, (size_t)(rest - list->text) - 1);
    buf_release(list);
    *list = turned;
}

static void
rotate_all(struct db_hosts *hosts)
{
    int count = 1;

    for (const char *c = hosts->host.text; *c != '\0'; c++)
        count += *c == ',';
    rotate(&hosts->host, hosts->skip % count);
    rotate(&hosts->hostaddr, hosts->skip % count);
    rotate(&hosts->port, hosts->skip % count);
}

static void
finish(struct db_hosts *hosts)
{
    const char *keywords[MAX_OPTIONS + 16] = {NULL};
    const char *values[MAX_OPTIONS + 16] = {NULL};
    int n = 0;

    if (hosts->count > 0 && hosts->host.length == 0) {
        hosts->fn(hosts->cookie, NULL, NULL, &hosts->last);
        return;
    }
    rotate_all(hosts);
    for (size_t i = 0; i < LENGTH(defaults); i++) {
        if (option_value(hosts, defaults[i].keyword) == NULL) {
            keywords[n] = defaults[i].keyword;
            values[n++] = defaults[i].value;
        }
    }
    for (PQconninfoOption *o = hosts->options; o->keyword != NULL && n < MAX_OPTIONS; o++) {
        bool is_ours = hosts->count > 0
                       && (strcmp(o->keyword, "host") == 0 || strcmp(o->keyword, "hostaddr") == 0
                           || strcmp(o->keyword, "port") == 0);

        if (o->val == NULL || o->val[0] == '\0' || is_ours)
            continue;
        if (strcmp(o->keyword, "application_name") == 0 || strcmp(o->keyword, "fallback_application_name") == 0
            || strcmp(o->keyword, "client_encoding") == 0)
            continue;
        keywords[n] = o->keyword;
        values[n++] = o->val;
    }
    keywords[n] = "application_name";
    values[n++] = hosts->application_name;
    keywords[n] = "client_encoding"; /* The encoding of the user's terminal does not matter. */
    values[n++] = "UTF8";
    if (hosts->count > 0) {
        keywords[n] = "host";
        values[n++] = hosts->host.text;
        keywords[n] = "hostaddr";
        values[n++] = hosts->hostaddr.text;
        keywords[n] = "port";
        values[n++] = hosts->port.text;
    }
    hosts->fn(hosts->cookie, keywords, values, NULL);
}

static void resolve_next(struct db_hosts *hosts);

static void
on_found(void *cookie, const struct lookup_answer *answer)
{
    struct db_hosts *hosts = cookie;
    const char *name = hosts->names[hosts->next];

    hosts->lookup = NULL;
    for (int i = 0; i < answer->count; i++)
        add_address(hosts, name, answer->addresses[i], hosts->ports[hosts->next]);
    if (answer->count == 0)
        (void)err_set(&hosts->last, ERR_RETRY, "08006", "could not resolve database host \"%s\": %s", name, answer->problem);
    hosts->next++;
    resolve_next(hosts);
}

static bool
is_numeric(const char *host)
{
    unsigned char bytes[16];

    return inet_pton(AF_INET, host, bytes) == 1 || inet_pton(AF_INET6, host, bytes) == 1;
}

static void
resolve_next(struct db_hosts *hosts)
{
    for (; hosts->next < hosts->count; hosts->next++) {
        const char *name = hosts->names[hosts->next];

        if (name[0] == '/' || name[0] == '@' || name[0] == '\0') {
            add_address(hosts, name, "", hosts->ports[hosts->next]);
        } else if (is_numeric(name)) {
            add_address(hosts, name, name, hosts->ports[hosts->next]);
        } else {
            hosts->lookup = lookup_start(hosts->loop, name, on_found, hosts);
            return;
        }
    }
    finish(hosts);
}

struct db_hosts *
db_hosts_start(struct loop *loop, const char *conninfo, const char *application_name, int skip, db_hosts_fn *fn, void *cookie)
{
    struct db_hosts *hosts = must_alloc(sizeof(*hosts));
    const char *list;

    hosts->loop = loop;
    hosts->fn = fn;
    hosts->cookie = cookie;
    hosts->skip = skip;
    hosts->application_name = must_strdup(application_name);
    buf_init(&hosts->host, 8192);
    buf_init(&hosts->hostaddr, 8192);
    buf_init(&hosts->port, 8192);
    hosts->options = db_conninfo_read(conninfo, &hosts->last);
    if (hosts->options == NULL) {
        fn(cookie, NULL, NULL, &hosts->last);
        return hosts;
    }
    if (conninfo[0] != '\0') {
        /* PQconninfoParse ignores services and the environment. */
        PQconninfoOption *more = PQconndefaults();

        for (PQconninfoOption *o = hosts->options, *d = more; more != NULL && o->keyword != NULL; o++, d++) {
            assert(strcmp(o->keyword, d->keyword) == 0);
            if (o->val == NULL && d->val != NULL)
                o->val = must_strdup(d->val);
        }
        PQconninfoFree(more);
    }
    list = option_value(hosts, "hostaddr") == NULL ? option_value(hosts, "host") : NULL;
    for (const char *at = list; at != NULL && hosts->count < BOUND_HOSTS; hosts->count++) {
        hosts->names[hosts->count] = strndup(at, strcspn(at, ","));
        hosts->ports[hosts->count] = item(option_value(hosts, "port"), hosts->count);
        at = strchr(at, ',');
        if (at != NULL)
            at++;
    }
    resolve_next(hosts);
    return hosts;
}

void
db_hosts_free(struct db_hosts *hosts)
{
    if (hosts == NULL)
        return;
    lookup_cancel(hosts->lookup);
    PQconninfoFree(hosts->options);
    for (int i = 0; i < hosts->count; i++) {
        free(hosts->names[i]);
        free(hosts->ports[i]);
    }
    buf_release(&hosts->host);
    buf_release(&hosts->hostaddr);
    buf_release(&hosts->port);
    free(hosts->application_name);
    free(hosts);
}
