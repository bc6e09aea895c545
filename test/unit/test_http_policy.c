/* Where we may connect to: the text of a URL, then every address. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <netdb.h>
#include <netinet/in.h>

#include <cmocka.h>

#include "http/http_policy.h"

/* The addresses of this machine, as the policy sees them: these two stand in for libc's. */
static struct sockaddr_in own_v4 = {.sin_family = AF_INET};
static struct sockaddr_in6 own_v6 = {.sin6_family = AF_INET6};
static struct ifaddrs own[2];
static bool has_own = true;

int
getifaddrs(struct ifaddrs **ret_list)
{
    if (!has_own)
        return -1;
    (void)inet_pton(AF_INET, "9.9.9.9", &own_v4.sin_addr);
    (void)inet_pton(AF_INET6, "2620:fe::9", &own_v6.sin6_addr);
    own[0] = (struct ifaddrs){.ifa_next = &own[1], .ifa_addr = (struct sockaddr *)&own_v4};
    own[1] = (struct ifaddrs){.ifa_addr = (struct sockaddr *)&own_v6};
    *ret_list = own;
    return 0;
}

void
freeifaddrs(struct ifaddrs *list)
{
    assert_ptr_equal(list, own);
}

static struct http_policy *
policy_of(struct http_policy_options options)
{
    struct http_policy *policy = NULL;
    struct err err;

    assert_true(http_policy_new(&options, &policy, &err));
    return policy;
}

/* Is this address admitted for a name that says nothing about it? */
static bool
admits(const struct http_policy *policy, const char *address)
{
    const struct http_target target = {.host = "hook.example.com", .port = 443, .is_tls = true};

    return http_policy_admits(policy, &target, address, NULL);
}

/* Would a URL, or any address that its host stands for without asking a name server, be called? */
static bool
calls(const struct http_policy *policy, const char *url)
{
    const struct addrinfo wish = {.ai_flags = AI_NUMERICHOST, .ai_socktype = SOCK_STREAM};
    struct addrinfo *list = NULL;
    struct http_target target;
    bool ok = true;

    if (!http_policy_read(policy, url, false, &target, NULL))
        return false;
    if (target.is_numeric)
        return http_policy_admits(policy, &target, target.host, NULL);
    if (getaddrinfo(target.host, NULL, &wish, &list) != 0)
        return true; /* A name: its addresses are judged when they are known. */
    for (const struct addrinfo *a = list; a != NULL && ok; a = a->ai_next) {
        char text[NI_MAXHOST];

        assert_int_equal(getnameinfo(a->ai_addr, a->ai_addrlen, text, sizeof(text), NULL, 0, NI_NUMERICHOST), 0);
        ok = http_policy_admits(policy, &target, text, NULL);
    }
    freeaddrinfo(list);
    return ok;
}

static void
assert_refused(const struct http_policy *policy, const char *url, const char *message)
{
    struct http_target target;
    struct err err = {0};

    assert_false(http_policy_read(policy, url, false, &target, &err));
    assert_int_equal(err.kind, ERR_REFUSED);
    assert_string_equal(err.message, message);
}

static void
test_policy_denies_every_range_of_ipv4_that_is_not_public_and_nothing_beside_it(void **state)
{
    static const struct {
        const char *before; /* NULL: what lies there is denied too */
        const char *first;
        const char *last;
        const char *after;
    } ranges[] = {
        {NULL, "0.0.0.0", "0.255.255.255", "1.0.0.0"},
        {"9.255.255.255", "10.0.0.0", "10.255.255.255", "11.0.0.0"},
        {"100.63.255.255", "100.64.0.0", "100.127.255.255", "100.128.0.0"},
        {"126.255.255.255", "127.0.0.0", "127.255.255.255", "128.0.0.0"},
        {"168.63.129.15", "168.63.129.16", "168.63.129.16", "168.63.129.17"},
        {"169.253.255.255", "169.254.0.0", "169.254.255.255", "169.255.0.0"},
        {"172.15.255.255", "172.16.0.0", "172.31.255.255", "172.32.0.0"},
        {"191.255.255.255", "192.0.0.0", "192.0.0.255", "192.0.1.0"},
        {"192.0.1.255", "192.0.2.0", "192.0.2.255", "192.0.3.0"},
        {"192.88.98.255", "192.88.99.0", "192.88.99.255", "192.88.100.0"},
        {"192.167.255.255", "192.168.0.0", "192.168.255.255", "192.169.0.0"},
        {"198.17.255.255", "198.18.0.0", "198.19.255.255", "198.20.0.0"},
        {"198.51.99.255", "198.51.100.0", "198.51.100.255", "198.51.101.0"},
        {"203.0.112.255", "203.0.113.0", "203.0.113.255", "203.0.114.0"},
        {"223.255.255.255", "224.0.0.0", "239.255.255.255", NULL},
        {NULL, "240.0.0.0", "255.255.255.255", NULL},
    };
    struct http_policy *policy = policy_of((struct http_policy_options){0});

    (void)state;
    for (size_t i = 0; i < LENGTH(ranges); i++) {
        assert_false(admits(policy, ranges[i].first));
        assert_false(admits(policy, ranges[i].last));
        assert_true(ranges[i].before == NULL || admits(policy, ranges[i].before));
        assert_true(ranges[i].after == NULL || admits(policy, ranges[i].after));
    }
    assert_false(admits(policy, "127.0.0.1"));
    assert_false(admits(policy, "169.254.169.254"));
    http_policy_free(policy);
}

