/* How long a program believes that its database is there, on a clock of our own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/bounds.h"
#include "db/db_probe.h"

enum { PROMISED_MS = 5000, START_MS = 1000, STEP_MS = 10 };

/* Lives from START_MS on, with a timer like that of the programs.  The network is silent between silent_ms and back_ms: what is
 * sent or under way in that time arrives afterwards.  Returns whether the database counts as there at end_ms. */
static bool
lives(int64_t answer_ms, int64_t silent_ms, int64_t back_ms, int64_t end_ms)
{
    struct db_probe probe = {0};
    int64_t next_ms = START_MS;
    int64_t arrives_ms = 0;

    for (int64_t now_ms = START_MS; now_ms < end_ms; now_ms++) {
        if (now_ms == next_ms) {
            next_ms += BOUND_HEALTH_MS;
            if (db_probe_begin(&probe, now_ms)) {
                arrives_ms = now_ms + answer_ms;
                if (arrives_ms >= silent_ms && now_ms < back_ms)
                    arrives_ms = back_ms + answer_ms;
            }
        }
        if (probe.is_under_way && now_ms == arrives_ms)
            db_probe_end(&probe, false);
    }
    return db_probe_is_fresh(&probe, end_ms);
}

static void
a_silent_network_is_noticed_within_the_promised_time(void **state)
{
    (void)state;
    assert_true((int64_t)BOUND_HEALTHY_MS < (int64_t)PROMISED_MS);
    for (int64_t answer_ms = 1; answer_ms < 2000; answer_ms += 97) {
        for (int64_t silent_ms = 10000; silent_ms < 10000 + 2 * BOUND_HEALTH_MS; silent_ms += STEP_MS) {
            assert_true(lives(answer_ms, silent_ms, 90000, silent_ms));
            assert_false(lives(answer_ms, silent_ms, 90000, silent_ms + PROMISED_MS));
        }
    }
}

static void
slow_answers_are_no_loss(void **state)
{
    (void)state;
    for (int64_t end_ms = 10000; end_ms < 14000; end_ms += STEP_MS)
        assert_true(lives(1900, 90000, 90000, end_ms));
}

static void
the_end_of_a_silence_is_noticed_with_the_next_answer(void **state)
{
    (void)state;
    assert_false(lives(5, 10000, 30000, 29999));
    assert_true(lives(5, 10000, 30000, 30000 + 2 * BOUND_HEALTH_MS));
}

/* An answer that was long under way says nothing of the present. */
static void
a_late_answer_is_no_evidence(void **state)
{
    struct db_probe probe = {0};

    (void)state;
    assert_true(db_probe_begin(&probe, 1000));
    assert_false(db_probe_begin(&probe, 2000));
    db_probe_end(&probe, false);
    assert_true(db_probe_is_fresh(&probe, 1000 + BOUND_HEALTHY_MS));
    assert_false(db_probe_is_fresh(&probe, 1001 + BOUND_HEALTHY_MS));
}

static void
an_error_is_no_evidence(void **state)
{
    struct db_probe probe = {0};

    (void)state;
    assert_false(db_probe_is_fresh(&probe, 1000));
    assert_true(db_probe_begin(&probe, 1000));
    db_probe_end(&probe, true);
    assert_false(db_probe_is_fresh(&probe, 1001));
    assert_true(db_probe_begin(&probe, 2000));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_silent_network_is_noticed_within_the_promised_time),
        cmocka_unit_test(slow_answers_are_no_loss),
        cmocka_unit_test(the_end_of_a_silence_is_noticed_with_the_next_answer),
        cmocka_unit_test(a_late_answer_is_no_evidence),
        cmocka_unit_test(an_error_is_no_evidence),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
