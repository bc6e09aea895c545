/*
 * The figures of the whole database, kept for whoever asks.  A page is answered from memory, so it is quick also while the
 * database is slow or gone.  The figures are asked for every few seconds; a slow answer makes the next question come later, so
 * that the question takes at most a twentieth of the time.  Two connections: one asks for figures, one asks whether the database
 * is there.
 */
#ifndef CLI_FIGURES_H
#define CLI_FIGURES_H

#include <stdbool.h>

#include "base/attr.h"
#include "loop/loop.h"
#include "metrics/metrics.h"
#include "web/web_server.h"

struct figures;

/* Begins to ask.  `conninfo` is copied; the name is static text that begins the names of the connections.  figures_stop and then
 * figures_free free it. */
struct figures *figures_new(struct loop *loop, const char *conninfo, const char *application_name) NODISCARD;

/* Did the database answer lately?  *ret_reason says why not. */
bool figures_are_fresh(const struct figures *figures, const char **ret_reason);

/* The set of series, to which the owner adds figures of its own. */
struct metrics *figures_metrics(struct figures *figures);

/* Fills the answer with all figures. */
void figures_write(struct figures *figures, struct web_request *request);

/* Closes the connections, before loop_free.  NULL is fine. */
void figures_stop(struct figures *figures);

/* Frees the figures, after loop_free.  NULL is fine. */
void figures_free(struct figures *figures);

#endif
