/*
 * simulate [--from SEED] [--seeds COUNT] [--seed SEED [--trace]] [--twice] [--script]
 * Plays histories.  The first one that goes wrong is told with its seed, which repeats it.
 */
#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim.h"

struct totals {
    int64_t played;
    int64_t tasks;
    int64_t events;
    int64_t statements;
    int64_t slots;
    int64_t virtual_us;
    int64_t longest_wait_us;
    int64_t failed;
};

static double
seconds(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* False: it went wrong, or not the same way twice. */
static bool
play(uint64_t seed, bool is_trace, bool is_twice, struct totals *totals)
{
    bool ok = world_play(seed, is_trace);
    uint64_t digest = sim->digest;

    totals->played++;
    totals->tasks += sim->task_count;
    totals->events += sim->events;
    totals->statements += sim->statements;
    totals->slots += schedules_slots();
    totals->virtual_us += sim->now_us;
    if (sim->longest_wait_us > totals->longest_wait_us)
        totals->longest_wait_us = sim->longest_wait_us;
    if (!ok)
        (void)printf("seed %" PRIu64 " failed after %.3f s: %s\n", seed, (double)sim->now_us / 1e6, sim->failure);
    world_free();
    if (!is_twice)
        return ok;
    (void)world_play(seed, false);
    if (sim->digest != digest) {
        (void)printf("seed %" PRIu64 " does not repeat itself\n", seed);
        ok = false;
    }
    world_free();
    return ok;
}

static bool
read_number(int argc, char **argv, int *i, const char *name, uint64_t *ret_number)
{
    if (strcmp(argv[*i], name) != 0 || *i + 1 >= argc)
        return false;
    *ret_number = strtoull(argv[++*i], NULL, 10);
    return true;
}

int
main(int argc, char **argv)
{
    uint64_t from = 1;
    uint64_t count = 200;
    uint64_t seed = 0;
    uint64_t stop_after = 1;
    bool is_trace = false;
    bool is_twice = false;
    struct totals totals = {0};
    double began = seconds();
    double took;

    (void)mallopt(M_MMAP_THRESHOLD, 1 << 30);
    (void)mallopt(M_TRIM_THRESHOLD, 1 << 30);
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--script") == 0)
            return script_main();
        if (strcmp(argv[i], "--trace") == 0)
            is_trace = true;
        else if (strcmp(argv[i], "--twice") == 0)
            is_twice = true;
        else if (!read_number(argc, argv, &i, "--from", &from) && !read_number(argc, argv, &i, "--seeds", &count)
                 && !read_number(argc, argv, &i, "--seed", &seed) && !read_number(argc, argv, &i, "--failures", &stop_after)) {
            (void)fprintf(stderr, "simulate: unknown argument \"%s\"\n", argv[i]);
            return 2;
        }
    }
    if (seed != 0) {
        from = seed;
        count = 1;
    }
    for (uint64_t i = 0; i < count && totals.failed < (int64_t)stop_after; i++)
        totals.failed += !play(from + i, is_trace, is_twice, &totals);
    took = seconds() - began;
    (void)printf("%" PRId64 " seeds in %.1f s, %.0f a second: %" PRId64 " tasks, %" PRId64 " slots, %" PRId64
                 " statements, %" PRId64 " events, %.1f virtual hours, longest wait %.3f s\n",
        totals.played, took, (double)totals.played / took, totals.tasks, totals.slots, totals.statements, totals.events,
        (double)totals.virtual_us / 3.6e9, (double)totals.longest_wait_us / 1e6);
    (void)printf("%" PRId64 " passed, %" PRId64 " failed\n", totals.played - totals.failed, totals.failed);
    return totals.failed == 0 ? 0 : 1;
}