static void
test_policy_admits_of_ipv6_only_what_is_global_and_assigned(void **state)
{
    static const char *const denied[] = {"::", "::1", "::2", "::7f00:1", "::8.8.8.8", "::ffff:8.8.8.8", "::ffff:127.0.0.1",
        "::ffff:7f00:1", "::ffff:0:8.8.8.8", "64:ff9b::8.8.8.8", "64:ff9b::7f00:1", "64:ff9b:1::1", "100::1",
        "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2001::1", "2001:0:53aa:64c:0:1234:5678:9abc", "2001:2::1", "2001:10::1",
        "2001:20::1", "2001:1ff:ffff::", "2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "2002::", "2002:7f00:1::1",
        "2002:808:808::1", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff::", "3fff:fff:ffff::", "4000::", "5f00::1",
        "8000::", "c000::", "fc00::1", "fd00:ec2::254", "fe80::1", "fe80::1%eth0", "fe80::1%2", "febf::1", "fec0::1", "ff02::1",
        "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"};
    static const char *const admitted[] = {"2000::", "2001:200::", "2001:db7:ffff::", "2001:db9::", "2001:4860:4860::8888",
        "2001:ffff::", "2003::", "2606:4700::1111", "3ffe:ffff::", "3fff:1000::", "2a00::1%eth0"};
    struct http_policy *policy = policy_of((struct http_policy_options){0});

    (void)state;
    for (size_t i = 0; i < LENGTH(denied); i++)
        assert_false(admits(policy, denied[i]));
    for (size_t i = 0; i < LENGTH(admitted); i++)
        assert_true(admits(policy, admitted[i]));
    http_policy_free(policy);
}

/* AWS, ECS and EKS; Azure; Google; Oracle; Alibaba; Tencent; OpenStack and the rest; Scaleway. */
static void
test_policy_denies_where_platforms_keep_credentials(void **state)
{
    static const char *const denied[] = {"169.254.169.254", "fd00:ec2::254", "169.254.170.2", "169.254.170.23", "fd00:ec2::23",
        "168.63.129.16", "169.254.169.252", "fd20:ce::254", "192.0.0.192", "100.100.100.200", "169.254.0.23", "169.254.42.42",
        "fd00:42::42", "fe80::a9fe:a9fe", "::ffff:168.63.129.16", "2002:a83f:8110::1", "64:ff9b::168.63.129.16"};
    struct http_policy *policy = policy_of((struct http_policy_options){0});

    (void)state;
    for (size_t i = 0; i < LENGTH(denied); i++)
        assert_false(admits(policy, denied[i]));
    assert_false(calls(policy, "https://2822734096/")); /* 168.63.129.16 as a number */
    http_policy_free(policy);
}

static void
test_policy_denies_what_is_no_address(void **state)
{
    static const char *const texts[] = {"", "localhost", "8.8.8", "8.8.8.8.8", "8.8.8.8 ", "0x8.8.8.8", ":", "::1::", "%eth0",
        "2001:4860:4860:0:0:0:0:0:8888", "88888888888888888888888888888888888888888888888888888888888888888888.8"};
    struct http_policy *policy = policy_of((struct http_policy_options){0});

    (void)state;
    for (size_t i = 0; i < LENGTH(texts); i++)
        assert_false(admits(policy, texts[i]));
    http_policy_free(policy);
}

