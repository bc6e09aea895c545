#include "serve/serve.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "db/db_once.h"
#include "loop/notify.h"
#include "serve/serve_private.h"

/* Asks the database for a sign of life, and so learns who is there: after a start, a loss, a promotion, a migration. */
static void
probe(struct serve *serve)
{
    static const char nothing[] = "select '{}'::jsonb";
    const struct desk_facts *facts = desks_facts(serve->desks);
    struct desk_job job = {.errand = DESK_READ, .person = "", .sql = nothing};

    serve->probed_ms = loop_now_ms(serve->loop);
    /* Somewhere else there may be a server that accepts writes by now, or a schema that fits. */
    if (facts->is_known && facts->schema_version != serve->options.schema_version)
        desks_renew(serve->desks);
    else if (facts->is_known && facts->is_standby && serve->probed_ms - serve->renewed_ms >= BOUND_SERVE_STANDBY_MS) {
        serve->renewed_ms = serve->probed_ms;
        desks_renew(serve->desks);
    }
    (void)desk_give(serve->desks, &job);
}

static void
on_timer(void *cookie)
{
    struct serve *serve = cookie;
    int64_t now_ms = loop_now_ms(serve->loop);
    int64_t rest_ms = desks_are_up(serve->desks) ? BOUND_REFRESH_MS : BOUND_DESK_AWAY_MS;

    timer_start(serve->timer, BOUND_SERVE_TICK_MS);
    if (now_ms - serve->alive_ms >= BOUND_HEALTH_MS) {
        serve->alive_ms = now_ms;
        notify_alive();
    }
    calls_sweep(serve);
    desks_sweep(serve->desks);
    if (now_ms - serve->probed_ms >= rest_ms)
        probe(serve);
}

/* --- the start ------------------------------------------------------------------------------------------ */

static bool
read_proxies(struct serve *serve, struct err *err)
{
    char *list = must_strdup(serve->options.proxies == NULL ? "" : serve->options.proxies);
    char *rest = list;
    char *item;
    bool is_good = true;

    while (is_good && (item = strsep(&rest, ", ")) != NULL) {
        unsigned char bytes[16];
        int family = strchr(item, ':') == NULL ? AF_INET : AF_INET6;

        if (item[0] == '\0')
            continue;
        if (serve->proxy_count == (int)LENGTH(serve->proxies))
            is_good = err_set(err, ERR_LIMIT, "", "more than %d proxies", (int)LENGTH(serve->proxies));
        else if (inet_pton(family, item, bytes) != 1)
            is_good = err_set(err, ERR_REFUSED, "", "proxy \"%s\" is no numeric address", item);
        else
            (void)inet_ntop(family, bytes, serve->proxies[serve->proxy_count++], WEB_PEER);
    }
    free(list);
    return is_good;
}

static void
add_host(struct serve *serve, const char *host)
{
    if (serve->host_count < (int)LENGTH(serve->hosts) - 1)
        serve->hosts[serve->host_count++] = must_strdup(host);
}

/* The values of Host that mean this server. */
static bool
learn_hosts(struct serve *serve, struct err *err)
{
    const char *address = web_server_address(serve->web);
    const char *port = strrchr(address, ':');
    bool is_wide = strncmp(address, "0.0.0.0:", 8) == 0 || strncmp(address, "[::]:", 5) == 0;
    char host[64];

    if (serve->options.base_url != NULL)
        add_host(serve, serve->base.host);
    else if (is_wide)
        return err_set(err, ERR_REFUSED, "", "the server listens on all addresses, and does not know its name")
               || err_hint(err, "Give --base-url, the address that viewers use.");
    if (!is_wide)
        add_host(serve, address);
    if (web_server_is_local(serve->web)) {
        static const char *const names[] = {"localhost", "127.0.0.1", "[::1]"};

        for (size_t i = 0; i < LENGTH(names); i++) {
            (void)snprintf(host, sizeof(host), "%s%s", names[i], strcmp(port, ":80") == 0 ? "" : port);
            add_host(serve, host);
        }
    }
    (void)snprintf(serve->cookie_name, sizeof(serve->cookie_name), "%sreeve_%s",
        serve->base.is_secure && serve->base.prefix[0] == '\0' ? "__Host-" : "", port + 1);
    return true;
}

