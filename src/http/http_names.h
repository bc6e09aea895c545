/*
 * Names and their addresses, kept for a minute.  There is one lookup per name at a time.  An old answer is still used for a
 * while, during a new lookup, so that a resolver that hangs does not stop calls to known names.
 */
#ifndef HTTP_HTTP_NAMES_H
#define HTTP_HTTP_NAMES_H

#include "loop/loop.h"

struct http_names;
struct http_name_wait;

/* Makes a cache of names; http_names_free frees it. */
struct http_names *http_names_new(struct loop *loop) NODISCARD;

/* Calls `fn` once with the addresses, or with the reason why there is none.  The name is copied.  If they are known,
 * `fn` is called before the return, which is NULL.  Otherwise `fn` is called later.  The result belongs to `names` and can be
 * cancelled until then. */
struct http_name_wait *http_names_find(struct http_names *names, const char *name, lookup_fn *fn, void *cookie);

/* Cancels the wait: `fn` will not be called. */
void http_names_cancel(struct http_name_wait *wait);

/* Frees the cache, and cancels its lookups and waits.  NULL is fine. */
void http_names_free(struct http_names *names);

#endif