static void
test_policy_denies_the_addresses_of_this_machine(void **state)
{
    struct http_policy *policy = policy_of((struct http_policy_options){0});

    (void)state;
    assert_false(admits(policy, "9.9.9.9"));
    assert_false(admits(policy, "2620:fe::9"));
    assert_true(admits(policy, "9.9.9.10"));
    has_own = false; /* Nobody can say: then nothing is admitted. */
    assert_false(admits(policy, "9.9.9.10"));
    has_own = true;
    http_policy_free(policy);
}

static void
test_policy_is_not_fooled_by_odd_spellings_of_an_address(void **state)
{
    static const char *const urls[] = {"https://127.0.0.1/", "https://127.1/", "https://127.0.1/", "https://2130706433/",
        "https://0x7f000001/", "https://0x7f.0x0.0x0.0x1/", "https://0X7F.1/", "https://0177.0.0.1/", "https://017700000001/",
        "https://00000177.1/", "https://127.0.0.0x1/", "https://%31%32%37.0.0.1/", "https://%30x7f.1/", "https://0/",
        "https://0x0/", "https://[::1]/", "https://[0:0:0:0:0:0:0:1]/", "https://[::]/", "https://[::ffff:127.0.0.1]/",
        "https://[::ffff:7f00:1]/", "https://[0:0:0:0:0:ffff:7f00:0001]/", "https://[64:ff9b::7f00:1]/",
        "https://[2002:7f00:1::]/", "https://[2001:0:7f00:1::]/", "https://[fe80::1%25eth0]/", "https://[fe80::1%eth0]/",
        "https://[::1%25lo]/", "https://169.254.169.254/latest/meta-data", "https://2852039166/", "https://0xa9fea9fe/",
        "https://0251.0376.0251.0376/", "https://10.0.0.1/", "https://167772161/", "https://example.com@127.0.0.1/",
        "https://127.0.0.1#@example.com/", "https://127.0.0.1?@example.com/", "https://127.0.0.1/@example.com",
        "https://example.com\\@127.0.0.1/", "https://\xef\xbc\x91\xef\xbc\x92\xef\xbc\x97.0.0.1/"};
    struct http_policy *policy = policy_of((struct http_policy_options){0});

    (void)state;
    for (size_t i = 0; i < LENGTH(urls); i++)
        assert_false(calls(policy, urls[i]));
    assert_true(calls(policy, "https://8.8.8.8/"));
    assert_true(calls(policy, "https://134744072/")); /* the same */
    assert_true(calls(policy, "https://[2001:4860:4860::8888]/"));
    http_policy_free(policy);
}

static void
test_policy_reads_host_port_and_kind(void **state)
{
    struct http_policy *policy = policy_of((struct http_policy_options){0});
    struct http_target target;

    (void)state;
    assert_true(http_policy_read(policy, "HTTPS://Hook.EXAMPLE.com/a?b#c", false, &target, NULL));
    assert_string_equal(target.host, "hook.example.com");
    assert_int_equal(target.port, 443);
    assert_true(target.is_tls);
    assert_false(target.is_numeric || target.is_smtp || target.is_trusted);
    assert_true(http_policy_read(policy, "https://[2001:4860:4860:0:0:0:0:8888]:8443/", false, &target, NULL));
    assert_string_equal(target.host, "2001:4860:4860::8888");
    assert_int_equal(target.port, 8443);
    assert_true(target.is_numeric);
    assert_true(http_policy_read(policy, "smtps://mail.example.com", true, &target, NULL));
    assert_int_equal(target.port, 465);
    assert_true(target.is_smtp && target.is_tls && target.is_trusted);
    assert_true(http_policy_read(policy, "smtp://u:p@mail.example.com:2525", true, &target, NULL));
    assert_int_equal(target.port, 2525);
    assert_true(target.is_smtp && !target.is_tls);
    http_policy_free(policy);
}

