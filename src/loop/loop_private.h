/*
 * What the files of this folder share.  Only they include uv.h.
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

struct loop {
    uv_loop_t uv;
    uv_prepare_t prepare; /* runs the pass before each sleep */
    loop_fn *pass;
    void *pass_cookie;
    struct loop_signal signals[LOOP_SIGNALS];
    int signal_count;
};

/* Times what happens between the two and reports it if it took too long. */
uint64_t loop_enter(void);
void loop_leave(const char *what, uint64_t entered);

/* End the process if libuv refuses what cannot fail. */
void loop_must(int status, const char *what);

#endif
