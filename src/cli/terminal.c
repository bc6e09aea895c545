#include "cli/terminal.h"

#include <stdarg.h>
#include <sys/ioctl.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/log.h"
#include "base/utf8.h"

void
terminal_print(FILE *to, const char *format, ...)
{
    struct buf shown;
    char *text = NULL;
    va_list args;
    int length;

    va_start(args, format);
    length = vasprintf(&text, format, args);
    va_end(args);
    if (length < 0)
        abort();
    log_mask(text);
    length = (int)strlen(text);
    buf_init(&shown, 6 * (size_t)length + 1);
    utf8_show(&shown, text, (size_t)length, true);
    (void)fputs(shown.text, to);
    buf_release(&shown);
    free(text);
}

int
terminal_width(FILE *to)
{
    struct winsize size;

    if (ioctl(fileno(to), TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return 80;
    return size.ws_col;
}

int
terminal_lines(FILE *to)
{
    struct winsize size;

    if (ioctl(fileno(to), TIOCGWINSZ, &size) != 0 || size.ws_row == 0)
        return 24;
    return size.ws_row;
}