static void
test_policy_refuses_other_schemes_and_hosts_of_no_form_even_when_trusted(void **state)
{
    static const char *const urls[] = {"", "example.com", "//example.com/", "https:example.com", "https://", "file:///etc/passwd",
        "ftp://example.com/", "gopher://example.com/", "dict://example.com/", "ldap://example.com/", "javascript:alert(1)",
        "httpsx://example.com/", "https://exa mple.com/", "https://example.com%00.org/", "https://-x.example.com/",
        "https://.example.com/", "https://b\303\274cher.example/", "https://example.com:65536/", "https://example.com:x/",
        "https://[::1/", "https://[::1]x/", "https://[g::1]/", "https://exam\nple.com/", "https://a..b*c/"};
    struct http_policy *policy = policy_of((struct http_policy_options){0});
    char host[300] = "https://";
    struct http_target target;

    (void)state;
    for (size_t i = 0; i < LENGTH(urls); i++) {
        assert_false(http_policy_read(policy, urls[i], false, &target, NULL));
        assert_false(http_policy_read(policy, urls[i], true, &target, NULL));
    }
    memset(host + 8, 'a', 254);
    assert_false(http_policy_read(policy, host, true, &target, NULL));
    host[8 + 253] = '\0';
    assert_true(http_policy_read(policy, host, true, &target, NULL));
    assert_refused(policy, "file:///etc/passwd", "outbound request refused: not a URL of a scheme that is allowed");
    http_policy_free(policy);
}

static void
test_policy_refusals_name_the_setting_that_would_allow_it(void **state)
{
    struct http_policy *policy = policy_of((struct http_policy_options){0});
    const struct http_target target = {.host = "hook.example.com"};
    struct err err;

    (void)state;
    assert_refused(
        policy, "http://example.com/", "outbound request refused: plain http to \"example.com\" (REEVE_ALLOW_HTTP_HOSTS)");
    assert_refused(policy, "https://example.com:3000/", "outbound request refused: port 3000 (REEVE_ALLOW_PORTS)");
    assert_refused(policy, "https://example.com:0/", "outbound request refused: port 0 (REEVE_ALLOW_PORTS)");
    assert_refused(policy, "https://example.com:25/", "outbound request refused: port 25 (REEVE_ALLOW_PORTS)");
    assert_false(http_policy_admits(policy, &target, "10.0.0.1", &err));
    assert_string_equal(
        err.message, "outbound request refused: address of \"hook.example.com\" is not public (REEVE_ALLOW_NETWORKS)");
    http_policy_free(policy);
}

static void
test_policy_refuses_credentials_in_a_url_unless_it_is_trusted(void **state)
{
    static const char *const urls[] = {"https://user@example.com/", "https://user:pass@example.com/",
        "https://:pass@example.com/", "https://@example.com/", "https://user:@example.com/", "https://u%40x@example.com/"};
    struct http_policy *policy = policy_of((struct http_policy_options){.allow_http_hosts = "*"});
    struct http_policy *open = policy_of((struct http_policy_options){.allow_hosts = "example.com", .is_development = true});
    struct http_target target;

    (void)state;
    for (size_t i = 0; i < LENGTH(urls); i++) {
        assert_refused(policy, urls[i], "outbound request refused: user name in the url of \"example.com\"");
        assert_refused(open, urls[i], "outbound request refused: user name in the url of \"example.com\"");
        assert_true(http_policy_read(policy, urls[i], true, &target, NULL));
    }
    assert_refused(open, "http://user@localhost:3000/", "outbound request refused: user name in the url of \"localhost\"");
    http_policy_free(policy);
    http_policy_free(open);
}

static void
test_policy_plain_http_goes_to_listed_hosts_only(void **state)
{
    struct http_policy *policy = policy_of((struct http_policy_options){.allow_http_hosts = "Hooks.example.com, b.example"});
    struct http_policy *any = policy_of((struct http_policy_options){.allow_http_hosts = "*"});

    (void)state;
    assert_true(calls(policy, "http://hooks.example.com/"));
    assert_true(calls(policy, "http://B.Example:443/"));
    assert_false(calls(policy, "http://c.example/"));
    assert_false(calls(policy, "http://x.hooks.example.com/"));
    assert_false(calls(policy, "http://hooks.example.com:81/")); /* the port is another question */
    assert_true(calls(any, "http://c.example/"));
    assert_false(calls(any, "http://127.0.0.1/")); /* and so is the address */
    http_policy_free(policy);
    http_policy_free(any);
}

static void
test_policy_ports_are_the_usual_ones_and_those_listed(void **state)
{
    struct http_policy *policy = policy_of((struct http_policy_options){.allow_ports = "3000, 9000"});

    (void)state;
    assert_true(calls(policy, "https://example.com/"));
    assert_true(calls(policy, "https://example.com:80/"));
    assert_true(calls(policy, "https://example.com:8443/"));
    assert_true(calls(policy, "https://example.com:3000/"));
    assert_true(calls(policy, "https://example.com:9000/"));
    assert_false(calls(policy, "https://example.com:900/"));
    assert_false(calls(policy, "https://example.com:30000/"));
    assert_false(calls(policy, "https://example.com:22/"));
    http_policy_free(policy);
}

