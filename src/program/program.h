/*
 * The children of `reeve run`: a carrier (channel/carrier.h) whose places are child processes that speak the protocol
 * (protocol.h).  It starts as many as it should keep, starts one again when one ends, waits longer each time if they end
 * without work, and replaces them on request without losing work.  Programs that are started once per task have no protocol.
 */
#ifndef PROGRAM_PROGRAM_H
#define PROGRAM_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "channel/carrier.h"

/* Options.  The caller owns everything, and it must outlive the program. */
struct program_options {
    char **command;     /* the program and its arguments, ended by NULL */
    char **environment; /* NAME=VALUE, ended by NULL; nothing else is given to a child */
    int processes;      /* children at once */
    bool is_stdio;      /* the protocol is on descriptors 0 and 1 instead of 3 and 4 */
    bool is_once;       /* one child per task: JSON on descriptor 0, the result on 1 */
    const char
        *types; /* array literal of the task types to serve, each in quotes; NULL: all that a child names; is_once: needed */
    int64_t hello_ms;      /* time that a child has for its hello line */
    int64_t kill_ms;       /* time between the request to end, TERM and KILL */
    int64_t ping_ms;       /* time without a line after which a child that answers pings is asked; 0: never */
    int64_t max_tasks;     /* tasks after which a child is replaced; 0: never */
    int64_t memory_bytes;  /* resident memory of a child with which it is replaced; twice as much kills it; 0: no limit */
    bool keeps_output;     /* the latest output of a child is kept with the error of its task */
    const char *mask;      /* umask, octal; NULL: as it is */
    const char *limits;    /* NAME=VALUE,...; NULL: as they are */
    const char *user;      /* NULL: as it is */
    const char *directory; /* working directory; NULL: as it is */
};

struct program;

/* Makes a program without children; they start with carrier.begin.  program_free frees it. */
struct program *program_new(const struct program_options *options) NODISCARD;

/* The carrier of this program, which owns it. */
const struct carrier *program_carrier(const struct program *program);

/* Frees the program after carrier.end, or if carrier.begin was never called.  NULL is fine. */
void program_free(struct program *program);

#endif
