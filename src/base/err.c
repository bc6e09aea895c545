#include "base/err.h"

#include <assert.h>
#include <stdarg.h>

static void
copy_text(char *to, size_t size, const char *from)
{
    (void)snprintf(to, size, "%s", from == NULL ? "" : from);
}

bool
err_set(struct err *err, enum err_kind kind, const char *code, const char *format, ...)
{
    va_list args;

    if (err == NULL)
        return false;
    err->kind = kind;
    err->hint[0] = '\0';
    copy_text(err->code, sizeof(err->code), code);
    va_start(args, format);
    (void)vsnprintf(err->message, sizeof(err->message), format, args);
    va_end(args);
    return false;
}

bool
err_hint(struct err *err, const char *format, ...)
{
    va_list args;

    if (err == NULL)
        return false;
    va_start(args, format);
    (void)vsnprintf(err->hint, sizeof(err->hint), format, args);
    va_end(args);
    return false;
}

static void *
checked(void *memory)
{
    if (memory == NULL) {
        (void)fputs("level=error msg=\"out of memory\"\n", stderr);
        abort();
    }
    return memory;
}

void *
must_alloc(size_t bytes)
{
    return checked(calloc(1, bytes == 0 ? 1 : bytes));
}

void *
must_realloc(void *old, size_t bytes)
{
    assert(bytes > 0);
    return checked(realloc(old, bytes));
}

char *
must_strdup(const char *text)
{
    return checked(strdup(text));
}

char *
must_format(const char *format, ...)
{
    char *text = NULL;
    va_list args;
    int length;

    va_start(args, format);
    length = vasprintf(&text, format, args);
    va_end(args);
    return checked(length < 0 ? NULL : text);
}
