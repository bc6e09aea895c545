#include "cli/new_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/bundle.h"
#include "cli/terminal.h"

enum { NAME_BYTES = 256 }; /* longest name of a file */

/* Fills one template of the bundle.  */
static bool
fill_template(struct buf *text, const char *name, const struct template_fill *fill, struct err *err)
{
    for (int i = 0; i < bundle_template_count; i++) {
        if (strcmp(bundle_templates[i].name, name) == 0)
            return template_fill(text, bundle_templates[i].text, fill, err);
    }
    return err_set(err, ERR_REFUSED, NULL, "there is no template \"%s\"", name);
}

static bool
write_all(int fd, const char *text, size_t length)
{
    while (length > 0) {
        ssize_t done = write(fd, text, length);

        if (done < 0 && errno != EINTR)
            return false;
        if (done > 0) {
            text += done;
            length -= (size_t)done;
        }
    }
    return true;
}

/* Writes a new file.  A file that is to be replaced is written beside it first, so that a failure leaves the old one. */
static bool
write_file(int folder, const char *name, bool is_forced, const struct buf *text, struct err *err)
{
    char beside[NAME_BYTES + 16];
    const char *target = is_forced ? beside : name;
    bool ok;
    int fd;

    (void)snprintf(beside, sizeof(beside), ".%s.%d", name, (int)getpid());
    fd = openat(folder, target, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd < 0)
        return err_set(err, ERR_REFUSED, NULL, "cannot write \"%s\": %s", name, strerror(errno));
    ok = write_all(fd, text->text, text->length);
    ok = close(fd) == 0 && ok;
    ok = ok && (!is_forced || renameat(folder, beside, folder, name) == 0);
    if (ok)
        return true;
    (void)err_set(err, ERR_REFUSED, NULL, "cannot write \"%s\": %s", name, strerror(errno));
    (void)unlinkat(folder, target, 0);
    return false;
}

static bool
write_texts(const struct new_file files[NEW_FILES], int folder, const char *folder_name, const char *stem, bool is_forced,
    const struct template_fill *fill, struct buf *text, struct err *err)
{
    char name[NAME_BYTES];
    const char *prefix = strcmp(folder_name, ".") == 0 ? "" : folder_name;

    for (int i = 0; i < NEW_FILES && !is_forced; i++) {
        (void)snprintf(name, sizeof(name), "%s%s", stem, files[i].suffix);
        if (faccessat(folder, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0) {
            (void)err_set(err, ERR_REFUSED, NULL, "\"%s\" exists; nothing was written", name);
            return err_hint(err, "--force overwrites it, --into DIR writes to another folder");
        }
    }
    for (int i = 0; i < NEW_FILES; i++) {
        buf_clear(text);
        (void)snprintf(name, sizeof(name), "%s%s", stem, files[i].suffix);
        for (int j = 0; files[i].templates[j] != NULL; j++) {
            if (!fill_template(text, files[i].templates[j], fill, err))
                return false;
        }
        if (!write_file(folder, name, is_forced, text, err))
            return false;
        terminal_print(stdout, "wrote %s%s%s: %s\n", prefix, prefix[0] == '\0' ? "" : "/", name, files[i].what);
    }
    return true;
}

bool
new_files_write(const struct new_file files[NEW_FILES], const char *folder, const char *stem, bool is_forced,
    const struct template_fill *fill, struct err *err)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct buf text;
    bool ok;

    if (fd < 0) {
        (void)err_set(err, ERR_REFUSED, NULL, "cannot open folder \"%s\": %s", folder, strerror(errno));
        return err_hint(err, "--into names a folder that exists");
    }
    buf_init(&text, BOUND_NEW_BYTES);
    ok = write_texts(files, fd, folder, stem, is_forced, fill, &text, err);
    buf_release(&text);
    (void)close(fd);
    return ok;
}
