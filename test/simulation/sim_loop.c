#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/outside.h"
#include "sim.h"

struct sim_event {
    int64_t at_us;
    uint64_t no;
    struct loop *loop;
    loop_fn *fn; /* NULL: cancelled */
    void *cookie;
    bool is_timer;
};

struct timer {
    struct loop *loop;
    loop_fn *fn;
    void *cookie;
    struct sim_event *event;
};

struct sim *sim;

/* A binary heap, by time and number. */
static struct sim_event **heap;
static int heap_count;
static int heap_room;
static uint64_t last_no;

enum { BUSY_EVENTS = 3000 }; /* in one instant: then a process runs in circles */

/* --- chance ---------------------------------------------------------------------------- */

/* splitmix64 */
uint64_t
sim_random(void)
{
    uint64_t z = (sim->random += 0x9e3779b97f4a7c15U);

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

int64_t
sim_between(int64_t low, int64_t high)
{
    return high <= low ? low : low + (int64_t)(sim_random() % (uint64_t)(high - low + 1));
}

bool
sim_chance(int per_mille)
{
    return per_mille > 0 && sim_between(1, 1000) <= per_mille;
}

void
outside_random(void *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        ((unsigned char *)bytes)[i] = (unsigned char)sim_random();
}

int64_t
outside_wall_us(void)
{
    return 1767225600000000 + sim->now_us; /* 2026-01-01 */
}

int64_t
outside_wall_ms(void)
{
    return outside_wall_us() / 1000;
}

/* --- the heap -------------------------------------------------------------------------- */

static bool
is_before(const struct sim_event *a, const struct sim_event *b)
{
    return a->at_us != b->at_us ? a->at_us < b->at_us : a->no < b->no;
}

static void
sift_up(int i)
{
    while (i > 0 && is_before(heap[i], heap[(i - 1) / 2])) {
        struct sim_event *event = heap[i];

        heap[i] = heap[(i - 1) / 2];
        i = (i - 1) / 2;
        heap[i] = event;
    }
}

static void
sift_down(int i)
{
    for (;;) {
        int least = i;
        struct sim_event *event = heap[i];

        for (int child = 2 * i + 1; child <= 2 * i + 2 && child < heap_count; child++) {
            if (is_before(heap[child], heap[least]))
                least = child;
        }
        if (least == i)
            return;
        heap[i] = heap[least];
        heap[least] = event;
        i = least;
    }
}

static void
push(struct sim_event *event)
{
    if (heap_count == heap_room) {
        heap_room = heap_room == 0 ? 1024 : heap_room * 2;
        heap = must_realloc(heap, (size_t)heap_room * sizeof(heap[0]));
    }
    heap[heap_count++] = event;
    sift_up(heap_count - 1);
}

static struct sim_event *
pop(void)
{
    struct sim_event *first = heap[0];

    heap[0] = heap[--heap_count];
    if (heap_count > 0)
        sift_down(0);
    return first;
}

struct sim_event *
sim_after(struct loop *loop, int64_t delay_us, loop_fn *fn, void *cookie)
{
    struct sim_event *event = must_alloc(sizeof(*event));

    *event = (struct sim_event){
        .at_us = sim->now_us + (delay_us < 0 ? 0 : delay_us), .no = ++last_no, .loop = loop, .fn = fn, .cookie = cookie};
    push(event);
    return event;
}

void
sim_cancel(struct sim_event *event)
{
    if (event != NULL)
        event->fn = NULL;
}

void
sim_drop_events(void)
{
    while (heap_count > 0)
        free(pop());
    last_no = 0;
}

void
sim_kill_loop(struct loop *loop)
{
    loop->is_dead = true;
    for (int i = 0; i < heap_count; i++) {
        if (heap[i]->loop == loop)
            heap[i]->fn = NULL;
    }
    loop->pass_event = NULL;
}

/* --- processes --------------------------------------------------------------------------- */

void
sim_freeze(struct loop *loop, int64_t for_us, bool is_suspended)
{
    loop->frozen_until_us = sim->now_us + for_us;
    if (!is_suspended)
        return;
    /* Its timers stand still too. */
    loop->asleep_us += for_us;
    for (int i = 0; i < heap_count; i++) {
        if (heap[i]->loop == loop && heap[i]->is_timer)
            heap[i]->at_us += for_us;
    }
    for (int i = heap_count / 2; i >= 0 && heap_count > 0; i--)
        sift_down(i);
}

static void
on_pass(void *cookie)
{
    struct loop *loop = cookie;

    loop->pass_event = NULL;
    if (loop->pass != NULL && !loop->is_stopped)
        loop->pass(loop->pass_cookie);
    if (loop->owner != NULL && !loop->is_stopped)
        check_pass(loop->owner);
}

/* After what happens in one instant comes one pass. */
static void
run(struct sim_event *event)
{
    struct loop *loop = event->loop;
    bool is_pass = event->fn == on_pass;

    event->fn(event->cookie);
    if (loop == NULL || loop->is_dead)
        return;
    if (loop->busy_at_us != sim->now_us)
        loop->busy_count = 0;
    loop->busy_at_us = sim->now_us;
    if (++loop->busy_count > BUSY_EVENTS)
        sim_fail("worker %d runs in circles", loop->number);
    if (loop->is_stopped)
        world_worker_ended(loop->owner);
    else if (!is_pass && loop->pass_event == NULL)
        loop->pass_event = sim_after(loop, 0, on_pass, loop);
}

bool
sim_step(void)
{
    struct sim_event *event;

    if (heap_count == 0)
        return false;
    event = pop();
    if (event->fn == NULL || (event->loop != NULL && event->loop->is_dead)) {
        free(event);
        return true;
    }
    if (event->loop != NULL && event->at_us < event->loop->frozen_until_us) {
        event->at_us = event->loop->frozen_until_us;
        push(event);
        return true;
    }
    assert(event->at_us >= sim->now_us);
    sim->now_us = event->at_us;
    sim->events++;
    sim_mix((uint64_t)event->at_us);
    sim_mix(event->no);
    run(event);
    free(event);
    return true;
}

/* --- loop.h ------------------------------------------------------------------------------ */

void
loop_stop(struct loop *loop)
{
    loop->is_stopped = true;
}

int64_t
loop_now_ms(const struct loop *loop)
{
    return (sim->now_us - loop->asleep_us) / 1000 + 1000000; /* Time begins long before a worker does. */
}

int64_t
loop_boot_ms(void)
{
    return sim->now_us / 1000 + 1000000;
}

bool
loop_lacks_descriptors(void)
{
    return false;
}

static void
on_timer(void *cookie)
{
    struct timer *timer = cookie;

    timer->event = NULL;
    timer->fn(timer->cookie);
}

struct timer *
timer_new(struct loop *loop, loop_fn *fn, void *cookie)
{
    struct timer *timer = must_alloc(sizeof(*timer));

    *timer = (struct timer){.loop = loop, .fn = fn, .cookie = cookie};
    return timer;
}

/* Of whole milliseconds, as the real ones. */
void
timer_start(struct timer *timer, int64_t delay_ms)
{
    int64_t rest_us = sim->now_us % 1000;

    timer_stop(timer);
    timer->event = sim_after(timer->loop, delay_ms <= 0 ? 0 : delay_ms * 1000 - rest_us, on_timer, timer);
    timer->event->is_timer = true;
}

void
timer_stop(struct timer *timer)
{
    sim_cancel(timer->event);
    timer->event = NULL;
}

bool
timer_is_armed(const struct timer *timer)
{
    return timer->event != NULL;
}

void
timer_close(struct timer *timer)
{
    if (timer == NULL)
        return;
    timer_stop(timer);
    free(timer);
}
