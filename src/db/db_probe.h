/*
 * Evidence that the database answers.  A program that shows its health sends a probe every BOUND_HEALTH_MS: a network that drops
 * packets closes no connection.  A probe that was answered is evidence for BOUND_HEALTHY_MS from its sending, not from its
 * answer.  So no evidence lasts longer than that after the last moment at which the database was there.
 *
 * All times are those of loop_now_ms.
 */
#ifndef DB_DB_PROBE_H
#define DB_DB_PROBE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"

/* The probes of a program.  All zero: none was sent. */
struct db_probe {
    bool is_under_way;   /* a probe was sent and has not been answered */
    int64_t sent_ms;     /* time at which the last probe was sent */
    int64_t answered_ms; /* time at which the last probe that was answered was sent; 0: none */
};

/* A probe is to be sent now.  False: the last one is still under way, and none may be sent. */
NODISCARD bool db_probe_begin(struct db_probe *probe, int64_t now_ms);

/* The last probe has ended.  has_failed: with an error, so it is no evidence. */
void db_probe_end(struct db_probe *probe, bool has_failed);

/* Has the database answered lately? */
bool db_probe_is_fresh(const struct db_probe *probe, int64_t now_ms);

#endif
