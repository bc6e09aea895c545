/* Sessions, failed logins, and documents that viewers share; the time is passed in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/bounds.h"
#include "serve/attempts.h"
#include "serve/cache.h"
#include "serve/session.h"

/* --- sessions -------------------------------------------------------------------------------- */

static void
a_cookie_leads_to_its_session(void **state)
{
    struct sessions *sessions = sessions_new(1000);
    struct session *anna = session_add(sessions, "anna", "anna", 1, 0);
    struct session *berta = session_add(sessions, "berta", "berta", 0, 0);
    char cookie[SESSION_COOKIE];

    (void)state;
    session_cookie(sessions, anna, cookie);
    assert_int_equal(strlen(cookie), SESSION_COOKIE - 1);
    assert_ptr_equal(session_find(sessions, cookie, 999), anna);
    assert_string_not_equal(anna->token, berta->token);
    assert_null(strstr(cookie, anna->token));
    assert_ptr_equal(session_of_person(sessions, "berta", 10), berta);
    session_drop(sessions, anna);
    assert_null(session_find(sessions, cookie, 10));
    sessions_free(sessions);
}

static void
a_cookie_that_was_changed_is_none(void **state)
{
    struct sessions *sessions = sessions_new(1000);
    struct sessions *others = sessions_new(1000);
    char cookie[SESSION_COOKIE];

    (void)state;
    session_cookie(sessions, session_add(sessions, "anna", "", 0, 0), cookie);
    for (size_t i = 0; i < strlen(cookie); i++) {
        char old = cookie[i];

        cookie[i] = old == '0' ? '1' : '0';
        assert_null(session_find(sessions, cookie, 1));
        cookie[i] = old;
    }
    assert_non_null(session_find(sessions, cookie, 1));
    assert_null(session_find(others, cookie, 1));
    assert_null(session_find(sessions, "", 1));
    cookie[40] = '\0';
    assert_null(session_find(sessions, cookie, 1));
    sessions_free(sessions);
    sessions_free(others);
}

static void
a_session_ends_with_its_time(void **state)
{
    struct sessions *sessions = sessions_new(1000);
    struct sessions *idle = sessions_new((int64_t)BOUND_SESSION_IDLE_MS * 10);
    char cookie[SESSION_COOKIE];

    (void)state;
    session_cookie(sessions, session_add(sessions, "anna", "", 0, 0), cookie);
    assert_non_null(session_find(sessions, cookie, 999));
    assert_null(session_find(sessions, cookie, 1000));
    assert_int_equal(sessions_count(sessions), 0);
    session_cookie(idle, session_add(idle, "anna", "", 0, 0), cookie);
    assert_non_null(session_find(idle, cookie, BOUND_SESSION_IDLE_MS - 1));
    assert_non_null(session_find(idle, cookie, 2 * (int64_t)BOUND_SESSION_IDLE_MS - 2));
    assert_null(session_find(idle, cookie, 3 * (int64_t)BOUND_SESSION_IDLE_MS));
    sessions_free(sessions);
    sessions_free(idle);
}

static void
of_too_many_sessions_the_least_used_goes(void **state)
{
    struct sessions *sessions = sessions_new(1000);
    char first[SESSION_COOKIE];
    char second[SESSION_COOKIE];

    (void)state;
    session_cookie(sessions, session_add(sessions, "first", "", 0, 0), first);
    session_cookie(sessions, session_add(sessions, "second", "", 0, 0), second);
    for (int i = 2; i < BOUND_SESSIONS; i++)
        (void)session_add(sessions, "other", "", 0, 0);
    assert_non_null(session_find(sessions, first, 1));
    (void)session_add(sessions, "one more", "", 0, 2);
    assert_int_equal(sessions_count(sessions), BOUND_SESSIONS);
    assert_non_null(session_find(sessions, first, 3));
    assert_null(session_find(sessions, second, 3));
    sessions_free(sessions);
}

static void
secrets_are_compared_as_a_whole(void **state)
{
    (void)state;
    assert_true(secret_is("abc", "abc"));
    assert_false(secret_is("abd", "abc"));
    assert_false(secret_is("ab", "abc"));
    assert_false(secret_is("abcabc", "abc"));
    assert_false(secret_is("", "abc"));
    assert_false(secret_is("abc", ""));
    assert_true(secret_is("", ""));
}

/* --- failed logins ------------------------------------------------------------------------------ */

