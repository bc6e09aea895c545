/*
 * Documents that several viewers share for a moment: one question per right, path and arguments, however many look.  Times are
 * passed in.  The cache knows nothing about requests: each document has a list into which its users put those who wait for it.
 */
#ifndef SERVE_CACHE_H
#define SERVE_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/list.h"

/* A document.  While it is asked for, is_asked is set, and it stays. */
struct document {
    struct list node; /* of the cache */
    char *key;
    struct buf json;
    bool is_found; /* false: the statement found nothing */
    bool is_asked; /* the question is under way */
    bool is_stale; /* an act was done since the question was asked */
    double data_age_s;
    int64_t made_ms;
    struct list waiting; /* of its users */
    struct cache *cache;
};

struct cache;

struct cache *cache_new(void);

/* The document of this key: fresh, or with is_asked.  If there is none, an empty one is made, and *ret_is_new says so. */
struct document *cache_get(struct cache *cache, const char *key, int64_t now_ms, bool *ret_is_new);

/* The answer of the question is in the document: it is kept for other viewers, if it is not stale. */
void cache_keep(struct document *document, int64_t now_ms);

/* The question has failed: the document is freed.  Nobody waits for it any more. */
void cache_drop(struct document *document);

/* Something was changed: no document that was asked before is shown to anybody who asks from now on. */
void cache_clear(struct cache *cache);

/* Frees all documents.  NULL is fine. */
void cache_free(struct cache *cache);

#endif
