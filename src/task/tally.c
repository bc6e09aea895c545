#include "task/tally.h"

#include "base/bounds.h"

static void
roll(struct tally *tally, int64_t now_ms)
{
    int64_t stretch = now_ms / BOUND_AHEAD_MS;

    if (stretch == tally->stretch)
        return;
    tally->before = stretch == tally->stretch + 1 ? tally->now : 0;
    tally->now = 0;
    tally->stretch = stretch;
}

void
tally_add(struct tally *tally, int64_t now_ms, int count)
{
    roll(tally, now_ms);
    tally->now += count;
}

int
tally_last(struct tally *tally, int64_t now_ms)
{
    roll(tally, now_ms);
    return tally->before;
}
