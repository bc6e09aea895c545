/* Names that hang: a real loop and its threads, with a resolver that does what a test says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <netdb.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/bounds.h"
#include "base/err.h"
#include "loop/loop.h"

enum { NAMES = 2 * BOUND_LOOKUPS };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool is_hanging; /* "hang" gets no answer */
static int begun;       /* lookups that a thread has taken up */
static int working;     /* of them, those that are not answered yet */

/* Stands in for libc's. */
int
getaddrinfo(const char *name, const char *service, const struct addrinfo *wish, struct addrinfo **ret_list)
{
    struct addrinfo *info;
    struct sockaddr_in *address;

    (void)service;
    (void)wish;
    (void)pthread_mutex_lock(&mutex);
    begun++;
    working++;
    (void)pthread_cond_broadcast(&changed);
    while (is_hanging && strcmp(name, "hang") == 0)
        (void)pthread_cond_wait(&changed, &mutex);
    working--;
    (void)pthread_cond_broadcast(&changed);
    (void)pthread_mutex_unlock(&mutex);
    if (strcmp(name, "gone") == 0)
        return EAI_NONAME;
    if (strcmp(name, "short") == 0) {
        errno = EMFILE; /* as libc's resolver leaves it when it cannot open a file or a socket */
        return EAI_AGAIN;
    }
    info = must_alloc(sizeof(*info));
    address = must_alloc(sizeof(*address));
    address->sin_family = AF_INET;
    (void)inet_pton(AF_INET, "192.0.2.7", &address->sin_addr);
    *info = (struct addrinfo){
        .ai_family = AF_INET, .ai_socktype = SOCK_STREAM, .ai_addr = (struct sockaddr *)address, .ai_addrlen = sizeof(*address)};
    *ret_list = info;
    return 0;
}

void
freeaddrinfo(struct addrinfo *list)
{
    if (list != NULL)
        free(list->ai_addr);
    free(list);
}

static void
hang(bool does)
{
    (void)pthread_mutex_lock(&mutex);
    is_hanging = does;
    (void)pthread_cond_broadcast(&changed);
    (void)pthread_mutex_unlock(&mutex);
}

/* Wait until so many lookups have been begun, and then until all are answered. */
static void
settle(int count)
{
    (void)pthread_mutex_lock(&mutex);
    while (begun < count)
        (void)pthread_cond_wait(&changed, &mutex);
    is_hanging = false;
    (void)pthread_cond_broadcast(&changed);
    while (working > 0)
        (void)pthread_cond_wait(&changed, &mutex);
    begun = 0;
    (void)pthread_mutex_unlock(&mutex);
}

/* What was answered. */
struct asker {
    struct loop *loop;
    int waiting; /* answers that are to come; with the last one the loop stops */
    int found;
    char address[64];
    char problem[64];
    bool is_short;
};

static void
on_answer(void *cookie, const struct lookup_answer *answer)
{
    struct asker *asker = cookie;

    asker->found += answer->count;
    (void)snprintf(asker->address, sizeof(asker->address), "%s", answer->count > 0 ? answer->addresses[0] : "");
    (void)snprintf(asker->problem, sizeof(asker->problem), "%s", answer->problem);
    asker->is_short = answer->is_short;
    if (--asker->waiting == 0)
        loop_stop(asker->loop);
}

static void
test_lookup_says_what_was_found_or_why_not(void **state)
{
    struct asker asker = {.loop = loop_new()};

    (void)state;
    asker.waiting = 1;
    assert_non_null(lookup_start(asker.loop, "name", on_answer, &asker));
    loop_run(asker.loop, NULL, NULL);
    assert_string_equal(asker.address, "192.0.2.7");
    asker.waiting = 1;
    assert_non_null(lookup_start(asker.loop, "gone", on_answer, &asker));
    loop_run(asker.loop, NULL, NULL);
    assert_string_equal(asker.address, "");
    assert_true(strlen(asker.problem) > 0);
    assert_false(asker.is_short);
    lookup_cancel(lookup_start(asker.loop, "name", on_answer, &asker));
    lookup_cancel(NULL);
    settle(3);
    loop_free(asker.loop);
    assert_int_equal(asker.found, 1);
}

static void
test_lookup_that_lacked_descriptors_says_so(void **state)
{
    struct asker asker = {.loop = loop_new(), .waiting = 1};

    (void)state;
    assert_non_null(lookup_start(asker.loop, "short", on_answer, &asker));
    loop_run(asker.loop, NULL, NULL);
    assert_int_equal(asker.found, 0);
    assert_true(asker.is_short);
    settle(1);
    loop_free(asker.loop);
}

