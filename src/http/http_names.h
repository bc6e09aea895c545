/*
 * Names and their addresses, remembered for a minute.  One lookup per name at a time; when
 * an answer is old, it still serves for a while and is renewed meanwhile, so a resolver that
 * hangs does not stop those whose names are known.
 */
#ifndef HTTP_HTTP_NAMES_H
#define HTTP_HTTP_NAMES_H

#include "loop/loop.h"

struct http_names;
struct http_name_wait;

struct http_names *http_names_new(struct loop *loop) NODISCARD;

/* Call `fn` once with the addresses: at once if they are known (then NULL is returned), else
 * later (then the wait can be cancelled). */
struct http_name_wait *http_names_find(struct http_names *names, const char *name, lookup_fn *fn, void *cookie);

/* `fn` will not be called. */
void http_names_cancel(struct http_name_wait *wait);

/* NULL is fine. */
void http_names_free(struct http_names *names);

#endif
