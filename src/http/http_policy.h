/*
 * The outbound policy: the destinations that the program may connect to.  A task may name any URL, and users who may enqueue
 * must not reach private networks through the worker.  So by default only public addresses, https, and the usual ports are
 * allowed.  A URL that the administrator has configured (the base URL of a provider) is trusted and exempt.
 *
 * A URL is judged twice: first its text, then every address of its name.  One denied address refuses the request.  A refusal
 * names the setting that would allow it.
 */
#ifndef HTTP_HTTP_POLICY_H
#define HTTP_HTTP_POLICY_H

#include <stdbool.h>

#include "base/err.h"

struct http_policy;

/* Lists are separated by commas; NULL or "" is an empty list. */
struct http_policy_options {
    const char *allow_http_hosts; /* hosts that may be called with plain http; "*": all */
    const char *allow_networks;   /* networks that are allowed although they are not public, as addr/bits */
    const char *allow_ports;      /* ports that are allowed besides 80, 443 and 8443 */
    const char *allow_hosts;      /* hosts, as host or host:port, that are allowed with any scheme, address and port */
    bool is_development;          /* loopback is allowed, with http and on any port */
};

/* The destination of a URL. */
struct http_target {
    char host[256]; /* lower case; an IPv6 address without brackets */
    int port;
    bool is_numeric; /* the host is an address */
    bool is_smtp;
    bool is_tls;     /* https or smtps */
    bool is_trusted; /* the URL comes from the configuration, so every address is allowed */
};

/* Makes a policy; http_policy_free frees it.  Texts are copied.  False: a list has an item that cannot be read, and `err` names
 * it. */
NODISCARD bool http_policy_new(const struct http_policy_options *options, struct http_policy **ret_policy, struct err *err);

/* Reads a URL and judges its text.  False: the URL is refused, as `err` says. */
NODISCARD bool http_policy_read(
    const struct http_policy *policy, const char *url, bool is_trusted, struct http_target *ret_target, struct err *err);

/* Judges one numeric address of the target.  False: the address is refused, as `err` says. */
NODISCARD bool http_policy_admits(
    const struct http_policy *policy, const struct http_target *target, const char *address, struct err *err);

/* Writes the host of an http or https URL, in lower case, to ret_host, which has `size` bytes.  False: the text is not such a
 * URL.  A host that does not fit is cut. */
NODISCARD bool http_url_host(const char *url, char *ret_host, size_t size);

/* Does the URL, of any scheme, name this machine by localhost or a loopback address? */
NODISCARD bool http_url_is_loopback(const char *url);

/* Frees the policy.  NULL is fine. */
void http_policy_free(struct http_policy *policy);

#endif
