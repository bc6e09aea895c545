/*
 * A table of fixed size with the hashes of names and addresses.  A text whose hash is taken shares the count of another one, so
 * nobody can push entries out: at worst a login waits that need not.
 */
#include "serve/attempts.h"

#include <stdlib.h>

#include "base/bounds.h"
#include "base/err.h"
#include "base/outside.h"

struct entry {
    int count;
    int64_t latest_ms;
};

struct attempts {
    uint64_t seed;
    struct entry entries[BOUND_ATTEMPTS];
};

struct attempts *
attempts_new(void)
{
    struct attempts *attempts = must_alloc(sizeof(*attempts));

    outside_random(&attempts->seed, sizeof(attempts->seed));
    return attempts;
}

static size_t
place(const struct attempts *attempts, const char *text)
{
    uint64_t hash = attempts->seed;

    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * 1099511628211U;
    return (size_t)((hash ^ hash >> 29) % BOUND_ATTEMPTS);
}

static int64_t
delay_ms(int count)
{
    int64_t delay = BOUND_ATTEMPT_MS;

    if (count < BOUND_ATTEMPTS_FREE)
        return 0;
    for (int i = BOUND_ATTEMPTS_FREE; i < count && delay < BOUND_ATTEMPT_MOST_MS; i++)
        delay *= 2;
    return delay < BOUND_ATTEMPT_MOST_MS ? delay : BOUND_ATTEMPT_MOST_MS;
}

int64_t
attempts_wait_ms(const struct attempts *attempts, const char *text, int64_t now_ms)
{
    const struct entry *entry = &attempts->entries[place(attempts, text)];
    int64_t wait_ms = entry->latest_ms + delay_ms(entry->count) - now_ms;

    return entry->count == 0 || wait_ms < 0 ? 0 : wait_ms;
}

void
attempts_count(struct attempts *attempts, const char *text, int64_t now_ms)
{
    struct entry *entry = &attempts->entries[place(attempts, text)];

    /* Failures that are long past no longer count. */
    if (now_ms - entry->latest_ms > 2 * BOUND_ATTEMPT_MOST_MS)
        entry->count = 0;
    if (entry->count < 64)
        entry->count++;
    entry->latest_ms = now_ms;
}

void
attempts_forgive(struct attempts *attempts, const char *text)
{
    attempts->entries[place(attempts, text)].count = 0;
}

void
attempts_free(struct attempts *attempts)
{
    free(attempts);
}
