/*
 * The one event loop, a thin skin over libuv.  Nothing in a callback may block: every
 * callback of this folder is timed, and one above 50 ms is reported.
 *
 * Handles (watch, timer, lookup, job) follow libuv's life: make, start, stop, close.  Their
 * memory is freed by the loop after the pass in which they were closed, so no callback
 * meets freed memory.
 */
#ifndef LOOP_LOOP_H
#define LOOP_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"

struct loop;

typedef void loop_fn(void *cookie);
typedef void loop_signal_fn(void *cookie, int signal);

/* A loop, or the end of the process if the system refuses one. */
struct loop *loop_new(void) NODISCARD;

/* Run until loop_stop.  `pass` is called once per pass, before the loop sleeps: the
 * place to flush what was gathered and to fill what is empty. */
void loop_run(struct loop *loop, loop_fn *pass, void *cookie);

/* Let loop_run return after this pass. */
void loop_stop(struct loop *loop);

/* The instant of this pass, in monotonic milliseconds. */
int64_t loop_now_ms(const struct loop *loop);

/* Milliseconds since the machine was started, asked now.  Unlike the clock above, this one also counts
 * the time in which the machine was suspended: a lease on the server runs out meanwhile. */
int64_t loop_boot_ms(void);

/* Call `fn` in the loop when the process gets this signal.  Up to 8. */
void loop_on_signal(struct loop *loop, int signal, loop_signal_fn *fn, void *cookie);

/* Close what is left and free the loop.  Threads that hang in a call are left behind: the
 * process ends without them.  NULL is fine. */
void loop_free(struct loop *loop);

/* --- descriptors ------------------------------------------------------------------ */

enum { WATCH_READ = 1, WATCH_WRITE = 2 };

struct watch;
typedef void watch_fn(void *cookie, int events);

/* Watch a descriptor, which must stay open until watch_close. */
struct watch *watch_new(struct loop *loop, int fd, watch_fn *fn, void *cookie) NODISCARD;

/* Ask for WATCH_READ, WATCH_WRITE or both; 0 stops.  Cheap if nothing changes. */
void watch_want(struct watch *watch, int events);

/* Stop and give back.  NULL is fine. */
void watch_close(struct watch *watch);

/* --- timers ----------------------------------------------------------------------- */

struct timer;

struct timer *timer_new(struct loop *loop, loop_fn *fn, void *cookie) NODISCARD;

/* Fire once after `delay_ms`; starting again moves it. */
void timer_start(struct timer *timer, int64_t delay_ms);

/* Do not fire.  Harmless when idle. */
void timer_stop(struct timer *timer);
bool timer_is_armed(const struct timer *timer);

/* Stop and give back.  NULL is fine. */
void timer_close(struct timer *timer);

/* --- work off the loop ------------------------------------------------------------- */

/* Run `work` in a thread of the pool, then `done` in the loop.  Both get the cookie,
 * which must live until `done`.  For calls that block and have no other form. */
void loop_work(struct loop *loop, loop_fn *work, loop_fn *done, void *cookie);

/* --- shortage --------------------------------------------------------------------- */

/* Does this errno say that the machine or the process has too little of something: descriptors, memory, ports? */
bool loop_is_shortage(int error);

/* Can no descriptor be opened just now? */
bool loop_lacks_descriptors(void);

/* --- names ------------------------------------------------------------------------ */

enum { LOOKUP_ADDRESSES = 8 };

struct lookup_answer {
    int count;                            /* 0: not found */
    char addresses[LOOKUP_ADDRESSES][64]; /* numeric */
    const char *problem;                  /* why not; valid during the callback */
    bool is_short;                        /* not found because we lack descriptors, memory or threads */
};

typedef void lookup_fn(void *cookie, const struct lookup_answer *answer);

struct lookup;

/* Find the addresses of a name in a thread; `fn` is called once, after 5 s at the latest. */
struct lookup *lookup_start(struct loop *loop, const char *name, lookup_fn *fn, void *cookie) NODISCARD;

/* Forget about it: `fn` will not be called.  NULL is fine. */
void lookup_cancel(struct lookup *lookup);

#endif
