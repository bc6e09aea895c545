/* Descriptors that come and go: a real loop, and socket pairs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/err.h"
#include "http/http_peers.h"

struct scene {
    struct loop *loop;
    struct http_peers *peers;
    struct timer *stop;
    int ours;
    int theirs;
    int told; /* how often, of something to read */
};

/* Reads nothing, so it would be told without end. */
static void
on_event(void *cookie, int fd, int events)
{
    struct scene *scene = cookie;

    assert_int_equal(fd, scene->ours);
    scene->told += (events & WATCH_READ) != 0;
    loop_stop(scene->loop);
}

static void
on_stop(void *cookie)
{
    loop_stop(((struct scene *)cookie)->loop);
}

static void
on_pass(void *cookie)
{
    (void)cookie;
}

/* Until something is told, or for a moment. */
static void
run(struct scene *scene)
{
    scene->told = 0;
    timer_start(scene->stop, 30);
    loop_run(scene->loop, on_pass, scene);
}

static void
connect_pair(struct scene *scene)
{
    int fds[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
    scene->ours = fds[0];
    scene->theirs = fds[1];
}

static void
close_pair(struct scene *scene)
{
    assert_int_equal(close(scene->ours), 0);
    assert_int_equal(close(scene->theirs), 0);
}

static int
set_up(void **state)
{
    struct scene *scene = must_alloc(sizeof(*scene));

    scene->loop = loop_new();
    scene->peers = http_peers_new(scene->loop, on_event, scene);
    scene->stop = timer_new(scene->loop, on_stop, scene);
    connect_pair(scene);
    *state = scene;
    return 0;
}

static int
tear_down(void **state)
{
    struct scene *scene = *state;

    http_peers_free(scene->peers);
    timer_close(scene->stop);
    close_pair(scene);
    loop_free(scene->loop);
    free(scene);
    return 0;
}

static void
test_http_peers_tells_of_what_is_wanted(void **state)
{
    struct scene *scene = *state;

    http_peers_want(scene->peers, scene->ours, WATCH_READ);
    run(scene);
    assert_int_equal(scene->told, 0);
    assert_int_equal(write(scene->theirs, "x", 1), 1);
    run(scene);
    assert_int_equal(scene->told, 1);
}

static void
test_http_peers_tells_nothing_of_what_nobody_wants_until_it_is_wanted_again(void **state)
{
    struct scene *scene = *state;

    http_peers_want(scene->peers, scene->ours, WATCH_READ);
    http_peers_want(scene->peers, scene->ours, 0);
    assert_int_equal(write(scene->theirs, "x", 1), 1);
    run(scene);
    assert_int_equal(scene->told, 0);
    http_peers_want(scene->peers, scene->ours, WATCH_READ);
    run(scene);
    assert_int_equal(scene->told, 1);
}

static void
test_http_peers_watches_a_new_descriptor_with_the_number_of_an_old_one(void **state)
{
    struct scene *scene = *state;
    int number = scene->ours;

    http_peers_want(scene->peers, scene->ours, WATCH_READ);
    run(scene);
    http_peers_want(scene->peers, scene->ours, 0);
    http_peers_forget(scene->peers, scene->ours);
    http_peers_forget(scene->peers, scene->ours);
    close_pair(scene);
    connect_pair(scene);
    assert_int_equal(scene->ours, number);
    http_peers_want(scene->peers, scene->ours, 0); /* Unknown, and not wanted: nothing. */
    http_peers_want(scene->peers, scene->ours, WATCH_READ);
    assert_int_equal(write(scene->theirs, "x", 1), 1);
    run(scene);
    assert_int_equal(scene->told, 1);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_http_peers_tells_of_what_is_wanted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_http_peers_tells_nothing_of_what_nobody_wants_until_it_is_wanted_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_http_peers_watches_a_new_descriptor_with_the_number_of_an_old_one, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
