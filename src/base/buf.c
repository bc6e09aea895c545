#include "base/buf.h"

#include <assert.h>
#include <stdarg.h>

#include "base/err.h"
#include "base/utf8.h"

static char nothing[1];

void
buf_init(struct buf *buf, size_t ceiling)
{
    *buf = (struct buf){.text = nothing, .ceiling = ceiling};
}

static bool
reserve(struct buf *buf, size_t more)
{
    size_t needed;

    if (more > buf->ceiling || buf->length > buf->ceiling - more) {
        buf->overflowed = true;
        return false;
    }
    needed = buf->length + more + 1;
    if (needed <= buf->room)
        return true;
    buf->room = needed < 64 ? 64 : needed * 2;
    if (buf->room > buf->ceiling + 1)
        buf->room = buf->ceiling + 1;
    buf->text = must_realloc(buf->text == nothing ? NULL : buf->text, buf->room);
    return true;
}

void
buf_add(struct buf *buf, const char *bytes, size_t length)
{
    if (!reserve(buf, length))
        return;
    if (length > 0)
        memcpy(buf->text + buf->length, bytes, length);
    buf->length += length;
    buf->text[buf->length] = '\0';
}

void
buf_puts(struct buf *buf, const char *text)
{
    buf_add(buf, text, strlen(text));
}

void
buf_printf(struct buf *buf, const char *format, ...)
{
    va_list args;
    int length;

    va_start(args, format);
    length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    assert(length >= 0);
    if (!reserve(buf, (size_t)length))
        return;
    va_start(args, format);
    (void)vsnprintf(buf->text + buf->length, (size_t)length + 1, format, args);
    va_end(args);
    buf->length += (size_t)length;
}

void
buf_json(struct buf *buf, const char *text)
{
    buf_puts(buf, "\"");
    while (*text != '\0') {
        size_t plain = strcspn(text, "\"\\");

        /* JSON allows these characters, but a terminal would obey them. */
        utf8_show(buf, text, plain, false);
        text += plain;
        if (*text != '\0')
            buf_printf(buf, "\\%c", *text++);
    }
    buf_puts(buf, "\"");
}

void
buf_clear(struct buf *buf)
{
    buf->length = 0;
    buf->overflowed = false;
    if (buf->text != nothing)
        buf->text[0] = '\0';
}

void
buf_release(struct buf *buf)
{
    if (buf->text != nothing)
        free(buf->text);
    buf_init(buf, buf->ceiling);
}
