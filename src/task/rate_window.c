#include "task/rate_window.h"

#include "base/bounds.h"

static void
roll(struct rate_window *window, int64_t now_ms)
{
    int64_t stretch = now_ms / BOUND_AHEAD_MS;

    if (stretch == window->stretch)
        return;
    window->before = stretch == window->stretch + 1 ? window->now : 0;
    window->now = 0;
    window->stretch = stretch;
}

void
rate_window_add(struct rate_window *window, int64_t now_ms, int count)
{
    roll(window, now_ms);
    window->now += count;
}

int
rate_window_last(struct rate_window *window, int64_t now_ms)
{
    roll(window, now_ms);
    return window->before;
}
