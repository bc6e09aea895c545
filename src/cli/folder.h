/*
 * Folders that are ours alone.  A stranger who may write to a folder above could put another in
 * its place, so those above must be ours or root's, too.  Links are not followed, and what is not
 * ours is refused: each refusal says what, where, and what to do.
 */
#ifndef CLI_FOLDER_H
#define CLI_FOLDER_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"

enum { FOLDER_BYTES = 1024 }; /* of a path, with what we put into it */

struct folder {
    char path[FOLDER_BYTES]; /* absolute */
    int fd;
    bool is_new; /* made just now */
};

/* Where this user keeps what belongs to the current folder: outside of it, because others may
 * write to it, or be unable to enter it. */
NODISCARD bool folder_choose(char *path, size_t size, struct err *err);

/* Open a folder of ours, or make it.  Whoever is in `group` may pass through it, if that is not our own. */
NODISCARD bool folder_open(struct folder *folder, const char *path, gid_t group, struct err *err);

/* The same for one in a folder of ours.  It belongs to `owner`, and only he may enter it. */
NODISCARD bool folder_enter(
    const struct folder *parent, const char *name, uid_t owner, gid_t group, struct folder *folder, struct err *err);

/* Has it something of this name? */
bool folder_has(const struct folder *folder, const char *name);

/* Remove what is below the current folder of the process, or a part of it; links are not followed. */
void folder_clear(const char *path);

void folder_close(struct folder *folder);

#endif
