/* Destinations of calls: how much is asked of each, and when one is left alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/bounds.h"
#include "task/host.h"

/* What a claim is told of each destination by its name, as array literals. */
static void
assert_limits(const struct hosts *hosts, int64_t now_ms, const char *names, const char *rooms, const char *retry_rooms)
{
    struct host_limits limits;

    host_limits_init(&limits);
    (void)hosts_limit(hosts, now_ms, 0, &limits);
    assert_string_equal(limits.names.text, names);
    assert_string_equal(limits.rooms.text, rooms);
    assert_string_equal(limits.retry_rooms.text, retry_rooms);
    assert_int_equal(limits.other_room, hosts->per_host);
    assert_int_equal(limits.other_retry_room, hosts->per_host / 4);
    host_limits_release(&limits);
}

static int
shared_room(const struct hosts *hosts, int ahead)
{
    struct host_limits limits;

    host_limits_init(&limits);
    (void)hosts_limit(hosts, 0, ahead, &limits);
    host_limits_release(&limits);
    return limits.shared_room;
}

static enum host_change
call(struct hosts *hosts, const char *name, const char *error_class, int64_t now_ms)
{
    struct host *host = hosts_take(hosts, name, false, false);

    hosts_start(hosts, host);
    return hosts_give_back(hosts, host, false, true, error_class, now_ms);
}

static void
test_host_a_claim_is_told_what_is_left_for_each(void **state)
{
    struct hosts hosts;
    struct host *host;

    (void)state;
    hosts_init(&hosts, 8, 32);
    assert_limits(&hosts, 0, "{NULL}", "{24}", "{0}");
    host = hosts_take(&hosts, "a\"b", false, false);
    assert_limits(&hosts, 0, "{\"a\\\"b\",NULL}", "{7,24}", "{2,0}");
    for (int i = 0; i < 7; i++)
        (void)hosts_take(&hosts, "a\"b", false, false);
    assert_limits(&hosts, 0, "{\"a\\\"b\",NULL}", "{0,24}", "{0,0}");
    assert_true(hosts_are_full(&hosts, 0));
    assert_int_equal(hosts_give_back(&hosts, host, false, false, "", 0), HOST_ROOMY);
    assert_false(hosts_are_full(&hosts, 0));
    hosts_free(&hosts);
}

static void
test_host_a_quarter_of_all_places_is_for_those_that_have_none(void **state)
{
    struct hosts hosts;
    struct host *provider = NULL;
    struct host *other;

    (void)state;
    hosts_init(&hosts, 8, 32);
    for (int i = 0; i < 24; i++) {
        provider = hosts_take(&hosts, "/email", true, false);
        assert_true(hosts_may_start(&hosts, provider));
        hosts_start(&hosts, provider);
    }
    assert_limits(&hosts, 0, "{\"/email\",NULL}", "{0,24}", "{0,0}");
    assert_int_equal(shared_room(&hosts, 0), 0);
    /* If calls are quick, a few more wait for a place; they do not get another one. */
    assert_int_equal(shared_room(&hosts, 100), 4);
    assert_false(hosts_may_start(&hosts, provider));
    other = hosts_take(&hosts, "a", false, false);
    assert_true(hosts_may_start(&hosts, other));
    hosts_start(&hosts, other);
    other = hosts_take(&hosts, "a", false, false);
    assert_false(hosts_may_start(&hosts, other));
    for (int i = 0; i < 7; i++) {
        char name[16];

        (void)snprintf(name, sizeof(name), "b%d", i);
        other = hosts_take(&hosts, name, false, false);
        assert_true(hosts_may_start(&hosts, other));
        hosts_start(&hosts, other);
    }
    assert_false(hosts_may_start(&hosts, hosts_take(&hosts, "c", false, false)));
    hosts_free(&hosts);
}

static void
test_host_even_few_places_are_not_all_for_one(void **state)
{
    static const int wanted[] = {1, 1, 2, 3, 4, 5, 6, 6};

    (void)state;
    for (int most = 1; most <= 8; most++) {
        struct hosts hosts;
        int count = 0;

        hosts_init(&hosts, 100, most);
        for (struct host *host = hosts_take(&hosts, "a", false, false); hosts_may_start(&hosts, host); count++)
            hosts_start(&hosts, host);
        assert_int_equal(count, wanted[most - 1]);
        hosts_free(&hosts);
    }
}

