/*
 * Names to addresses, and other calls that block, in libuv's pool.  A lookup that is
 * under way in a thread cannot be stopped: when it is cancelled or late, its owner is
 * told or forgotten at once, and the memory is freed when the thread comes back.
 */
#include "base/bounds.h"
#include "base/err.h"
#include "loop/loop_private.h"

struct lookup {
    uv_getaddrinfo_t request;
    struct timer *deadline;
    lookup_fn *fn; /* NULL once answered or cancelled */
    void *cookie;
};

static void
answer(struct lookup *lookup, const struct lookup_answer *found)
{
    lookup_fn *fn = lookup->fn;

    timer_close(lookup->deadline);
    lookup->deadline = NULL;
    lookup->fn = NULL;
    if (fn != NULL)
        fn(lookup->cookie, found);
}

static void
on_found(uv_getaddrinfo_t *request, int status, struct addrinfo *list)
{
    struct lookup *lookup = request->data;
    struct lookup_answer found = {.problem = status < 0 ? uv_strerror(status) : "no address"};

    for (struct addrinfo *a = list; a != NULL && found.count < LOOKUP_ADDRESSES; a = a->ai_next) {
        char *text = found.addresses[found.count];

        if (uv_ip_name(a->ai_addr, text, sizeof(found.addresses[0])) == 0)
            found.count++;
    }
    uv_freeaddrinfo(list);
    if (lookup->fn != NULL)
        answer(lookup, &found);
    free(lookup);
}

static void
on_deadline(void *cookie)
{
    struct lookup_answer none = {.problem = "no answer in time"};

    answer(cookie, &none);
}

struct lookup *
lookup_start(struct loop *loop, const char *name, lookup_fn *fn, void *cookie)
{
    struct lookup *lookup = must_alloc(sizeof(*lookup));
    struct addrinfo wish = {.ai_socktype = SOCK_STREAM};

    lookup->fn = fn;
    lookup->cookie = cookie;
    lookup->request.data = lookup;
    lookup->deadline = timer_new(loop, on_deadline, lookup);
    timer_start(lookup->deadline, BOUND_RESOLVE_MS);
    loop_must(uv_getaddrinfo(&loop->uv, &lookup->request, on_found, name, NULL, &wish), "lookup");
    return lookup;
}

void
lookup_cancel(struct lookup *lookup)
{
    if (lookup == NULL)
        return;
    lookup->fn = NULL;
    timer_close(lookup->deadline);
    lookup->deadline = NULL;
    (void)uv_cancel((uv_req_t *)&lookup->request);
}

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
