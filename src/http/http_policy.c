#include "http/http_policy.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <curl/curl.h>
#include <ifaddrs.h>
#include <net/if.h>

#include "base/parse.h"

struct network {
    int family;
    unsigned char bytes[16];
    int bits;
};

struct http_policy {
    char *http_hosts;
    char *hosts;
    char *ports;
    struct network networks[BOUND_NETWORKS];
    int network_count;
    bool is_development;
};

/* Addresses that are not public, or that belong to more than one peer. */
static const char *const denied[] = {
    "0.0.0.0/8",       /* this network, unspecified */
    "10.0.0.0/8",      /* private */
    "100.64.0.0/10",   /* carrier NAT, platforms */
    "127.0.0.0/8",     /* loopback */
    "168.63.129.16",   /* platform of Azure, in a public network */
    "169.254.0.0/16",  /* link-local, metadata services */
    "172.16.0.0/12",   /* private */
    "192.0.0.0/24",    /* protocol assignments */
    "192.0.2.0/24",    /* documentation */
    "192.88.99.0/24",  /* 6to4 relays */
    "192.168.0.0/16",  /* private */
    "198.18.0.0/15",   /* benchmarks */
    "198.51.100.0/24", /* documentation */
    "203.0.113.0/24",  /* documentation */
    "224.0.0.0/4",     /* multicast */
    "240.0.0.0/4",     /* reserved, broadcast */
    "::/3",            /* unspecified, loopback, mapped, NAT64 */
    "2001::/23",       /* protocol assignments, Teredo */
    "2001:db8::/32",   /* documentation */
    "2002::/16",       /* 6to4 */
    "3fff::/20",       /* documentation */
    "4000::/2",        /* not assigned */
    "8000::/1",        /* not assigned, private, link-local, multicast */
};

static bool
read_network(const char *text, struct network *network)
{
    char address[64];
    const char *slash = strchr(text, '/');
    size_t length = slash == NULL ? strlen(text) : (size_t)(slash - text);
    int64_t bits;

    if (length >= sizeof(address))
        return false;
    (void)snprintf(address, sizeof(address), "%.*s", (int)length, text);
    network->family = strchr(address, ':') == NULL ? AF_INET : AF_INET6;
    if (inet_pton(network->family, address, network->bytes) != 1)
        return false;
    network->bits = network->family == AF_INET ? 32 : 128;
    if (slash == NULL)
        return true;
    if (!parse_int(slash + 1, 0, network->bits, &bits, NULL))
        return false;
    network->bits = (int)bits;
    return true;
}

static bool
contains(const struct network *network, int family, const unsigned char *bytes)
{
    if (network->family != family)
        return false;
    for (int bit = 0; bit < network->bits; bit++) {
        if (((network->bytes[bit / 8] ^ bytes[bit / 8]) >> (7 - bit % 8) & 1) != 0)
            return false;
    }
    return true;
}

static char *
copy_list(const char *list)
{
    char *copy = must_strdup(list == NULL ? "" : list);

    for (char *c = copy; *c != '\0'; c++)
        *c = (char)tolower((unsigned char)*c);
    return copy;
}

/* Is `word` an item of a list that is separated by commas and perhaps spaces? */
static bool
lists(const char *list, const char *word)
{
    size_t length = strlen(word);

    for (const char *item = list; *item != '\0';) {
        size_t size;

        item += strspn(item, ", ");
        size = strcspn(item, ", ");
        if (size == length && strncmp(item, word, length) == 0)
            return true;
        item += size;
    }
    return false;
}

static bool
read_networks(struct http_policy *policy, const char *list, struct err *err)
{
    for (const char *item = list == NULL ? "" : list; *item != '\0';) {
        char word[64];
        size_t size;

        item += strspn(item, ", ");
        size = strcspn(item, ", ");
        if (size == 0)
            break;
        (void)snprintf(word, sizeof(word), "%.*s", (int)(size < 63 ? size : 63), item);
        if (policy->network_count == BOUND_NETWORKS)
            return err_set(err, ERR_LIMIT, "", "more than %d networks", BOUND_NETWORKS);
        if (!read_network(word, &policy->networks[policy->network_count]))
            return err_set(err, ERR_REFUSED, "", "\"%s\" is not a network such as 10.1.0.0/16", word);
        policy->network_count++;
        item += size;
    }
    return true;
}