static void
test_policy_networks_are_exceptions_to_the_address_alone(void **state)
{
    struct http_policy *policy = policy_of(
        (struct http_policy_options){.allow_networks = "10.1.0.0/16,192.168.7.7 , fd00:1::/32,127.0.0.0/8"});

    (void)state;
    assert_true(admits(policy, "10.1.0.0"));
    assert_true(admits(policy, "10.1.255.255"));
    assert_false(admits(policy, "10.2.0.0"));
    assert_false(admits(policy, "10.0.255.255"));
    assert_true(admits(policy, "192.168.7.7"));
    assert_false(admits(policy, "192.168.7.8"));
    assert_true(admits(policy, "fd00:1::5"));
    assert_false(admits(policy, "fd00:2::5"));
    assert_false(admits(policy, "::ffff:10.1.0.1")); /* another form is another address */
    assert_true(calls(policy, "https://127.0.0.1/"));
    assert_false(calls(policy, "http://127.0.0.1/"));
    assert_false(calls(policy, "https://127.0.0.1:3000/"));
    http_policy_free(policy);
}

static void
test_policy_allowed_hosts_are_exempt_from_scheme_address_and_port(void **state)
{
    struct http_policy *policy = policy_of(
        (struct http_policy_options){.allow_hosts = "localhost:3000, Hooks.Internal,127.0.0.1:4000"});
    const struct http_target other = {.host = "localhost", .port = 3001};

    (void)state;
    assert_true(calls(policy, "http://localhost:3000/"));
    assert_false(calls(policy, "http://localhost:3001/"));
    assert_false(http_policy_admits(policy, &other, "127.0.0.1", NULL));
    assert_true(calls(policy, "http://hooks.internal:1234/"));
    assert_true(calls(policy, "http://127.0.0.1:4000/"));
    assert_false(calls(policy, "http://127.0.0.1:4001/"));
    assert_false(calls(policy, "http://evil.hooks.internal/"));
    http_policy_free(policy);
}

static void
test_policy_allowed_ipv6_hosts_are_written_with_brackets_before_a_port(void **state)
{
    struct http_policy *policy = policy_of((struct http_policy_options){.allow_hosts = "[::1]:3000,fd00::7,[fd00::8]"});

    (void)state;
    assert_true(calls(policy, "http://[::1]:3000/"));
    assert_false(calls(policy, "http://[::1]:3001/"));
    assert_false(calls(policy, "http://[::1:3000]/"));
    assert_true(calls(policy, "http://[fd00::7]:99/"));
    assert_true(calls(policy, "http://[fd00::8]:99/"));
    http_policy_free(policy);
    /* Without them a port cannot be told from the address: it is one. */
    policy = policy_of((struct http_policy_options){.allow_hosts = "::1:3000"});
    assert_false(calls(policy, "http://[::1]:3000/"));
    assert_true(calls(policy, "http://[::1:3000]/"));
    http_policy_free(policy);
}

static void
test_policy_trusted_targets_are_exempt(void **state)
{
    struct http_policy *policy = policy_of((struct http_policy_options){0});
    struct http_target target;

    (void)state;
    assert_true(http_policy_read(policy, "http://127.0.0.1:3000/", true, &target, NULL));
    assert_true(http_policy_admits(policy, &target, "127.0.0.1", NULL));
    assert_true(http_policy_admits(policy, &target, "10.0.0.1", NULL));
    http_policy_free(policy);
}

static void
test_policy_development_opens_loopback_and_nothing_else(void **state)
{
    struct http_policy *policy = policy_of((struct http_policy_options){.is_development = true});
    const struct http_target name = {.host = "localhost", .port = 3000};
    const struct http_target rebound = {.host = "evil.example", .port = 443, .is_tls = true};

    (void)state;
    assert_true(calls(policy, "http://127.0.0.1:3000/"));
    assert_true(calls(policy, "http://127.9.9.9/"));
    assert_true(calls(policy, "http://[::1]:3000/"));
    assert_true(http_policy_admits(policy, &name, "127.0.0.1", NULL));
    assert_true(http_policy_admits(policy, &name, "::1", NULL));
    assert_false(http_policy_admits(policy, &name, "10.0.0.1", NULL));
    assert_false(http_policy_admits(policy, &rebound, "127.0.0.1", NULL));
    assert_false(calls(policy, "http://10.0.0.1/"));
    assert_false(calls(policy, "http://example.com/"));
    assert_false(calls(policy, "https://127.example.com:3000/"));
    assert_false(calls(policy, "https://[::ffff:127.0.0.1]/"));
    http_policy_free(policy);
}

