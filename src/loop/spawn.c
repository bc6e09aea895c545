/*
 * Child processes.
 */
#include <errno.h>
#include <signal.h>

#include "base/err.h"
#include "loop/loop_private.h"

struct spawn {
    uv_process_t handle;
    spawn_exit_fn *fn;
    void *cookie;
    bool has_ended;
};

static void
on_closed(uv_handle_t *handle)
{
    free(handle->data);
}

static void
on_exit_status(uv_process_t *handle, int64_t code, int number)
{
    struct spawn *spawn = handle->data;
    uint64_t entered = loop_enter();

    spawn->has_ended = true;
    if (spawn->fn != NULL)
        spawn->fn(spawn->cookie, (int)code, number);
    loop_leave("child", entered);
}

struct spawn *
spawn_new(struct loop *loop, const struct spawn_options *options, spawn_exit_fn *fn, void *cookie, struct err *err)
{
    struct spawn *spawn = must_alloc(sizeof(*spawn));
    uv_stdio_container_t stdio[SPAWN_DESCRIPTORS];
    uv_process_options_t uv = {
        .exit_cb = on_exit_status,
        .file = options->file,
        .args = options->arguments,
        .env = options->environment,
        .flags = UV_PROCESS_DETACHED, /* its own session and process group */
        .stdio_count = SPAWN_DESCRIPTORS,
        .stdio = stdio,
    };
    int status;

    for (int i = 0; i < SPAWN_DESCRIPTORS; i++) {
        stdio[i].flags = options->descriptors[i] < 0 ? UV_IGNORE : UV_INHERIT_FD;
        stdio[i].data.fd = options->descriptors[i];
    }
    spawn->fn = fn;
    spawn->cookie = cookie;
    spawn->handle.data = spawn;
    status = uv_spawn(&loop->uv, &spawn->handle, &uv);
    if (status < 0) {
        (void)err_set(err, ERR_RETRY, "", "could not start \"%s\": %s", options->file, uv_strerror(status));
        uv_close((uv_handle_t *)&spawn->handle, on_closed);
        return NULL;
    }
    return spawn;
}

int
spawn_pid(const struct spawn *spawn)
{
    return spawn->handle.pid;
}

void
spawn_kill_group(const struct spawn *spawn, int number)
{
    if (!spawn->has_ended)
        (void)kill(-spawn->handle.pid, number);
}

void
spawn_close(struct spawn *spawn)
{
    if (spawn != NULL)
        uv_close((uv_handle_t *)&spawn->handle, on_closed);
}
