/*
 * A private PostgreSQL in a folder, for development: made on first use, started, stopped,
 * and resumed after whatever happened to it.  It never runs as root: started by root, it
 * belongs to the user postgres (or nobody), and so does its folder.
 */
#ifndef CLI_CLUSTER_H
#define CLI_CLUSTER_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"

struct cluster {
    char dir[400];    /* absolute */
    char bin[200];    /* folder of the PostgreSQL programs */
    char socket[200]; /* folder of the Unix socket */
    int port;
    uid_t uid; /* who runs it */
    gid_t gid;
    char conninfo[700]; /* of database "reeve", as its superuser */
};

/* Make sure that it runs, with a database called reeve. */
NODISCARD bool cluster_start(struct cluster *cluster, const char *dir, struct err *err);

/* Stop it; what was committed stays. */
void cluster_stop(const struct cluster *cluster);

#endif