static void
test_policy_refuses_lists_that_cannot_be_read(void **state)
{
    static const char *const networks[] = {
        "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/x", "10.0.0/8", "ten", "::/129", "10.0.0.0/8;10.1.0.0/16", "10.0.0.0/-1"};
    static const char *const ports[] = {"0", "65536", "http", "80;81", "-1", "80-90"};
    struct http_policy *policy = NULL;
    char many[80 * 65] = "";
    size_t length = 0;
    struct err err;

    (void)state;
    for (size_t i = 0; i < LENGTH(networks); i++) {
        assert_false(http_policy_new(&(struct http_policy_options){.allow_networks = networks[i]}, &policy, &err));
        assert_non_null(strstr(err.message, "is not a network"));
    }
    for (size_t i = 0; i < LENGTH(ports); i++) {
        assert_false(http_policy_new(&(struct http_policy_options){.allow_ports = ports[i]}, &policy, &err));
        assert_non_null(strstr(err.message, "is not a port"));
    }
    for (int i = 0; i < 65; i++)
        length += (size_t)snprintf(many + length, sizeof(many) - length, "10.%d.0.0/16,", i);
    assert_false(http_policy_new(&(struct http_policy_options){.allow_networks = many}, &policy, &err));
    assert_int_equal(err.kind, ERR_LIMIT);
    http_policy_free(policy_of((struct http_policy_options){.allow_networks = " , ,", .allow_ports = ",", .allow_hosts = ""}));
    http_policy_free(NULL);
}

static void
test_policy_gives_the_host_of_http_urls_alone(void **state)
{
    char host[256];

    (void)state;
    assert_true(http_url_host("https://Store.Example.com:9000/b/k?sig=x", host, sizeof(host)));
    assert_string_equal(host, "store.example.com");
    assert_true(http_url_host("http://[::1]/", host, sizeof(host)));
    assert_string_equal(host, "::1");
    assert_false(http_url_host("smtp://mail.example.com/", host, sizeof(host)));
    assert_false(http_url_host("ftp://x.example/", host, sizeof(host)));
    assert_false(http_url_host("/b/k", host, sizeof(host)));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_policy_denies_every_range_of_ipv4_that_is_not_public_and_nothing_beside_it),
        cmocka_unit_test(test_policy_admits_of_ipv6_only_what_is_global_and_assigned),
        cmocka_unit_test(test_policy_denies_where_platforms_keep_credentials),
        cmocka_unit_test(test_policy_denies_what_is_no_address),
        cmocka_unit_test(test_policy_denies_the_addresses_of_this_machine),
        cmocka_unit_test(test_policy_is_not_fooled_by_odd_spellings_of_an_address),
        cmocka_unit_test(test_policy_reads_host_port_and_kind),
        cmocka_unit_test(test_policy_refuses_other_schemes_and_hosts_of_no_form_even_when_trusted),
        cmocka_unit_test(test_policy_refusals_name_the_setting_that_would_allow_it),
        cmocka_unit_test(test_policy_refuses_credentials_in_a_url_unless_it_is_trusted),
        cmocka_unit_test(test_policy_plain_http_goes_to_listed_hosts_only),
        cmocka_unit_test(test_policy_ports_are_the_usual_ones_and_those_listed),
        cmocka_unit_test(test_policy_networks_are_exceptions_to_the_address_alone),
        cmocka_unit_test(test_policy_allowed_hosts_are_exempt_from_scheme_address_and_port),
        cmocka_unit_test(test_policy_allowed_ipv6_hosts_are_written_with_brackets_before_a_port),
        cmocka_unit_test(test_policy_trusted_targets_are_exempt),
        cmocka_unit_test(test_policy_development_opens_loopback_and_nothing_else),
        cmocka_unit_test(test_policy_refuses_lists_that_cannot_be_read),
        cmocka_unit_test(test_policy_gives_the_host_of_http_urls_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
