#include "loop/loop.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include "base/bounds.h"
#include "base/err.h"
#include "base/log.h"
#include "loop/loop_private.h"

uint64_t
loop_enter(void)
{
    return uv_hrtime();
}

void
loop_leave(const char *what, uint64_t entered)
{
    uint64_t took_ms = (uv_hrtime() - entered) / 1000000;

    if (took_ms > BOUND_SLOW_CALLBACK_MS)
        log_event(LOG_WARN, "slow callback", "what", what, "took_ms", LOG_I64(took_ms), NULL);
}

void
loop_must(int status, const char *what)
{
    if (status >= 0)
        return;
    log_event(LOG_ERROR, "event loop failed", "what", what, "error", uv_strerror(status), NULL);
    abort();
}

static void
on_prepare(uv_prepare_t *handle)
{
    struct loop *loop = handle->data;
    uint64_t entered = loop_enter();

    if (loop->pass != NULL)
        loop->pass(loop->pass_cookie);
    loop_leave("pass", entered);
}

struct loop *
loop_new(void)
{
    struct loop *loop = must_alloc(sizeof(*loop));
    char threads[8];

    /* libuv reads it at its first use. */
    (void)snprintf(threads, sizeof(threads), "%d", BOUND_THREADS);
    (void)setenv("UV_THREADPOOL_SIZE", threads, 0);
    loop_must(uv_loop_init(&loop->uv), "loop");
    loop_must(uv_prepare_init(&loop->uv, &loop->prepare), "prepare");
    loop->prepare.data = loop;
    loop->lookups = lookups_new(loop);
    loop_must(uv_prepare_start(&loop->prepare, on_prepare), "prepare");
    return loop;
}

void
loop_run(struct loop *loop, loop_fn *pass, void *cookie)
{
    loop->pass = pass;
    loop->pass_cookie = cookie;
    (void)uv_run(&loop->uv, UV_RUN_DEFAULT);
    loop->pass = NULL;
}

void
loop_stop(struct loop *loop)
{
    uv_stop(&loop->uv);
}

int64_t
loop_now_ms(const struct loop *loop)
{
    return (int64_t)uv_now(&loop->uv);
}

int64_t
loop_boot_ms(void)
{
    struct timespec now;

    loop_must(clock_gettime(CLOCK_BOOTTIME, &now) == 0 ? 0 : uv_translate_sys_error(errno), "clock");
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

bool
loop_is_shortage(int error)
{
    return error == EMFILE || error == ENFILE || error == ENOMEM || error == ENOBUFS;
}

bool
loop_lacks_descriptors(void)
{
    int fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);

    if (fd < 0)
        return loop_is_shortage(errno);
    (void)close(fd);
    return false;
}

static void
on_signal(uv_signal_t *handle, int number)
{
    struct loop_signal *signal = handle->data;

    signal->fn(signal->cookie, number);
}

void
loop_on_signal(struct loop *loop, int number, loop_signal_fn *fn, void *cookie)
{
    struct loop_signal *signal;

    assert(loop->signal_count < LOOP_SIGNALS);
    signal = &loop->signals[loop->signal_count++];
    *signal = (struct loop_signal){.loop = loop, .fn = fn, .cookie = cookie};
    loop_must(uv_signal_init(&loop->uv, &signal->handle), "signal");
    signal->handle.data = signal;
    loop_must(uv_signal_start(&signal->handle, on_signal, number), "signal");
}

static void
on_late(uv_timer_t *handle)
{
    uv_stop(handle->loop);
}

/* Ends the process without libuv's exit handler, which waits for its threads. */
static void
leave_threads(int status, void *cookie)
{
    (void)cookie;
    (void)fflush(NULL);
    _exit(status);
}

void
loop_free(struct loop *loop)
{
    uv_timer_t late;

    if (loop == NULL)
        return;
    uv_close((uv_handle_t *)&loop->prepare, NULL);
    lookups_close(loop->lookups);
    for (int i = 0; i < loop->signal_count; i++)
        uv_close((uv_handle_t *)&loop->signals[i].handle, NULL);
    /* Wait a moment for jobs in the pool. */
    loop_must(uv_timer_init(&loop->uv, &late), "timer");
    loop_must(uv_timer_start(&late, on_late, BOUND_JOBS_END_MS, 0), "timer");
    uv_unref((uv_handle_t *)&late);
    (void)uv_run(&loop->uv, UV_RUN_DEFAULT);
    uv_close((uv_handle_t *)&late, NULL);
    (void)uv_run(&loop->uv, UV_RUN_NOWAIT);
    if (uv_loop_close(&loop->uv) != UV_EBUSY) {
        free(loop);
        return;
    }
    log_event(LOG_DEBUG, "event loop left behind, a thread hangs", NULL);
    (void)on_exit(leave_threads, loop); /* The loop is not freed, since the thread will still write to it. */
}