static void
test_lookup_is_not_held_up_by_names_that_hang(void **state)
{
    struct asker asker = {.loop = loop_new(), .waiting = 1};
    struct asker others = {.loop = asker.loop, .waiting = BOUND_LOOKUPS};
    struct lookup *lookups[BOUND_LOOKUPS - 1];

    (void)state;
    hang(true);
    for (size_t i = 0; i < LENGTH(lookups); i++)
        lookups[i] = lookup_start(asker.loop, "hang", on_answer, &others);
    assert_non_null(lookup_start(asker.loop, "name", on_answer, &asker));
    loop_run(asker.loop, NULL, NULL);
    assert_string_equal(asker.address, "192.0.2.7");
    for (size_t i = 0; i < LENGTH(lookups); i++)
        lookup_cancel(lookups[i]);
    settle(BOUND_LOOKUPS);
    loop_free(asker.loop);
}

static void
test_lookup_that_is_late_is_not_begun_any_more(void **state)
{
    struct asker asker = {.loop = loop_new(), .waiting = NAMES};

    (void)state;
    hang(true);
    for (int i = 0; i < NAMES; i++)
        assert_non_null(lookup_start(asker.loop, "hang", on_answer, &asker));
    loop_run(asker.loop, NULL, NULL); /* until all are told that there is no answer in time */
    assert_int_equal(asker.found, 0);
    assert_string_equal(asker.problem, "no answer in time");
    asker.waiting = 1;
    hang(false);
    assert_non_null(lookup_start(asker.loop, "name", on_answer, &asker));
    loop_run(asker.loop, NULL, NULL);
    loop_free(asker.loop);
    assert_int_equal(begun, BOUND_LOOKUPS + 1); /* those that hung, and the last one */
    settle(0);
}

/* The end of a program whose threads hang, in a process of its own. */
static void
end_while_hanging(loop_fn *begin)
{
    const char *preload = getenv("LD_PRELOAD");
    bool is_valgrind = preload != NULL && strstr(preload, "vgpreload") != NULL; /* it counts threads as lost memory */
    int status = -1;
    pid_t child = fork();

    if (child == 0) {
        (void)alarm(60); /* only for a test that fails */
        begin(NULL);
        exit(7);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_true(is_valgrind || WEXITSTATUS(status) == 7);
}

static void
leave_lookup(void *cookie)
{
    struct asker asker = {.loop = loop_new(), .waiting = 1};
    struct lookup *hung;

    (void)cookie;
    hang(true);
    hung = lookup_start(asker.loop, "hang", on_answer, &asker);
    assert_non_null(lookup_start(asker.loop, "name", on_answer, &asker));
    loop_run(asker.loop, NULL, NULL);
    lookup_cancel(hung);
    loop_free(asker.loop);
}

static void
test_loop_ends_while_a_lookup_hangs(void **state)
{
    (void)state;
    end_while_hanging(leave_lookup);
}

static void
sleep_for_ever(void *cookie)
{
    (void)cookie;
    for (;;)
        (void)pause();
}

static void
never(void *cookie)
{
    (void)cookie;
    abort();
}

static void
leave_job(void *cookie)
{
    struct loop *loop = loop_new();

    (void)cookie;
    loop_work(loop, sleep_for_ever, never, NULL);
    loop_free(loop);
}

static void
test_loop_ends_while_a_job_hangs(void **state)
{
    (void)state;
    end_while_hanging(leave_job);
}

/* Nobody waits for the threads of lookups, but whoever looks for lost memory must. */
static int
wait_for_threads(void **state)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    int count = 0;

    (void)state;
    for (int i = 0; i < 30000 && count != 1; i++) {
        DIR *threads = opendir("/proc/self/task");

        for (count = -2; readdir(threads) != NULL;) /* without "." and ".." */
            count++;
        (void)closedir(threads);
        (void)nanosleep(&moment, NULL);
    }
    return count != 1;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loop_ends_while_a_lookup_hangs),
        cmocka_unit_test(test_loop_ends_while_a_job_hangs),
        cmocka_unit_test(test_lookup_says_what_was_found_or_why_not),
        cmocka_unit_test(test_lookup_that_lacked_descriptors_says_so),
        cmocka_unit_test(test_lookup_is_not_held_up_by_names_that_hang),
        cmocka_unit_test(test_lookup_that_is_late_is_not_begun_any_more),
    };

    return cmocka_run_group_tests(tests, NULL, wait_for_threads);
}
