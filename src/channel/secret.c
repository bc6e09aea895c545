#include "channel/secret.h"

#include <ctype.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/log.h"

/* The content of the file, without spaces at its end.  NULL: the file is empty, or longer than the limit. */
static char *
read_file(FILE *file)
{
    char *value = must_alloc(BOUND_SECRET_BYTES + 2);
    size_t size;

    (void)setvbuf(file, NULL, _IONBF, 0); /* A buffer of stdio would hold a copy that we cannot wipe. */
    size = fread(value, 1, BOUND_SECRET_BYTES + 1, file);
    if (size <= BOUND_SECRET_BYTES) {
        while (size > 0 && isspace((unsigned char)value[size - 1]))
            value[--size] = '\0';
        if (size > 0)
            return value;
    }
    explicit_bzero(value, size);
    free(value);
    return NULL;
}

/* The file has the name of the variable; other files in the folder are settings of the program. */
static char *
read_credential(const char *variable)
{
    const char *folder = getenv("CREDENTIALS_DIRECTORY");
    char *path;
    char *value = NULL;
    FILE *file;

    if (folder == NULL)
        return NULL;
    path = must_format("%s/%s", folder, variable);
    file = fopen(path, "re");
    free(path);
    if (file != NULL) {
        value = read_file(file);
        (void)fclose(file);
    }
    return value;
}

char *
secret_find(const char *name)
{
    struct buf variable;
    const char *value;
    char *found = NULL;

    buf_init(&variable, 256);
    buf_puts(&variable, "REEVE_SECRET_");
    for (const char *c = name; *c != '\0'; c++) {
        char letter = isalnum((unsigned char)*c) ? (char)toupper((unsigned char)*c) : '_';

        buf_add(&variable, &letter, 1);
    }
    if (name[0] != '\0' && !variable.overflowed) {
        value = getenv(variable.text);
        found = value != NULL && value[0] != '\0' ? must_strdup(value) : read_credential(variable.text);
    }
    buf_release(&variable);
    if (found != NULL && found[0] == '\0') {
        free(found);
        return NULL;
    }
    if (found != NULL)
        log_hide(found);
    return found;
}

void
secret_free(char *value)
{
    if (value != NULL)
        explicit_bzero(value, strlen(value));
    free(value);
}
