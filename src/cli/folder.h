/*
 * Folders that belong to this user alone.  A stranger who may write to a folder above could replace it, so the folders above
 * must belong to this user or root, too.  Links are not followed, and a folder of another user is refused.  `err` names the
 * folder, the reason, and what to do.
 */
#ifndef CLI_FOLDER_H
#define CLI_FOLDER_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"

enum { FOLDER_BYTES = 1024 }; /* longest path, with the names of files in the folder */

/* An open folder that only this user can write to; folder_close closes it. */
struct folder {
    char path[FOLDER_BYTES]; /* absolute */
    int fd;                  /* open descriptor of the folder; owned */
    bool is_new;             /* made by this call */
};

/* Chooses the folder for the current folder of the process.  It is elsewhere, because others may be able to write to the
 * current folder, or the server's user may be unable to enter it.  The path is written to `path`, which has `size` bytes.
 * False: the path cannot be made, as `err` says. */
NODISCARD bool folder_choose(char *path, size_t size, struct err *err);

/* Opens or makes a folder of this user; folder_close closes it, also after a failure.  False: the folder is refused, as `err`
 * says.  If `gid` is not the Unix group of this user, its members may pass. */
NODISCARD bool folder_open(struct folder *folder, const char *path, gid_t gid, struct err *err);

/* The same for a folder in `parent`.  It belongs to `owner`, and only this user may enter it. */
NODISCARD bool folder_enter(
    const struct folder *parent, const char *name, uid_t owner, gid_t gid, struct folder *folder, struct err *err);

/* Does the folder have an entry of this name? */
bool folder_has(const struct folder *folder, const char *name);

/* Removes `path` and all below it; links are not followed.  What cannot be removed stays. */
void folder_clear(const char *path);

/* Closes the descriptor, if there is one; the folder stays. */
void folder_close(struct folder *folder);

#endif