/* Is everybody who can reach the server asked who they are, without telling it to others? */
static bool
check_login(const struct serve *serve, struct err *err)
{
    const struct serve_options *options = &serve->options;
    bool is_local = web_server_is_local(serve->web);

    switch (options->login) {
    case SERVE_TOKEN:
        if (is_local)
            return true;
        (void)err_set(err, ERR_REFUSED, "", "the server would be open to everybody who reaches %s", options->address);
        return err_hint(err, "Listen on 127.0.0.1, or use --login password with TLS or a proxy, or --login proxy.");
    case SERVE_PASSWORD:
        if (is_local || options->certificate != NULL || serve->proxy_count > 0)
            return true;
        (void)err_set(err, ERR_REFUSED, "", "passwords would come to %s without encryption", options->address);
        return err_hint(err, "Use --tls-certificate and --tls-key, or name the proxy that has them with --proxy.");
    case SERVE_PROXY:
        if (serve->proxy_count > 0)
            return true;
        (void)err_set(err, ERR_REFUSED, "", "everybody who reaches %s could say who they are", options->address);
        return err_hint(err, "Name the addresses of the proxy with --proxy.");
    }
    return false;
}

static bool
begin(struct serve *serve, struct err *err)
{
    struct web_options web = {
        .address = serve->options.address,
        .answer = route_request,
        .cookie = serve,
        .most_visitors = BOUND_VIEWERS,
        .most_of_peer = BOUND_VIEWERS_OF_PEER,
        .most_body_bytes = BOUND_FORM_BYTES,
        .most_body = route_most_body,
        .certificate = serve->options.certificate,
        .key = serve->options.key,
    };

    if (!db_once_check(serve->options.conninfo, err) || !read_proxies(serve, err))
        return false;
    if (serve->options.base_url != NULL && !web_base_read(&serve->base, serve->options.base_url, err))
        return err_hint(err, "--base-url is the address that viewers use: https://ops.example.com/reeve");
    serve->web = web_server_new(serve->loop, &web, err);
    if (serve->web == NULL || !check_login(serve, err) || !learn_hosts(serve, err))
        return false;
    if (serve->options.base_url != NULL)
        serve->url = must_format("%s%s", serve->base.origin, serve->base.prefix);
    else
        serve->url = must_format("%s://%s", web.certificate == NULL ? "http" : "https", web_server_address(serve->web));
    return true;
}

struct serve *
serve_new(struct loop *loop, const struct serve_options *options, struct err *err)
{
    struct serve *serve = must_alloc(sizeof(*serve));

    serve->options = *options;
    serve->loop = loop;
    list_init(&serve->calls);
    serve->desks = desks_new(loop, options->conninfo, options->is_read_only);
    serve->sessions = sessions_new(options->session_ms);
    serve->attempts = attempts_new();
    serve->cache = cache_new();
    serve->timer = timer_new(loop, on_timer, serve);
    if (!begin(serve, err)) {
        serve_stop(serve);
        serve_free(serve);
        return NULL;
    }
    timer_start(serve->timer, BOUND_SERVE_TICK_MS);
    probe(serve);
    if (options->login == SERVE_TOKEN)
        login_new_secret(serve);
    else if (options->on_address != NULL)
        options->on_address(serve->url);
    return serve;
}

const char *
serve_address(const struct serve *serve)
{
    return web_server_address(serve->web);
}

void
serve_measure(const struct serve *serve, struct serve_figures *ret_figures)
{
    *ret_figures = (struct serve_figures){
        .questions = desks_asked(serve->desks), .sessions = sessions_count(serve->sessions), .waiting = serve->call_count};
    for (int digit = 0; digit < (int)LENGTH(ret_figures->answers); digit++)
        ret_figures->answers[digit] = web_server_answers(serve->web, digit);
}

void
serve_stop(struct serve *serve)
{
    serve->is_ending = true;
    calls_sweep(serve);
    desks_stop(serve->desks);
    timer_close(serve->timer);
    serve->timer = NULL;
    web_server_free(serve->web);
    serve->web = NULL;
}

void
serve_free(struct serve *serve)
{
    if (serve == NULL)
        return;
    desks_free(serve->desks);
    cache_free(serve->cache);
    attempts_free(serve->attempts);
    sessions_free(serve->sessions);
    for (int i = 0; i < serve->host_count; i++)
        free((void *)(uintptr_t)serve->hosts[i]);
    explicit_bzero(serve->secret, sizeof(serve->secret));
    free(serve->url);
    free(serve);
}
