/*
 * A private PostgreSQL in a folder, for development.  It is made on first use, started, stopped, and resumed after a crash.
 * The server is never a process of root: if root starts it, it belongs to the user postgres (or nobody).
 *
 *     DIR           belongs to the user, 0700; if root starts it, the Unix group of the server may pass through
 *     DIR/server    belongs to the server's user, 0700: data, socket, logs, password
 *
 * Other users cannot reach the socket.  A client must be the developer (peer) or know the password (scram).  Only processes
 * with the server's user read and write below DIR/server.
 */
#ifndef CLI_CLUSTER_H
#define CLI_CLUSTER_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"
#include "cli/folder.h"

/* A private server.  cluster_start fills it.  It owns no memory, and two descriptors (dir, server) until the process ends. */
struct cluster {
    struct folder dir;
    struct folder server;
    char bin[200];    /* folder of the PostgreSQL programs */
    char socket[200]; /* folder of the Unix socket */
    int port;
    uid_t uid;           /* user of the server process */
    gid_t gid;           /* Unix group of that user */
    char developer[256]; /* name of the user who started reeve: the client of the socket */
    bool is_chosen;      /* the user named no folder */
    bool is_new;         /* made by this start */
    char conninfo[400];  /* connection string of database "reeve", as its superuser; it has no secret */
};

/* Makes sure that the server is up, with a database called reeve.  `dir` NULL: the folder of folder_choose.  False: `err` says
 * why it is not up. */
NODISCARD bool cluster_start(struct cluster *cluster, const char *dir, struct err *err);

/* Stops the server and waits for its end; committed data stays.  A failure is not reported. */
void cluster_stop(const struct cluster *cluster);

/* Removes the files of a server that is stopped, and its folder.  Files that cannot be removed stay. */
void cluster_remove(const struct cluster *cluster);

#endif
