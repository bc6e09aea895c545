/*
 * Name lookups.  Each has a thread of its own: a lookup that is under way cannot be stopped, and a resolver may take long to
 * give up.  If lookups shared a few threads, as in libuv's pool, a few names that hang would stop all others.  Threads are
 * made when they are needed, up to a limit.  Beyond it, or if the system has none left, lookups wait.
 *
 * A lookup that is late is answered at once, and a cancelled one is forgotten at once.  Its memory is freed when its thread
 * ends, which may be after the end of the loop.
 */
#include <errno.h>
#include <netdb.h>
#include <pthread.h>
#include <signal.h>

#include "base/bounds.h"
#include "base/err.h"
#include "base/list.h"
#include "loop/loop_private.h"

enum { STACK_BYTES = 262144 };

struct lookup {
    struct list node; /* in `waiting` or `answered`; in no list while its thread works */
    struct lookups *lookups;
    struct timer *deadline;
    lookup_fn *fn; /* NULL: answered or cancelled */
    void *cookie;
    char *name;
    struct lookup_answer found; /* belongs to the thread until it is answered */
    bool is_started;
};

/* Outlives the loop while a thread is under way. */
struct lookups {
    pthread_mutex_t mutex;
    struct list answered; /* protected by the mutex */
    bool is_closed;       /* the loop has ended; protected by the mutex */
    int users;            /* threads under way, and 1 for the loop; protected by the mutex */
    uv_async_t async;     /* wakes the loop; not used after is_closed */
    struct list waiting;  /* lookups that wait for a thread; used by the loop only */
    int threads;          /* lookups that have a thread; used by the loop only */
    bool lacks_threads;   /* the system refused the last thread; used by the loop only */
};

static void
lookup_free(struct lookup *lookup)
{
    list_remove(&lookup->node);
    free(lookup->name);
    free(lookup);
}

/* Removes a user; the last one frees.  The caller holds the mutex, which is released. */
static void
leave(struct lookups *lookups)
{
    bool is_last = --lookups->users == 0;

    (void)pthread_mutex_unlock(&lookups->mutex);
    if (!is_last)
        return;
    (void)pthread_mutex_destroy(&lookups->mutex);
    free(lookups);
}

/* --- in the thread ----------------------------------------------------------------------- */

static void
ask(struct lookup *lookup)
{
    struct addrinfo wish = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *list = NULL;
    int status;

    errno = 0;
    status = getaddrinfo(lookup->name, NULL, &wish, &list);
    /* The resolver answers "not found" after most errors, but errno has the error. */
    lookup->found.is_short = status == EAI_MEMORY || (status != 0 && (loop_is_shortage(errno) || loop_lacks_descriptors()));
    lookup->found.problem = status != 0 ? gai_strerror(status) : "no address";
    for (const struct addrinfo *a = list; status == 0 && a != NULL && lookup->found.count < LOOKUP_ADDRESSES; a = a->ai_next) {
        char *text = lookup->found.addresses[lookup->found.count];

        if (uv_ip_name(a->ai_addr, text, sizeof(lookup->found.addresses[0])) == 0)
            lookup->found.count++;
    }
    if (status == 0)
        freeaddrinfo(list);
}

static void *
look_up(void *cookie)
{
    struct lookup *lookup = cookie;
    struct lookups *lookups = lookup->lookups;

    ask(lookup);
    (void)pthread_mutex_lock(&lookups->mutex);
    if (lookups->is_closed) {
        lookup_free(lookup);
    } else {
        list_append(&lookups->answered, &lookup->node);
        (void)uv_async_send(&lookups->async);
    }
    leave(lookups);
    return NULL;
}

/* --- in the loop ------------------------------------------------------------------------- */

static bool
start_thread(struct lookup *lookup)
{
    struct lookups *lookups = lookup->lookups;
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all;
    sigset_t before;
    int status;

    (void)pthread_mutex_lock(&lookups->mutex);
    lookups->users++;
    (void)pthread_mutex_unlock(&lookups->mutex);
    (void)pthread_attr_init(&attributes);
    (void)pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    (void)pthread_attr_setstacksize(&attributes, STACK_BYTES);
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before); /* Only the loop's thread gets signals. */
    status = pthread_create(&thread, &attributes, look_up, lookup);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    (void)pthread_attr_destroy(&attributes);
    if (status == 0)
        return true;
    (void)pthread_mutex_lock(&lookups->mutex);
    leave(lookups);
    return false;
}

