/*
 * Where we may connect to.  A task may name any URL, so the program must not lend its place
 * in the network to whoever may enqueue: by default only public addresses, https, and the
 * usual ports.  What the administrator configured himself (the base URL of a provider) is
 * trusted and exempt.
 *
 * A URL is judged twice: its text, then every address its name stands for.  One denied
 * address refuses the request.  Refusals say which setting would allow it.
 */
#ifndef HTTP_HTTP_POLICY_H
#define HTTP_HTTP_POLICY_H

#include <stdbool.h>

#include "base/err.h"

struct http_policy;

/* Lists are separated by commas; NULL or "" is an empty list. */
struct http_policy_options {
    const char *allow_http_hosts; /* hosts that plain http may go to; "*": all */
    const char *allow_networks;   /* addr/bits: exceptions among addresses that are not public */
    const char *allow_ports;      /* besides 80, 443 and 8443 */
    const char *allow_hosts;      /* host or host:port: scheme, address and port are all allowed */
    bool is_development;          /* loopback is allowed, by http and on any port */
};

/* What a URL names. */
struct http_target {
    char host[256]; /* lower case; an IPv6 address without brackets */
    int port;
    bool is_numeric; /* the host is an address */
    bool is_smtp;
    bool is_tls; /* https or smtps */
    bool is_trusted;
};

/* False: a list has an item that cannot be read. */
NODISCARD bool http_policy_new(const struct http_policy_options *options, struct http_policy **ret_policy, struct err *err);

/* Read a URL and judge its text. */
NODISCARD bool http_policy_read(
    const struct http_policy *policy, const char *url, bool is_trusted, struct http_target *ret_target, struct err *err);

/* Judge one numeric address of the target. */
NODISCARD bool http_policy_admits(
    const struct http_policy *policy, const struct http_target *target, const char *address, struct err *err);

/* The host of an http or https URL, in lower case.  False: it is none. */
NODISCARD bool http_url_host(const char *url, char *ret_host, size_t size);

/* Does the URL, of any scheme, name this machine by localhost or a loopback address? */
NODISCARD bool http_url_is_loopback(const char *url);

/* NULL is fine. */
void http_policy_free(struct http_policy *policy);

#endif