static void
test_host_that_is_known_late_is_let_in_if_it_has_room(void **state)
{
    struct hosts hosts;
    struct host *unknown = NULL;
    struct host *host = NULL;

    (void)state;
    hosts_init(&hosts, 2, 32);
    for (int i = 0; i < 3; i++)
        unknown = hosts_take(&hosts, NULL, false, false);
    assert_string_equal(unknown->name, "");
    for (int i = 0; i < 2; i++) {
        host = hosts_move(&hosts, unknown, "a", false, 0);
        assert_non_null(host);
    }
    assert_int_equal(host->held, 2);
    assert_null(hosts_move(&hosts, unknown, "a", false, 0));
    assert_int_equal(unknown->held, 1);
    assert_int_equal(hosts.held, 3);
    assert_non_null(hosts_move(&hosts, unknown, "b", false, 0));
    assert_int_equal(hosts_give_back(&hosts, host, false, false, "", 0), HOST_ROOMY);
    hosts_free(&hosts);
}

static void
test_host_a_retry_that_moves_counts_where_it_goes(void **state)
{
    struct hosts hosts;
    struct host *unknown;
    struct host *host;

    (void)state;
    hosts_init(&hosts, 8, 32);
    unknown = hosts_take(&hosts, NULL, false, true);
    (void)hosts_take(&hosts, NULL, false, false);
    host = hosts_move(&hosts, unknown, "a", true, 0);
    assert_int_equal(unknown->retries, 0);
    assert_int_equal(host->retries, 1);
    assert_int_equal(hosts.held, 2);
    hosts_free(&hosts);
}

static void
test_host_retries_have_a_part_that_good_answers_widen(void **state)
{
    struct hosts hosts;
    struct host *host;

    (void)state;
    hosts_init(&hosts, 8, 32);
    host = hosts_take(&hosts, "a", false, true);
    assert_limits(&hosts, 0, "{\"a\",NULL}", "{7,24}", "{1,0}");
    (void)hosts_take(&hosts, "a", false, true);
    assert_limits(&hosts, 0, "{\"a\",NULL}", "{6,24}", "{0,0}");
    assert_int_equal(hosts_give_back(&hosts, host, true, false, NULL, 0), HOST_ROOMY);
    assert_limits(&hosts, 0, "{\"a\",NULL}", "{7,24}", "{2,0}");
    for (int i = 0; i < 20; i++)
        (void)call(&hosts, "a", NULL, 0);
    assert_limits(&hosts, 0, "{\"a\",NULL}", "{7,24}", "{5,0}");
    (void)call(&hosts, "a", "refused", 0);
    assert_limits(&hosts, 0, "{\"a\",NULL}", "{7,24}", "{1,0}");
    hosts_free(&hosts);
}

static void
test_host_one_that_fails_is_closed_tried_and_closed_for_longer(void **state)
{
    struct hosts hosts;
    struct host *late;
    int64_t now_ms = 1000;
    int64_t wanted_ms = BOUND_HOST_CLOSED_MS;

    (void)state;
    hosts_init(&hosts, 8, 32);
    late = hosts_take(&hosts, "a", false, false);
    for (int i = 1; i < BOUND_HOST_FAILURES; i++)
        assert_int_equal(call(&hosts, "a", i % 2 == 0 ? "network" : "server", now_ms), HOST_AS_BEFORE);
    assert_int_equal(call(&hosts, "a", "in_doubt", now_ms), HOST_CLOSED);
    assert_limits(&hosts, now_ms, "{\"a\",NULL}", "{0,24}", "{0,0}");
    /* One that was under way closes it no further. */
    assert_int_equal(hosts_give_back(&hosts, late, false, false, "network", now_ms + 1), HOST_AS_BEFORE);
    for (int round = 0; round < 8; round++) {
        assert_limits(&hosts, now_ms + wanted_ms - 1, "{\"a\",NULL}", "{0,24}", "{0,0}");
        now_ms += wanted_ms;
        assert_limits(&hosts, now_ms, "{\"a\",NULL}", "{1,24}", "{1,0}");
        /* While the trial is under way, no second one. */
        late = hosts_take(&hosts, "a", false, false);
        assert_limits(&hosts, now_ms, "{\"a\",NULL}", "{0,24}", "{0,0}");
        assert_int_equal(hosts_give_back(&hosts, late, false, false, "network", now_ms), HOST_CLOSED);
        wanted_ms = wanted_ms * 2 > BOUND_HOST_MOST_MS ? BOUND_HOST_MOST_MS : wanted_ms * 2;
        assert_int_equal(late->close_ms, wanted_ms);
    }
    now_ms += wanted_ms;
    assert_int_equal(call(&hosts, "a", "rate_limited", now_ms), HOST_OPENED);
    assert_limits(&hosts, now_ms, "{NULL}", "{24}", "{0}");
    /* Then it takes as many failures as before, and as little time. */
    for (int i = 1; i < BOUND_HOST_FAILURES; i++)
        assert_int_equal(call(&hosts, "a", "network", now_ms), HOST_AS_BEFORE);
    assert_int_equal(call(&hosts, "a", "network", now_ms), HOST_CLOSED);
    assert_limits(&hosts, now_ms + BOUND_HOST_CLOSED_MS, "{\"a\",NULL}", "{1,24}", "{1,0}");
    hosts_free(&hosts);
}

