/* Destinations of jobs: how much is asked of each, and when one is left alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/bounds.h"
#include "task/host.h"

static void
assert_limits(const struct hosts *hosts, int64_t now_ms, const char *wanted)
{
    struct buf literal;

    buf_init(&literal, 4096);
    (void)hosts_limits(hosts, now_ms, &literal);
    assert_string_equal(literal.text, wanted);
    buf_release(&literal);
}

static enum host_change
call(struct hosts *hosts, const char *name, const char *error_class, int64_t now_ms)
{
    bool is_retry;
    struct host *host = hosts_take(hosts, name, &is_retry);

    return hosts_give_back(hosts, host, is_retry, error_class, now_ms);
}

static void
test_host_a_claim_is_told_what_is_left_for_each(void **state)
{
    struct hosts hosts;
    struct host *host;
    bool is_retry;

    (void)state;
    hosts_init(&hosts, 8);
    assert_limits(&hosts, 0, "{\"*=8\",\"retry *=2\"}");
    host = hosts_take(&hosts, "a\"b", &is_retry);
    assert_false(is_retry);
    assert_limits(&hosts, 0, "{\"a\\\"b=7\",\"retry a\\\"b=2\",\"*=8\",\"retry *=2\"}");
    for (int i = 0; i < 7; i++)
        (void)hosts_take(&hosts, "a\"b", &is_retry);
    assert_limits(&hosts, 0, "{\"a\\\"b\",\"retry a\\\"b\",\"*=8\",\"retry *=2\"}");
    assert_true(hosts_are_full(&hosts, 0));
    assert_int_equal(hosts_give_back(&hosts, host, false, "", 0), HOST_ROOMY);
    assert_false(hosts_are_full(&hosts, 0));
    hosts_free(&hosts);
}

static void
test_host_retries_have_a_part_that_good_answers_widen(void **state)
{
    struct hosts hosts;
    struct host *host;
    bool is_retry;

    (void)state;
    hosts_init(&hosts, 8);
    host = hosts_take(&hosts, "retry a", &is_retry);
    assert_true(is_retry);
    assert_string_equal(host->name, "a");
    assert_limits(&hosts, 0, "{\"a=7\",\"retry a=1\",\"*=8\",\"retry *=2\"}");
    (void)hosts_take(&hosts, "retry a", &is_retry);
    assert_limits(&hosts, 0, "{\"a=6\",\"retry a\",\"*=8\",\"retry *=2\"}");
    assert_int_equal(hosts_give_back(&hosts, host, true, NULL, 0), HOST_ROOMY);
    assert_limits(&hosts, 0, "{\"a=7\",\"retry a=2\",\"*=8\",\"retry *=2\"}");
    for (int i = 0; i < 20; i++)
        (void)call(&hosts, "a", NULL, 0);
    assert_limits(&hosts, 0, "{\"a=7\",\"retry a=5\",\"*=8\",\"retry *=2\"}");
    (void)call(&hosts, "a", "refused", 0);
    assert_limits(&hosts, 0, "{\"a=7\",\"retry a=1\",\"*=8\",\"retry *=2\"}");
    hosts_free(&hosts);
}

static void
test_host_one_that_fails_is_closed_tried_and_closed_for_longer(void **state)
{
    struct hosts hosts;
    struct host *late;
    bool is_retry;
    int64_t now_ms = 1000;
    int64_t wanted_ms = BOUND_HOST_CLOSED_MS;

    (void)state;
    hosts_init(&hosts, 8);
    late = hosts_take(&hosts, "a", &is_retry);
    for (int i = 1; i < BOUND_HOST_FAILURES; i++)
        assert_int_equal(call(&hosts, "a", i % 2 == 0 ? "network" : "server", now_ms), HOST_AS_BEFORE);
    assert_int_equal(call(&hosts, "a", "in_doubt", now_ms), HOST_CLOSED);
    assert_limits(&hosts, now_ms, "{\"a\",\"retry a\",\"*=8\",\"retry *=2\"}");
    /* One that was under way closes it no further. */
    assert_int_equal(hosts_give_back(&hosts, late, false, "network", now_ms + 1), HOST_AS_BEFORE);
    for (int round = 0; round < 8; round++) {
        assert_limits(&hosts, now_ms + wanted_ms - 1, "{\"a\",\"retry a\",\"*=8\",\"retry *=2\"}");
        now_ms += wanted_ms;
        assert_limits(&hosts, now_ms, "{\"a=1\",\"retry a=1\",\"*=8\",\"retry *=2\"}");
        /* While the trial is under way, no second one. */
        late = hosts_take(&hosts, "a", &is_retry);
        assert_limits(&hosts, now_ms, "{\"a\",\"retry a\",\"*=8\",\"retry *=2\"}");
        assert_int_equal(hosts_give_back(&hosts, late, false, "network", now_ms), HOST_CLOSED);
        wanted_ms = wanted_ms * 2 > BOUND_HOST_MOST_MS ? BOUND_HOST_MOST_MS : wanted_ms * 2;
        assert_int_equal(late->close_ms, wanted_ms);
    }
    now_ms += wanted_ms;
    assert_int_equal(call(&hosts, "a", "rate_limited", now_ms), HOST_OPENED);
    assert_limits(&hosts, now_ms, "{\"*=8\",\"retry *=2\"}");
    /* Then it takes as many failures as before, and as little time. */
    for (int i = 1; i < BOUND_HOST_FAILURES; i++)
        assert_int_equal(call(&hosts, "a", "network", now_ms), HOST_AS_BEFORE);
    assert_int_equal(call(&hosts, "a", "network", now_ms), HOST_CLOSED);
    assert_limits(&hosts, now_ms + BOUND_HOST_CLOSED_MS, "{\"a=1\",\"retry a=1\",\"*=8\",\"retry *=2\"}");
    hosts_free(&hosts);
}

static void
test_host_an_answer_between_failures_keeps_it_open(void **state)
{
    static const char *const kind[] = {NULL, "refused", "rate_limited"};
    struct hosts hosts;

    (void)state;
    hosts_init(&hosts, 8);
    for (int i = 0; i < 100; i++)
        assert_int_equal(call(&hosts, "a", i % 9 == 8 ? kind[i % 3] : "server", 0), HOST_AS_BEFORE);
    /* What says nothing about the host counts as nothing. */
    for (int i = 0; i < 100; i++)
        assert_int_equal(call(&hosts, "b", i % 2 == 0 ? "policy" : "", 0), HOST_AS_BEFORE);
    hosts_free(&hosts);
}

static void
test_host_only_so_many_are_remembered(void **state)
{
    struct hosts hosts;
    char name[32];

    (void)state;
    hosts_init(&hosts, 8);
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
        cmocka_unit_test(test_host_retries_have_a_part_that_good_answers_widen),
        cmocka_unit_test(test_host_one_that_fails_is_closed_tried_and_closed_for_longer),
        cmocka_unit_test(test_host_an_answer_between_failures_keeps_it_open),
        cmocka_unit_test(test_host_only_so_many_are_remembered),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