static bool
check_ports(const char *list, struct err *err)
{
    for (const char *item = list; *item != '\0';) {
        char word[16];
        size_t size;
        int64_t port;

        item += strspn(item, ", ");
        size = strcspn(item, ", ");
        if (size == 0)
            break;
        (void)snprintf(word, sizeof(word), "%.*s", (int)(size < 15 ? size : 15), item);
        if (!parse_int(word, 1, 65535, &port, NULL))
            return err_set(err, ERR_REFUSED, "", "\"%s\" is not a port", word);
        item += size;
    }
    return true;
}

bool
http_policy_new(const struct http_policy_options *options, struct http_policy **ret_policy, struct err *err)
{
    struct http_policy *policy = must_alloc(sizeof(*policy));

    policy->http_hosts = copy_list(options->allow_http_hosts);
    policy->hosts = copy_list(options->allow_hosts);
    policy->ports = copy_list(options->allow_ports);
    policy->is_development = options->is_development;
    if (!read_networks(policy, options->allow_networks, err) || !check_ports(policy->ports, err)) {
        http_policy_free(policy);
        return false;
    }
    *ret_policy = policy;
    return true;
}

void
http_policy_free(struct http_policy *policy)
{
    if (policy == NULL)
        return;
    free(policy->http_hosts);
    free(policy->hosts);
    free(policy->ports);
    free(policy);
}

static bool
is_loopback_name(const struct http_target *target)
{
    return strcmp(target->host, "localhost") == 0 || strcmp(target->host, "::1") == 0
           || (target->is_numeric && strncmp(target->host, "127.", 4) == 0);
}

/* Is the host in the administrator's list, with or without its port?  An IPv6 address needs brackets before a port, and may
 * have them without one. */
static bool
is_allowed_host(const struct http_policy *policy, const struct http_target *target)
{
    bool is_v6 = strchr(target->host, ':') != NULL;
    char host[300];
    char with_port[310];

    (void)snprintf(host, sizeof(host), "%s%s%s", is_v6 ? "[" : "", target->host, is_v6 ? "]" : "");
    (void)snprintf(with_port, sizeof(with_port), "%s:%d", host, target->port);
    return lists(policy->hosts, target->host) || lists(policy->hosts, host) || lists(policy->hosts, with_port);
}

static bool
has_name_form(const char *host)
{
    size_t length = strlen(host);

    if (length == 0 || length > 253 || host[0] == '.' || host[0] == '-')
        return false;
    for (const char *c = host; *c != '\0'; c++) {
        if (!isalnum((unsigned char)*c) && strchr("-._", *c) == NULL)
            return false;
    }
    return true;
}

/* Reads scheme, host and port with the library that will send the request, so that both read the URL in the same way. */
static bool
read_parts(const char *url, struct http_target *target, bool *ret_has_user, struct err *err)
{
    CURLU *parts = curl_url();
    char *scheme = NULL;
    char *host = NULL;
    char *port = NULL;
    char *user = NULL;
    bool ok = parts != NULL && curl_url_set(parts, CURLUPART_URL, url, CURLU_NON_SUPPORT_SCHEME) == CURLUE_OK
              && curl_url_get(parts, CURLUPART_SCHEME, &scheme, 0) == CURLUE_OK
              && curl_url_get(parts, CURLUPART_HOST, &host, 0) == CURLUE_OK
              && curl_url_get(parts, CURLUPART_PORT, &port, CURLU_DEFAULT_PORT) == CURLUE_OK;

    if (ok) {
        size_t length = strlen(host);
        bool has_brackets = host[0] == '[' && length > 2;

        *target = (struct http_target){.port = (int)strtol(port, NULL, 10),
            .is_tls = strcmp(scheme, "https") == 0 || strcmp(scheme, "smtps") == 0,
            .is_smtp = strncmp(scheme, "smtp", 4) == 0};
        (void)snprintf(target->host, sizeof(target->host), "%.*s", (int)(has_brackets ? length - 2 : length),
            has_brackets ? host + 1 : host);
        for (char *c = target->host; *c != '\0'; c++)
            *c = (char)tolower((unsigned char)*c);
        target->is_numeric = has_brackets || inet_pton(AF_INET, target->host, (unsigned char[4]){0}) == 1;
        *ret_has_user = curl_url_get(parts, CURLUPART_USER, &user, 0) == CURLUE_OK;
        ok = length < sizeof(target->host) && (target->is_numeric || has_name_form(target->host))
             && (strcmp(scheme, "http") == 0 || target->is_tls || target->is_smtp);
    }
    if (!ok)
        (void)err_set(err, ERR_REFUSED, "", "outbound request refused: not a URL of a scheme that is allowed");
    curl_free(scheme);
    curl_free(host);
    curl_free(port);
    curl_free(user);
    curl_url_cleanup(parts);
    return ok;
}