static void
test_host_an_answer_between_failures_keeps_it_open(void **state)
{
    static const char *const kind[] = {NULL, "refused", "rate_limited"};
    struct hosts hosts;

    (void)state;
    hosts_init(&hosts, 8, 32);
    for (int i = 0; i < 100; i++)
        assert_int_equal(call(&hosts, "a", i % 9 == 8 ? kind[i % 3] : "server", 0), HOST_AS_BEFORE);
    /* What says nothing about the host counts as nothing. */
    for (int i = 0; i < 100; i++)
        assert_int_equal(call(&hosts, "b", i % 2 == 0 ? "policy" : "", 0), HOST_AS_BEFORE);
    hosts_free(&hosts);
}

static void
test_host_those_that_are_closed_are_told_with_their_time(void **state)
{
    struct hosts hosts;
    struct buf names, left_ms;
    char name[BOUND_HOST_NAME_BYTES + 2];

    (void)state;
    hosts_init(&hosts, 8, 32);
    buf_init(&names, BOUND_HOST_LIST_BYTES);
    buf_init(&left_ms, BOUND_HOST_LIST_BYTES);
    (void)call(&hosts, "fine", NULL, 0);
    hosts_closed(&hosts, 0, &names, &left_ms);
    assert_int_equal(names.length, 0);
    memset(name, 'x', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    for (int i = 0; i < BOUND_HOST_FAILURES; i++) {
        (void)call(&hosts, "a\"b", "network", 1000);
        (void)call(&hosts, "c", "network", 2000);
        (void)call(&hosts, name, "network", 2000);
    }
    hosts_closed(&hosts, 2500, &names, &left_ms);
    assert_string_equal(names.text, "{\"c\",\"a\\\"b\"}");
    assert_string_equal(left_ms.text, "{29500,28500}");
    buf_clear(&names);
    buf_clear(&left_ms);
    hosts_closed(&hosts, 2000 + BOUND_HOST_CLOSED_MS, &names, &left_ms);
    assert_int_equal(names.length, 0);
    buf_release(&names);
    buf_release(&left_ms);
    hosts_free(&hosts);
}

static void
test_host_only_so_many_are_remembered(void **state)
{
    struct hosts hosts;
    char name[32];

    (void)state;
    hosts_init(&hosts, 8, 32);
    for (int i = 0; i < 3 * BOUND_HOST_COUNT; i++) {
        (void)snprintf(name, sizeof(name), "host%d", i);
        (void)call(&hosts, name, i % 2 == 0 ? "network" : NULL, 0);
        assert_true(hosts.count <= BOUND_HOST_COUNT);
    }
    hosts_free(&hosts);
    assert_int_equal(hosts.count, 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_host_a_claim_is_told_what_is_left_for_each),
        cmocka_unit_test(test_host_a_quarter_of_all_places_is_for_those_that_have_none),
        cmocka_unit_test(test_host_even_few_places_are_not_all_for_one),
        cmocka_unit_test(test_host_that_is_known_late_is_let_in_if_it_has_room),
        cmocka_unit_test(test_host_a_retry_that_moves_counts_where_it_goes),
        cmocka_unit_test(test_host_retries_have_a_part_that_good_answers_widen),
        cmocka_unit_test(test_host_one_that_fails_is_closed_tried_and_closed_for_longer),
        cmocka_unit_test(test_host_an_answer_between_failures_keeps_it_open),
        cmocka_unit_test(test_host_those_that_are_closed_are_told_with_their_time),
        cmocka_unit_test(test_host_only_so_many_are_remembered),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
