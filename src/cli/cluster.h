/*
 * A private PostgreSQL in a folder, for development: made on first use, started, stopped,
 * and resumed after whatever happened to it.  It never runs as root: started by root, it
 * belongs to the user postgres (or nobody).
 *
 *     DIR           ours, 0700; started by root, the server's group may pass through
 *     DIR/server    the server's, 0700: data, socket, logs, password
 *
 * Nobody else can reach the socket, and whoever reaches it must be the developer (peer) or know
 * the password (scram).  What is below DIR/server is read and written as the server's user only.
 */
#ifndef CLI_CLUSTER_H
#define CLI_CLUSTER_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"
#include "cli/folder.h"

struct cluster {
    struct folder dir;
    struct folder server;
    char bin[200];    /* folder of the PostgreSQL programs */
    char socket[200]; /* folder of the Unix socket */
    int port;
    uid_t uid; /* who runs it */
    gid_t gid;
    char developer[256]; /* who started us: the user on the other side of the socket */
    bool is_chosen;      /* nobody named the folder */
    bool is_new;         /* made just now */
    char conninfo[400];  /* of database "reeve", as its superuser; no secret */
};

/* Make sure that it runs, with a database called reeve.  `dir` NULL: where folder_choose says. */
NODISCARD bool cluster_start(struct cluster *cluster, const char *dir, struct err *err);

/* Stop it; what was committed stays. */
void cluster_stop(const struct cluster *cluster);

/* Remove it and its folder. */
void cluster_remove(const struct cluster *cluster);

#endif
