#include "base/err.h"
#include "loop/loop_private.h"

struct timer {
    uv_timer_t handle;
    loop_fn *fn;
    void *cookie;
};

static void
on_timer(uv_timer_t *handle)
{
    struct timer *timer = handle->data;
    uint64_t entered = loop_enter();

    timer->fn(timer->cookie);
    loop_leave("timer", entered);
}

struct timer *
timer_new(struct loop *loop, loop_fn *fn, void *cookie)
{
    struct timer *timer = must_alloc(sizeof(*timer));

    timer->fn = fn;
    timer->cookie = cookie;
    loop_must(uv_timer_init(&loop->uv, &timer->handle), "timer");
    timer->handle.data = timer;
    return timer;
}

void
timer_start(struct timer *timer, int64_t delay_ms)
{
    loop_must(uv_timer_start(&timer->handle, on_timer, delay_ms < 0 ? 0 : (uint64_t)delay_ms, 0), "timer");
}

void
timer_stop(struct timer *timer)
{
    loop_must(uv_timer_stop(&timer->handle), "timer");
}

bool
timer_is_armed(const struct timer *timer)
{
    return uv_is_active((const uv_handle_t *)&timer->handle) != 0;
}

static void
on_closed(uv_handle_t *handle)
{
    free(handle->data);
}

void
timer_close(struct timer *timer)
{
    if (timer != NULL)
        uv_close((uv_handle_t *)&timer->handle, on_closed);
}
