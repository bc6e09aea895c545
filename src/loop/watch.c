#include <assert.h>

#include "base/err.h"
#include "loop/loop_private.h"

struct watch {
    uv_poll_t handle;
    watch_fn *fn;
    void *cookie;
    int wanted; /* WATCH_* events that libuv watches */
};

static void
on_poll(uv_poll_t *handle, int status, int events)
{
    struct watch *watch = handle->data;
    uint64_t entered = loop_enter();
    int seen = 0;

    /* After an error the owner reads, and finds the error when it has read the last data of the peer.  libuv has stopped the
     * handle, so it is started again. */
    if (status < 0) {
        int wanted = watch->wanted;

        watch->wanted = 0;
        watch_want(watch, wanted);
    }
    if (status < 0 || (events & (UV_READABLE | UV_DISCONNECT)) != 0)
        seen |= WATCH_READ;
    if (status < 0 || (events & UV_WRITABLE) != 0)
        seen |= WATCH_WRITE;
    watch->fn(watch->cookie, seen);
    loop_leave("descriptor", entered);
}

struct watch *
watch_new(struct loop *loop, int fd, watch_fn *fn, void *cookie)
{
    struct watch *watch = must_alloc(sizeof(*watch));

    watch->fn = fn;
    watch->cookie = cookie;
    loop_must(uv_poll_init(&loop->uv, &watch->handle, fd), "watch");
    watch->handle.data = watch;
    return watch;
}

void
watch_want(struct watch *watch, int events)
{
    int wanted = 0;

    if (events == watch->wanted)
        return;
    watch->wanted = events;
    if ((events & WATCH_READ) != 0)
        wanted |= UV_READABLE;
    if ((events & WATCH_WRITE) != 0)
        wanted |= UV_WRITABLE;
    if (wanted == 0)
        loop_must(uv_poll_stop(&watch->handle), "watch");
    else
        loop_must(uv_poll_start(&watch->handle, wanted, on_poll), "watch");
}

static void
on_closed(uv_handle_t *handle)
{
    free(handle->data);
}

void
watch_close(struct watch *watch)
{
    if (watch == NULL)
        return;
    (void)uv_poll_stop(&watch->handle);
    uv_close((uv_handle_t *)&watch->handle, on_closed);
}
