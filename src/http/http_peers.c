#include "http/http_peers.h"

#include <assert.h>

#include "base/err.h"

struct peer {
    struct http_peers *peers;
    struct watch *watch;
    int fd;
    bool is_wanted;
};

struct http_peers {
    struct loop *loop;
    http_peers_fn *fn;
    void *cookie;
    struct peer **by_fd; /* NULL: not a descriptor of the library */
    int size;
};

static void
on_ready(void *cookie, int events)
{
    struct peer *peer = cookie;

    if (peer->is_wanted)
        peer->peers->fn(peer->peers->cookie, peer->fd, events);
    else
        watch_want(peer->watch, 0); /* The peer has probably closed it; the next request finds out. */
}

struct http_peers *
http_peers_new(struct loop *loop, http_peers_fn *fn, void *cookie)
{
    struct http_peers *peers = must_alloc(sizeof(*peers));

    peers->loop = loop;
    peers->fn = fn;
    peers->cookie = cookie;
    return peers;
}

static struct peer *
peer_find(const struct http_peers *peers, int fd)
{
    assert(fd >= 0);
    return fd < peers->size ? peers->by_fd[fd] : NULL;
}

static struct peer *
peer_new(struct http_peers *peers, int fd)
{
    struct peer *peer = must_alloc(sizeof(*peer));

    if (fd >= peers->size) {
        int size = fd < 32 ? 64 : fd * 2;
        struct peer **by_fd = must_alloc((size_t)size * sizeof(by_fd[0]));

        for (int i = 0; i < peers->size; i++)
            by_fd[i] = peers->by_fd[i];
        free(peers->by_fd);
        peers->by_fd = by_fd;
        peers->size = size;
    }
    peer->peers = peers;
    peer->fd = fd;
    peer->watch = watch_new(peers->loop, fd, on_ready, peer);
    peers->by_fd[fd] = peer;
    return peer;
}

void
http_peers_want(struct http_peers *peers, int fd, int events)
{
    struct peer *peer = peer_find(peers, fd);

    if (peer == NULL && events == 0)
        return;
    if (peer == NULL)
        peer = peer_new(peers, fd);
    peer->is_wanted = events != 0;
    if (events != 0)
        watch_want(peer->watch, events);
}

void
http_peers_forget(struct http_peers *peers, int fd)
{
    struct peer *peer = peer_find(peers, fd);

    if (peer == NULL)
        return;
    peers->by_fd[fd] = NULL;
    watch_close(peer->watch);
    free(peer);
}

void
http_peers_free(struct http_peers *peers)
{
    if (peers == NULL)
        return;
    for (int fd = 0; fd < peers->size; fd++)
        http_peers_forget(peers, fd);
    free(peers->by_fd);
    free(peers);
}
