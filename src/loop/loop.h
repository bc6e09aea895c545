/*
 * The event loop of the process, a thin layer over libuv.  No callback may block: every
 * callback of this folder is timed, and one that takes more than 50 ms is logged.
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
struct err;

/* Callbacks of the loop.  The cookie belongs to the caller and must live as long as the callback can come. */
typedef void loop_fn(void *cookie);
typedef void loop_signal_fn(void *cookie, int signal);

/* Makes a loop; loop_free frees it.  If the system refuses it, the process ends. */
struct loop *loop_new(void) NODISCARD;

/* Runs until loop_stop.  `pass` is called once per pass, before the loop sleeps: there the caller sends collected work and
 * fills free connections.  `pass` may be NULL. */
void loop_run(struct loop *loop, loop_fn *pass, void *cookie);

/* Makes loop_run return after this pass. */
void loop_stop(struct loop *loop);

/* Time of this pass, in monotonic milliseconds. */
int64_t loop_now_ms(const struct loop *loop);

/* Milliseconds since the machine was started, read at this call.  Unlike loop_now_ms, this clock also counts the time in
 * which the machine was suspended, because a lease on the server runs out meanwhile.  A machine without this clock ends the
 * process. */
int64_t loop_boot_ms(void);

/* Calls `fn` in the loop when the process gets this signal, until loop_free.  A ninth signal is a bug: the process aborts. */
void loop_on_signal(struct loop *loop, int signal, loop_signal_fn *fn, void *cookie);

/* Frees the loop.  The owners of watches, timers and lookups have closed or cancelled them before.  Calls of loop_work get
 * half a second to end; a thread that hangs longer is not waited for, and the memory of the loop is then never freed.  NULL
 * is fine. */
void loop_free(struct loop *loop);

/* --- descriptors ------------------------------------------------------------------ */

/* Events of a descriptor; they can be added up. */
enum { WATCH_READ = 1, WATCH_WRITE = 2 };

struct watch;
/* Called with the events that have come.  After an error of the descriptor, both events are reported. */
typedef void watch_fn(void *cookie, int events);

/* Makes a watch that waits for nothing yet; watch_close frees it.  The caller owns the descriptor and keeps it open until
 * watch_close.  If the system refuses the descriptor, the process ends. */
struct watch *watch_new(struct loop *loop, int fd, watch_fn *fn, void *cookie) NODISCARD;

/* Asks for WATCH_READ, WATCH_WRITE or both; 0 stops.  A call that changes nothing is cheap. */
void watch_want(struct watch *watch, int events);

/* Stops and frees the watch.  NULL is fine. */
void watch_close(struct watch *watch);

/* --- timers ----------------------------------------------------------------------- */

struct timer;

/* Makes a timer that is not armed; timer_close frees it. */
struct timer *timer_new(struct loop *loop, loop_fn *fn, void *cookie) NODISCARD;

/* Calls `fn` once after delay_ms milliseconds; 0 or less: in the next pass.  A second start sets a new time. */
void timer_start(struct timer *timer, int64_t delay_ms);

/* Stops the timer; harmless if it is not armed. */
void timer_stop(struct timer *timer);
bool timer_is_armed(const struct timer *timer);

/* Stops and frees the timer.  NULL is fine. */
void timer_close(struct timer *timer);

/* --- work off the loop ------------------------------------------------------------- */

/* Calls `work` in a thread of the pool, then `done` in the loop.  Both get the cookie, which must live until `done`.  Only
 * for calls that block and have no asynchronous form.  `work` cannot be cancelled.  If it
 * hangs when the loop is freed, `done` is never called. */
void loop_work(struct loop *loop, loop_fn *work, loop_fn *done, void *cookie);

/* --- child processes ---------------------------------------------------------------- */

/* Descriptors that a child gets: 0 to SPAWN_DESCRIPTORS - 1. */
enum { SPAWN_DESCRIPTORS = 7 };

/* A child to be started.  The caller owns everything. */
struct spawn_options {
    const char *file;
    char **arguments;                   /* with the name, ended by NULL */
    char **environment;                 /* NAME=VALUE, ended by NULL */
    int descriptors[SPAWN_DESCRIPTORS]; /* our descriptors that become these numbers; -1: none, and /dev/null up to 2 */
};

/* The child has ended, with an exit code or by a signal; number 0: no signal. */
typedef void spawn_exit_fn(void *cookie, int code, int number);

struct spawn;

/* Starts a child in a session and a process group of its own; spawn_close frees it.  The caller closes our copies of the
 * descriptors.  NULL: the system refused, as `err` says. */
struct spawn *spawn_new(
    struct loop *loop, const struct spawn_options *options, spawn_exit_fn *fn, void *cookie, struct err *err) NODISCARD;

/* Its process id, which is also the number of its group. */
int spawn_pid(const struct spawn *spawn);

/* Sends a signal to its whole group, as long as the child has not ended. */
void spawn_kill_group(const struct spawn *spawn, int number);

/* Frees the child.  `fn` is not called any more.  NULL is fine. */
void spawn_close(struct spawn *spawn);

/* --- shortage --------------------------------------------------------------------- */

/* Does this errno mean that the machine or the process lacks descriptors, memory or ports? */
bool loop_is_shortage(int error);

/* Is it impossible to open a descriptor now, for lack of descriptors or memory? */
bool loop_lacks_descriptors(void);

/* --- names ------------------------------------------------------------------------ */

/* Largest number of addresses of an answer; the rest is dropped. */
enum { LOOKUP_ADDRESSES = 8 };

/* Addresses of a name. */
struct lookup_answer {
    int count;                            /* number of addresses; 0: not found */
    char addresses[LOOKUP_ADDRESSES][64]; /* numeric */
    const char *problem;                  /* reason if none was found; valid during the callback */
    bool is_short;                        /* none was found because this process lacks descriptors, memory or threads */
};

/* Called once; the answer is valid during the callback. */
typedef void lookup_fn(void *cookie, const struct lookup_answer *answer);

struct lookup;

/* Looks up the addresses of a name, which is copied, in a thread.  `fn` is called once, from the loop, after BOUND_RESOLVE_MS
 * at the latest.  The loop owns the lookup, which is valid until `fn` is called or the lookup is cancelled. */
struct lookup *lookup_start(struct loop *loop, const char *name, lookup_fn *fn, void *cookie) NODISCARD;

/* Cancels the lookup: `fn` will not be called.  NULL is fine. */
void lookup_cancel(struct lookup *lookup);

#endif
