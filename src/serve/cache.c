#include "serve/cache.h"

#include <stdlib.h>
#include <string.h>

#include "base/bounds.h"
#include "base/err.h"

struct cache {
    struct list documents; /* the oldest first */
    int count;
    size_t bytes; /* of those that are kept */
};

struct cache *
cache_new(void)
{
    struct cache *cache = must_alloc(sizeof(*cache));

    list_init(&cache->documents);
    return cache;
}

void
cache_drop(struct document *document)
{
    if (!document->is_asked)
        document->cache->bytes -= document->json.length;
    document->cache->count--;
    list_remove(&document->node);
    buf_release(&document->json);
    free(document->key);
    free(document);
}

/* Removes what is too old, and then the oldest until there is room. */
static void
make_room(struct cache *cache, int64_t now_ms)
{
    struct list *next;

    for (struct list *node = cache->documents.next; node != &cache->documents; node = next) {
        struct document *document = LIST_OWNER(node, struct document, node);

        next = node->next;
        if (document->is_asked)
            continue;
        if (now_ms - document->made_ms >= BOUND_DOCUMENT_MS || cache->count > BOUND_DOCUMENTS
            || cache->bytes > BOUND_DOCUMENTS_BYTES)
            cache_drop(document);
    }
}

struct document *
cache_get(struct cache *cache, const char *key, int64_t now_ms, bool *ret_is_new)
{
    struct document *document;

    make_room(cache, now_ms);
    *ret_is_new = false;
    for (struct list *node = cache->documents.next; node != &cache->documents; node = node->next) {
        document = LIST_OWNER(node, struct document, node);
        if (!document->is_stale && strcmp(document->key, key) == 0)
            return document;
    }
    document = must_alloc(sizeof(*document));
    document->cache = cache;
    document->key = must_strdup(key);
    document->is_asked = true;
    list_init(&document->node);
    list_init(&document->waiting);
    buf_init(&document->json, BOUND_DOCUMENT_BYTES);
    list_append(&cache->documents, &document->node);
    cache->count++;
    *ret_is_new = true;
    return document;
}

void
cache_keep(struct document *document, int64_t now_ms)
{
    document->is_asked = false;
    document->made_ms = now_ms;
    document->cache->bytes += document->json.length;
    if (document->is_stale)
        cache_drop(document);
}

void
cache_clear(struct cache *cache)
{
    struct list *next;

    for (struct list *node = cache->documents.next; node != &cache->documents; node = next) {
        struct document *document = LIST_OWNER(node, struct document, node);

        next = node->next;
        if (document->is_asked)
            document->is_stale = true;
        else
            cache_drop(document);
    }
}

void
cache_free(struct cache *cache)
{
    if (cache == NULL)
        return;
    while (!list_is_empty(&cache->documents))
        cache_drop(LIST_OWNER(cache->documents.next, struct document, node));
    free(cache);
}
