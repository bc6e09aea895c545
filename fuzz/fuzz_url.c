/* URLs and addresses under the outbound policy. */
#include <arpa/inet.h>
#include <ctype.h>

#include "fuzz.h"
#include "http/http_policy.h"

/* A second, independent implementation: addresses that no task may reach by default. */
static bool
is_inner(const char *address)
{
    unsigned char b[16];

    if (inet_pton(AF_INET, address, b) == 1)
        return b[0] == 0 || b[0] == 10 || b[0] == 127 || (b[0] == 169 && b[1] == 254) || (b[0] == 172 && (b[1] & 0xf0) == 16)
               || (b[0] == 192 && b[1] == 168) || (b[0] == 100 && (b[1] & 0xc0) == 64) || b[0] >= 224
               || memcmp(b, "\xa8\x3f\x81\x10", 4) == 0;
    if (inet_pton(AF_INET6, address, b) == 1)
        return (b[0] & 0xe0) != 0x20 || (b[0] == 0x20 && b[1] == 0x02);
    return true;
}

static void
read_url(const struct http_policy *policy, const char *url)
{
    struct http_target target;
    struct http_target again;
    struct err err = {0};
    char host[300];

    (void)!http_url_is_loopback(url);
    if (http_url_host(url, host, sizeof(host))) {
        for (const char *c = host; *c != '\0'; c++)
            fuzz_check(!isupper((unsigned char)*c) && (unsigned char)*c > ' ');
    }
    if (!http_policy_read(policy, url, false, &target, &err)) {
        fuzz_check(err.message[0] != '\0');
        return;
    }
    fuzz_check(http_policy_read(policy, url, false, &again, NULL) && memcmp(&target, &again, sizeof(target)) == 0);
    fuzz_check(target.is_tls || target.is_smtp);
    fuzz_check(target.is_smtp || target.port == 80 || target.port == 443 || target.port == 8443);
    fuzz_check(target.host[0] != '\0');
    if (target.is_numeric && http_policy_admits(policy, &target, target.host, NULL))
        fuzz_check(!is_inner(target.host));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_texts split = fuzz_split(data, size, 6);
    struct http_policy_options options = {.allow_networks = split.texts[2],
        .allow_ports = split.texts[3],
        .allow_hosts = split.texts[4],
        .allow_http_hosts = split.texts[5]};
    struct http_target target = {.host = "example.com", .port = 443, .is_tls = true};
    struct http_policy *policy = NULL;

    fuzz_check(http_policy_new(&(struct http_policy_options){0}, &policy, NULL));
    read_url(policy, split.texts[0]);
    if (http_policy_admits(policy, &target, split.texts[1], NULL) && strchr(split.texts[1], '%') == NULL)
        fuzz_check(!is_inner(split.texts[1]));
    http_policy_free(policy);
    if (http_policy_new(&options, &policy, NULL)) {
        if (http_policy_read(policy, split.texts[0], false, &target, NULL))
            (void)!http_policy_admits(policy, &target, split.texts[1], NULL);
        http_policy_free(policy);
    }
    free(split.all);
    return 0;
}