static void
start_waiting(struct lookups *lookups)
{
    while (!list_is_empty(&lookups->waiting) && lookups->threads < BOUND_LOOKUPS) {
        struct lookup *lookup = LIST_OWNER(lookups->waiting.next, struct lookup, node);

        list_remove(&lookup->node);
        lookup->is_started = true;
        lookups->lacks_threads = !start_thread(lookup);
        if (lookups->lacks_threads) {
            /* There is no thread: the lookup waits for one, or for its deadline. */
            lookup->is_started = false;
            list_prepend(&lookups->waiting, &lookup->node);
            return;
        }
        lookups->threads++;
    }
}

static void
answer(struct lookup *lookup, const struct lookup_answer *found)
{
    lookup_fn *fn = lookup->fn;
    void *cookie = lookup->cookie;

    timer_close(lookup->deadline);
    lookup->deadline = NULL;
    lookup->fn = NULL;
    if (fn != NULL)
        fn(cookie, found);
}

static void
on_async(uv_async_t *async)
{
    struct lookups *lookups = async->data;

    for (;;) {
        struct lookup *lookup = NULL;

        (void)pthread_mutex_lock(&lookups->mutex);
        if (!list_is_empty(&lookups->answered)) {
            lookup = LIST_OWNER(lookups->answered.next, struct lookup, node);
            list_remove(&lookup->node);
        }
        (void)pthread_mutex_unlock(&lookups->mutex);
        if (lookup == NULL)
            break;
        lookups->threads--;
        if (lookup->fn != NULL)
            answer(lookup, &lookup->found);
        lookup_free(lookup);
    }
    start_waiting(lookups);
}

static void
on_deadline(void *cookie)
{
    struct lookup *lookup = cookie;
    bool is_started = lookup->is_started;
    struct lookup_answer none = {.problem = "no answer in time", .is_short = !is_started && lookup->lookups->lacks_threads};

    if (!is_started)
        list_remove(&lookup->node);
    answer(lookup, &none);
    if (!is_started)
        lookup_free(lookup);
}

struct lookup *
lookup_start(struct loop *loop, const char *name, lookup_fn *fn, void *cookie)
{
    struct lookup *lookup = must_alloc(sizeof(*lookup));

    list_init(&lookup->node);
    lookup->lookups = loop->lookups;
    lookup->fn = fn;
    lookup->cookie = cookie;
    lookup->name = must_strdup(name);
    lookup->deadline = timer_new(loop, on_deadline, lookup);
    timer_start(lookup->deadline, BOUND_RESOLVE_MS);
    list_append(&loop->lookups->waiting, &lookup->node);
    start_waiting(loop->lookups);
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
    if (!lookup->is_started)
        lookup_free(lookup);
}

struct lookups *
lookups_new(struct loop *loop)
{
    struct lookups *lookups = must_alloc(sizeof(*lookups));

    (void)pthread_mutex_init(&lookups->mutex, NULL);
    list_init(&lookups->answered);
    list_init(&lookups->waiting);
    lookups->users = 1;
    loop_must(uv_async_init(&loop->uv, &lookups->async, on_async), "lookup");
    lookups->async.data = lookups;
    uv_unref((uv_handle_t *)&lookups->async);
    return lookups;
}

static void
on_closed(uv_handle_t *handle)
{
    struct lookups *lookups = handle->data;

    (void)pthread_mutex_lock(&lookups->mutex);
    leave(lookups);
}

void
lookups_close(struct lookups *lookups)
{
    (void)pthread_mutex_lock(&lookups->mutex);
    lookups->is_closed = true;
    while (!list_is_empty(&lookups->answered))
        lookup_free(LIST_OWNER(lookups->answered.next, struct lookup, node));
    (void)pthread_mutex_unlock(&lookups->mutex);
    uv_close((uv_handle_t *)&lookups->async, on_closed);
}
