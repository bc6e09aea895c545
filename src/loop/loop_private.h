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

struct lookups;

struct loop {
    uv_loop_t uv;
    struct lookups *lookups;
    uv_prepare_t prepare; /* runs the pass before each sleep */
    loop_fn *pass;
    void *pass_cookie;
    struct loop_signal signals[LOOP_SIGNALS];
    int signal_count;
};

/* Lookups of names of one loop.  Closed before the loop runs for the last time; a lookup that
 * is still under way then is not waited for. */
struct lookups *lookups_new(struct loop *loop) NODISCARD;
void lookups_close(struct lookups *lookups);

/* Times what happens between the two and reports it if it took too long. */
uint64_t loop_enter(void);
void loop_leave(const char *what, uint64_t entered);

/* End the process if libuv refuses what cannot fail. */
void loop_must(int status, const char *what);

#endif