static void
after_five_failures_each_wait_is_twice_as_long(void **state)
{
    struct attempts *attempts = attempts_new();
    int64_t now_ms = 1;

    (void)state;
    for (int i = 0; i < BOUND_ATTEMPTS_FREE; i++) {
        assert_int_equal(attempts_wait_ms(attempts, "peer a", now_ms), 0);
        attempts_count(attempts, "peer a", now_ms);
    }
    assert_int_equal(attempts_wait_ms(attempts, "peer a", now_ms), BOUND_ATTEMPT_MS);
    attempts_count(attempts, "peer a", now_ms);
    assert_int_equal(attempts_wait_ms(attempts, "peer a", now_ms), 2 * BOUND_ATTEMPT_MS);
    assert_int_equal(attempts_wait_ms(attempts, "peer a", now_ms + 2 * BOUND_ATTEMPT_MS), 0);
    for (int i = 0; i < 100; i++)
        attempts_count(attempts, "peer a", now_ms);
    assert_int_equal(attempts_wait_ms(attempts, "peer a", now_ms), BOUND_ATTEMPT_MOST_MS);
    attempts_forgive(attempts, "peer a");
    assert_int_equal(attempts_wait_ms(attempts, "peer a", now_ms), 0);
    attempts_free(attempts);
}

static void
failures_of_long_ago_are_forgotten(void **state)
{
    struct attempts *attempts = attempts_new();

    (void)state;
    for (int i = 0; i < 50; i++)
        attempts_count(attempts, "name a", 0);
    attempts_count(attempts, "name a", 3 * (int64_t)BOUND_ATTEMPT_MOST_MS);
    assert_int_equal(attempts_wait_ms(attempts, "name a", 3 * (int64_t)BOUND_ATTEMPT_MOST_MS), 0);
    attempts_free(attempts);
}

/* --- shared documents ----------------------------------------------------------------------------- */

static struct document *
made(struct cache *cache, const char *key, int64_t now_ms)
{
    bool is_new;
    struct document *document = cache_get(cache, key, now_ms, &is_new);

    assert_true(is_new);
    buf_puts(&document->json, "{}");
    document->is_found = true;
    cache_keep(document, now_ms);
    return document;
}

static void
viewers_share_a_document_for_a_while(void **state)
{
    struct cache *cache = cache_new();
    bool is_new;
    struct document *asked = cache_get(cache, "a", 0, &is_new);

    (void)state;
    assert_true(is_new);
    assert_ptr_equal(cache_get(cache, "a", 1, &is_new), asked);
    assert_false(is_new);
    cache_keep(asked, 10);
    assert_ptr_equal(cache_get(cache, "a", 10 + BOUND_DOCUMENT_MS - 1, &is_new), asked);
    assert_false(is_new);
    (void)cache_get(cache, "b", 11, &is_new);
    assert_true(is_new);
    (void)cache_get(cache, "a", 10 + BOUND_DOCUMENT_MS, &is_new);
    assert_true(is_new);
    cache_free(cache);
}

static void
after_an_act_nobody_sees_what_was_before(void **state)
{
    struct cache *cache = cache_new();
    bool is_new;
    struct document *asked;

    (void)state;
    (void)made(cache, "a", 0);
    asked = cache_get(cache, "b", 0, &is_new);
    cache_clear(cache);
    (void)cache_get(cache, "a", 1, &is_new);
    assert_true(is_new);
    (void)cache_get(cache, "b", 1, &is_new);
    assert_true(is_new);
    cache_keep(asked, 1); /* it is freed */
    cache_free(cache);
}

static void
documents_take_a_bounded_room(void **state)
{
    struct cache *cache = cache_new();
    char key[16];
    bool is_new;
    int kept = 0;

    (void)state;
    for (int i = 0; i < 2 * BOUND_DOCUMENTS; i++) {
        (void)snprintf(key, sizeof(key), "%d", i);
        (void)made(cache, key, 0);
    }
    for (int i = 0; i < 2 * BOUND_DOCUMENTS; i++) {
        (void)snprintf(key, sizeof(key), "%d", i);
        cache_drop(cache_get(cache, key, 0, &is_new));
        kept += !is_new;
    }
    assert_in_range(kept, 1, BOUND_DOCUMENTS + 1);
    cache_free(cache);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cookie_leads_to_its_session),
        cmocka_unit_test(a_cookie_that_was_changed_is_none),
        cmocka_unit_test(a_session_ends_with_its_time),
        cmocka_unit_test(of_too_many_sessions_the_least_used_goes),
        cmocka_unit_test(secrets_are_compared_as_a_whole),
        cmocka_unit_test(after_five_failures_each_wait_is_twice_as_long),
        cmocka_unit_test(failures_of_long_ago_are_forgotten),
        cmocka_unit_test(viewers_share_a_document_for_a_while),
        cmocka_unit_test(after_an_act_nobody_sees_what_was_before),
        cmocka_unit_test(documents_take_a_bounded_room),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
