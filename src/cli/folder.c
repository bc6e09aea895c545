#include "cli/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OPEN_FOLDER = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC };

static bool
refuse(struct err *err, const char *path, const char *why)
{
    (void)err_set(err, ERR_REFUSED, "", "folder \"%s\" is not used: %s", path, why);
    return err_hint(err, "Name a folder of your own, in one of your own: reeve dev DIR");
}

/* --- where ------------------------------------------------------------------------------ */

/* Make each folder of a path that is missing.  Failures show when it is used. */
static void
make_all(char *path, mode_t mode)
{
    for (char *c = path + 1; *c != '\0'; c++) {
        if (*c != '/')
            continue;
        *c = '\0';
        (void)mkdir(path, 0700);
        *c = '/';
    }
    if (mkdir(path, 0700) == 0)
        (void)chmod(path, mode);
}

static bool
is_ours(const char *path)
{
    struct stat status;

    return lstat(path, &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == getuid() && access(path, W_OK | X_OK) == 0;
}

/* The state folder of this user; of root, one that the server's user can reach, too. */
static void
write_base(char *base, size_t size)
{
    const char *state = getenv("XDG_STATE_HOME");
    const char *home = getenv("HOME");

    if (getuid() == 0)
        (void)snprintf(base, size, "/var/lib/reeve-dev");
    else if (state != NULL && state[0] == '/')
        (void)snprintf(base, size, "%s/reeve-dev", state);
    else
        (void)snprintf(base, size, "%s/.local/state/reeve-dev", home != NULL && home[0] == '/' ? home : "");
}

bool
folder_choose(char *path, size_t size, struct err *err)
{
    char here[PATH_MAX];
    char base[PATH_MAX];
    uint64_t hash = 14695981039346656037U;

    if (getcwd(here, sizeof(here)) == NULL)
        return err_set(err, ERR_REFUSED, "", "the current folder is gone: %s", strerror(errno));
    for (const char *c = here; *c != '\0'; c++)
        hash = (hash ^ (unsigned char)*c) * 1099511628211U;
    write_base(base, sizeof(base));
    make_all(base, getuid() == 0 ? 0711 : 0700);
    if (!is_ours(base)) {
        /* Nobody has a home for certain. */
        (void)snprintf(base, sizeof(base), "/var/tmp/reeve-dev-%d", (int)getuid());
        make_all(base, getuid() == 0 ? 0711 : 0700);
    }
    if (snprintf(path, size, "%s/%016" PRIx64, base, hash) < (int)size)
        return true;
    return refuse(err, base, "its name is too long");
}

/* --- ours, or refused --------------------------------------------------------------------- */

/* Nobody but us and root can rename what is in this folder. */
static bool
is_safe_parent(const struct stat *status)
{
    bool has_private_gid = getuid() != 0 && status->st_gid == getgid() && (status->st_mode & S_IWOTH) == 0;

    if (status->st_uid != 0 && status->st_uid != getuid())
        return false;
    return (status->st_mode & (S_IWGRP | S_IWOTH)) == 0 || (status->st_mode & S_ISVTX) != 0 || has_private_gid;
}

static bool
check_parents(const char *absolute, struct err *err)
{
    char part[PATH_MAX];

    for (size_t length = 1; length <= strlen(absolute); length++) {
        struct stat status;

        if (length > 1 && absolute[length] != '/' && absolute[length] != '\0')
            continue;
        (void)snprintf(part, sizeof(part), "%.*s", (int)length, absolute);
        if (lstat(part, &status) != 0 || !S_ISDIR(status.st_mode) || !is_safe_parent(&status)) {
            (void)err_set(err, ERR_REFUSED, "", "folder \"%s\" is not used: others may write to \"%s\"", absolute, part);
            return err_hint(err, "Name a folder in one of your own, or let reeve choose one: reeve dev");
        }
    }
    return true;
}

static bool
is_empty(int fd)
{
    DIR *list = fdopendir(openat(fd, ".", OPEN_FOLDER));
    const struct dirent *entry;
    bool found = false;

    if (list == NULL)
        return false;
    while (!found && (entry = readdir(list)) != NULL)
        found = strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    (void)closedir(list);
    return !found;
}

/* The last step of a path, whose other steps are checked already. */
static bool
open_last(int parent, const char *name, struct folder *folder, uid_t owner, struct err *err)
{
    struct stat status;

    folder->is_new = mkdirat(parent, name, 0700) == 0;
    if (!folder->is_new && errno != EEXIST)
        return refuse(err, folder->path, strerror(errno));
    folder->fd = openat(parent, name, OPEN_FOLDER);
    if (folder->fd < 0 || fstat(folder->fd, &status) != 0)
        return refuse(err, folder->path, errno == ELOOP || errno == ENOTDIR ? "it is a link or a file" : strerror(errno));
    if (!folder->is_new && status.st_uid != owner)
        return refuse(err, folder->path, "it belongs to somebody else");
    return folder->is_new || (status.st_mode & (S_IWGRP | S_IWOTH)) == 0
           || refuse(err, folder->path, "others may write to it, or could");
}

bool
folder_open(struct folder *folder, const char *path, gid_t gid, struct err *err)
{
    char text[PATH_MAX];
    char parent[PATH_MAX];
    char *slash;
    const char *name = text;
    int fd;
    bool ok;

    *folder = (struct folder){.fd = -1};
    if (path[0] == '\0' || (size_t)snprintf(text, sizeof(text), "%s", path) >= sizeof(text))
        return refuse(err, path, "its name is empty or too long");
    for (size_t length = strlen(text); length > 1 && text[length - 1] == '/'; length--)
        text[length - 1] = '\0'; /* With a slash behind it, a link would be followed. */
    slash = strrchr(text, '/');
    if (slash != NULL) {
        *slash = '\0';
        name = slash[1] == '\0' ? "." : slash + 1;
    }
    if (realpath(slash == NULL ? "." : text[0] == '\0' ? "/" : text, parent) == NULL)
        return refuse(err, path, strerror(errno));
    if (snprintf(folder->path, sizeof(folder->path), "%s%s%s", parent, parent[1] == '\0' ? "" : "/", name)
        >= (int)sizeof(folder->path) - 32)
        return refuse(err, path, "its name is too long");
    if (!check_parents(parent, err))
        return false;
    fd = open(parent, OPEN_FOLDER);
    ok = fd >= 0 ? open_last(fd, name, folder, getuid(), err) : refuse(err, parent, strerror(errno));
    if (fd >= 0)
        (void)close(fd);
    if (!ok)
        return false;
    if (!folder->is_new && !folder_has(folder, "server") && !is_empty(folder->fd))
        return refuse(err, folder->path, "it holds other things");
    /* Who only passes through can neither list nor change anything. */
    if (gid != getgid() && fchown(folder->fd, (uid_t)-1, gid) != 0)
        return refuse(err, folder->path, strerror(errno));
    return fchmod(folder->fd, gid == getgid() ? 0700 : 0710) == 0 || refuse(err, folder->path, strerror(errno));
}

bool
folder_enter(const struct folder *parent, const char *name, uid_t owner, gid_t gid, struct folder *folder, struct err *err)
{
    *folder = (struct folder){.fd = -1};
    if (snprintf(folder->path, sizeof(folder->path), "%s/%s", parent->path, name) >= (int)sizeof(folder->path))
        return refuse(err, parent->path, "its name is too long");
    if (!open_last(parent->fd, name, folder, owner, err))
        return false;
    if (folder->is_new && owner != getuid() && fchown(folder->fd, owner, gid) != 0)
        return refuse(err, folder->path, strerror(errno));
    return fchmod(folder->fd, 0700) == 0 || refuse(err, folder->path, strerror(errno));
}

bool
folder_has(const struct folder *folder, const char *name)
{
    struct stat status;

    return fstatat(folder->fd, name, &status, AT_SYMLINK_NOFOLLOW) == 0;
}

static int
on_entry(const char *path, const struct stat *status, int type, struct FTW *position)
{
    (void)status;
    (void)type;
    (void)position;
    (void)remove(path);
    return 0;
}

void
folder_clear(const char *path)
{
    (void)nftw(path, on_entry, 16, FTW_DEPTH | FTW_PHYS);
}

void
folder_close(struct folder *folder)
{
    if (folder->fd >= 0)
        (void)close(folder->fd);
    folder->fd = -1;
}
