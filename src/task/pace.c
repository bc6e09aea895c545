#include "task/pace.h"

#include "base/bounds.h"

void
pace_init(struct pace *pace, int first, int most)
{
    *pace = (struct pace){.limit = first < most ? first : most, .most = most, .direction = 1};
}

static void
begin_stretch(struct pace *pace, int64_t now_ms)
{
    pace->began_ms = now_ms;
    pace->done = 0;
    pace->batches = 0;
    pace->was_short = false;
    pace->was_cold = false;
}

static void
begin_trial(struct pace *pace)
{
    int more = pace->limit * 2 > pace->most ? pace->most : pace->limit * 2;

    if (pace->most == 1)
        return;
    if (pace->limit == pace->most)
        pace->direction = -1;
    else if (pace->limit == 1)
        pace->direction = 1;
    pace->before = pace->limit;
    pace->limit = pace->direction > 0 ? more : pace->limit / 2;
    pace->is_trial = true;
}

static void
end_trial(struct pace *pace, int64_t now_ms, double rate)
{
    bool is_good = pace->direction > 0 ? rate > pace->rate * 1.15 : rate > pace->rate * 0.95;

    pace->is_trial = false;
    if (is_good) {
        pace->rate = rate;
        pace->has_failed = false;
        if (pace->limit > 1 && pace->limit < pace->most)
            begin_trial(pace); /* Try further in this direction. */
        return;
    }
    pace->limit = pace->before;
    pace->direction = -pace->direction;
    /* One failure may be chance, and from the top there is only one direction. */
    if (pace->has_failed)
        pace->trial_due_ms = now_ms + (pace->limit == pace->most ? BOUND_PACE_REST_MS / 4 : BOUND_PACE_REST_MS);
    pace->has_failed = !pace->has_failed;
}

void
pace_on_batch(struct pace *pace, int64_t now_ms, int done, int64_t took_ms)
{
    int64_t age_ms = now_ms - pace->began_ms;
    double rate;

    pace->batch_ms += ((double)took_ms - pace->batch_ms) / 8;
    pace->done += done;
    pace->batches++;
    if (pace->began_ms == 0 || (pace->was_short && age_ms >= BOUND_PACE_MS)) {
        begin_stretch(pace, now_ms);
        return;
    }
    if (pace->was_short || age_ms < BOUND_PACE_MS || pace->batches < 2 * pace->limit)
        return;
    if (pace->was_cold && pace->cold_stretches < BOUND_PACE_COLD) {
        pace->cold_stretches++;
        begin_stretch(pace, now_ms);
        return;
    }
    pace->cold_stretches = 0;
    rate = (double)pace->done / (double)age_ms;
    if (pace->is_trial) {
        end_trial(pace, now_ms, rate);
    } else {
        pace->rate = rate;
        if (now_ms >= pace->trial_due_ms)
            begin_trial(pace);
    }
    begin_stretch(pace, now_ms);
}

void
pace_on_cold(struct pace *pace)
{
    pace->was_cold = true;
}

void
pace_on_short(struct pace *pace)
{
    pace->was_short = true;
}

bool
pace_is_slow(const struct pace *pace, int64_t age_ms)
{
    return (double)age_ms > 10 * (pace->batch_ms + BOUND_BATCH_MS);
}

int
pace_per_second(const struct pace *pace, int64_t now_ms)
{
    int64_t age_ms = now_ms - pace->began_ms;
    double rate = pace->rate;

    if (age_ms > 1000 && (double)pace->done / (double)age_ms < rate)
        rate = (double)pace->done / (double)age_ms;
    return (int)(rate * 1000);
}
