#include "cli/top_text.h"

#include <time.h>

#include "base/exit.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/terminal.h"
#include "cli/top_feed.h"

static void
print_line(void *cookie, int row, enum top_style style, const char *text)
{
    size_t length = strlen(text);

    (void)cookie;
    (void)row;
    (void)style;
    while (length > 0 && text[length - 1] == ' ')
        length--;
    terminal_print(stdout, "%.*s\n", (int)length, text);
}

static int
print_page(const struct config *config)
{
    struct top_view view = {.is_plain = true};
    struct top_figures figures = {0};
    struct db_once *db;
    struct err err;
    int code;

    if (!command_connect(config, &db, &code))
        return code;
    if (top_begin(db, &err) && top_ask(db, &figures, &err)) {
        top_draw(&view, &figures, terminal_width(stdout), top_height(&figures), print_line, NULL);
        code = EXIT_OK;
    } else {
        code = command_fail(&err);
    }
    top_figures_release(&figures);
    db_once_close(db);
    (void)fflush(stdout);
    return code;
}

int
top_print(const struct config *config, int64_t interval_ms)
{
    struct timespec rest = {.tv_sec = (time_t)(interval_ms / 1000), .tv_nsec = (long)(interval_ms % 1000) * 1000000};
    int code = print_page(config);

    if (code != EXIT_OK || interval_ms == 0)
        return code;
    interrupt_catch();
    while (!interrupt_is_asked() && ferror(stdout) == 0) {
        (void)nanosleep(&rest, NULL);
        if (interrupt_is_asked())
            break;
        (void)putchar('\n');
        (void)print_page(config); /* A server that was there may come back. */
    }
    return EXIT_OK;
}