bool
http_url_host(const char *url, char *ret_host, size_t size)
{
    struct http_target target;
    bool has_user;

    if (!read_parts(url, &target, &has_user, NULL) || target.is_smtp)
        return false;
    (void)snprintf(ret_host, size, "%s", target.host);
    return true;
}

bool
http_url_is_loopback(const char *url)
{
    struct http_target target;
    bool has_user;

    return read_parts(url, &target, &has_user, NULL) && is_loopback_name(&target);
}

static bool
is_usual_port(const struct http_target *target)
{
    static const int http_ports[] = {80, 443, 8443};
    static const int smtp_ports[] = {25, 465, 587, 2525};
    const int *ports = target->is_smtp ? smtp_ports : http_ports;
    size_t count = target->is_smtp ? LENGTH(smtp_ports) : LENGTH(http_ports);

    for (size_t i = 0; i < count; i++) {
        if (ports[i] == target->port)
            return true;
    }
    return false;
}

bool
http_policy_read(
    const struct http_policy *policy, const char *url, bool is_trusted, struct http_target *ret_target, struct err *err)
{
    struct http_target target;
    bool has_user;
    char port[8];

    if (!read_parts(url, &target, &has_user, err))
        return false;
    target.is_trusted = is_trusted;
    (void)snprintf(port, sizeof(port), "%d", target.port);
    if (!is_trusted && !is_allowed_host(policy, &target) && !(policy->is_development && is_loopback_name(&target))) {
        if (has_user)
            return err_set(err, ERR_REFUSED, "", "outbound request refused: user name in the url of \"%s\"", target.host);
        if (!target.is_tls && !target.is_smtp && !lists(policy->http_hosts, "*") && !lists(policy->http_hosts, target.host))
            return err_set(
                err, ERR_REFUSED, "", "outbound request refused: plain http to \"%s\" (REEVE_ALLOW_HTTP_HOSTS)", target.host);
        if (!is_usual_port(&target) && !lists(policy->ports, port))
            return err_set(err, ERR_REFUSED, "", "outbound request refused: port %d (REEVE_ALLOW_PORTS)", target.port);
    } else if (has_user && !is_trusted) {
        return err_set(err, ERR_REFUSED, "", "outbound request refused: user name in the url of \"%s\"", target.host);
    }
    *ret_target = target;
    return true;
}

/* Is this one of this machine's own addresses?  Services that listen there are not meant for strangers. */
static bool
is_own(int family, const unsigned char *bytes)
{
    struct ifaddrs *list = NULL;
    bool found = false;

    if (getifaddrs(&list) != 0)
        return true;
    for (const struct ifaddrs *a = list; a != NULL && !found; a = a->ifa_next) {
        if (a->ifa_addr == NULL || a->ifa_addr->sa_family != family)
            continue;
        if (family == AF_INET) {
            struct sockaddr_in own;

            memcpy(&own, a->ifa_addr, sizeof(own));
            found = memcmp(&own.sin_addr, bytes, 4) == 0;
        } else {
            struct sockaddr_in6 own;

            memcpy(&own, a->ifa_addr, sizeof(own));
            found = memcmp(&own.sin6_addr, bytes, 16) == 0;
        }
    }
    freeifaddrs(list);
    return found;
}

static bool
is_public(int family, const unsigned char *bytes)
{
    for (size_t i = 0; i < LENGTH(denied); i++) {
        struct network network = {0};

        if (read_network(denied[i], &network) && contains(&network, family, bytes))
            return false;
    }
    return !is_own(family, bytes);
}

bool
http_policy_admits(const struct http_policy *policy, const struct http_target *target, const char *address, struct err *err)
{
    unsigned char bytes[16] = {0};
    int family = strchr(address, ':') == NULL ? AF_INET : AF_INET6;
    char plain[64];

    /* A zone is not part of the address. */
    (void)snprintf(plain, sizeof(plain), "%.*s", (int)strcspn(address, "%"), address);
    if (target->is_trusted || is_allowed_host(policy, target))
        return true;
    if (inet_pton(family, plain, bytes) == 1) {
        bool is_loopback = family == AF_INET ? bytes[0] == 127 : memcmp(bytes, &in6addr_loopback, 16) == 0;

        if (policy->is_development && is_loopback && is_loopback_name(target))
            return true;
        for (int i = 0; i < policy->network_count; i++) {
            if (contains(&policy->networks[i], family, bytes))
                return true;
        }
        if (is_public(family, bytes))
            return true;
    }
    return err_set(
        err, ERR_REFUSED, "", "outbound request refused: address of \"%s\" is not public (REEVE_ALLOW_NETWORKS)", target->host);
}
