/*
 * Blocking calls, made in libuv's pool of threads.
 */
#include "base/err.h"
#include "loop/loop_private.h"

struct job {
    uv_work_t request;
    loop_fn *work;
    loop_fn *done;
    void *cookie;
};

static void
on_work(uv_work_t *request)
{
    struct job *job = request->data;

    job->work(job->cookie);
}

static void
on_work_done(uv_work_t *request, int status)
{
    struct job *job = request->data;

    (void)status;
    job->done(job->cookie);
    free(job);
}

void
loop_work(struct loop *loop, loop_fn *work, loop_fn *done, void *cookie)
{
    struct job *job = must_alloc(sizeof(*job));

    job->work = work;
    job->done = done;
    job->cookie = cookie;
    job->request.data = job;
    loop_must(uv_queue_work(&loop->uv, &job->request, on_work, on_work_done), "work");
}
