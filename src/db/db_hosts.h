/*
 * The parameters of a connection, with every host name resolved in a thread, since libpq 15 would block in PQconnectStart.
 * A host with several addresses becomes several hosts.  Call db_env_set first.
 */
#ifndef DB_DB_HOSTS_H
#define DB_DB_HOSTS_H

#include <stdbool.h>

#include "base/err.h"
#include "loop/loop.h"

struct db_hosts;

/* Keywords and values for PQconnectStartParams, valid during the callback; or NULL and `err`. */
typedef void db_hosts_fn(void *cookie, const char *const *keywords, const char *const *values, const struct err *err);

/* Starts the lookups; the caller frees the result with db_hosts_free, also after `fn` was called.  Texts are copied.  `fn` is
 * called once, perhaps before this function returns.  The first `skip` addresses move to the end of the list: a host may accept
 * connections and not answer. */
struct db_hosts *db_hosts_start(
    struct loop *loop, const char *conninfo, const char *application_name, int skip, db_hosts_fn *fn, void *cookie);

/* Frees the parameters and cancels a lookup under way: `fn` will not be called any more.  NULL is fine. */
void db_hosts_free(struct db_hosts *hosts);

#endif
