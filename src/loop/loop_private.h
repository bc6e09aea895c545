/*
 * Declarations that the files of this folder share.  Only they include uv.h.
 */
#ifndef LOOP_LOOP_PRIVATE_H
#define LOOP_LOOP_PRIVATE_H

#include <uv.h>

#include "loop/loop.h"

enum { LOOP_SIGNALS = 8 };

struct loop_signal {
    uv_signal_t handle;
    struct loop *loop;
    loop_signal_fn *fn;
    void *cookie;
};

struct lookups;

struct loop {
    uv_loop_t uv;
    struct lookups *lookups;
    uv_prepare_t prepare; /* calls the pass before each sleep */
    loop_fn *pass;
    void *pass_cookie;
    struct loop_signal signals[LOOP_SIGNALS];
    int signal_count;
};

/* Name lookups of one loop.  lookups_close comes before the last pass of the loop, and does not wait for lookups under way. */
struct lookups *lookups_new(struct loop *loop) NODISCARD;
void lookups_close(struct lookups *lookups);

/* Measure the time between the two calls, and log it if it is longer than BOUND_SLOW_CALLBACK_MS.  `entered` is the value of
 * loop_enter, in nanoseconds. */
uint64_t loop_enter(void);
void loop_leave(const char *what, uint64_t entered);

/* Ends the process if `status` is an error of libuv: a call failed that should not fail. */
void loop_must(int status, const char *what);

#endif
