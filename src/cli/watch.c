/*
 * --watch: the same command again and again.  Each round connects anew, so that a restart of the server does not end it.
 */
#include <time.h>
#include <unistd.h>

#include "base/exit.h"
#include "cli/command.h"
#include "cli/interrupt.h"

int
command_watch(const struct command *command, const struct config *config)
{
    int64_t wait_ms = config_ms(config, CONFIG_WATCH);
    struct timespec wait = {.tv_sec = wait_ms / 1000, .tv_nsec = wait_ms % 1000 * 1000000};
    bool is_terminal = isatty(STDOUT_FILENO) == 1;
    bool was_shown = false;
    int code = EXIT_OK;

    interrupt_catch();
    while (!interrupt_is_asked()) {
        if (is_terminal) {
            time_t now = time(NULL);
            struct tm tm;
            char text[32];

            (void)strftime(text, sizeof(text), "%H:%M:%S", localtime_r(&now, &tm));
            (void)printf("\033[H\033[2Jevery %s s: reeve %s   %s   Ctrl-C ends\n\n", config_text(config, CONFIG_WATCH),
                command->name, text);
        }
        code = command_run(command, config);
        (void)fflush(stdout);
        /* What the server refuses, it will refuse again; a server that was there may come back. */
        if (code != EXIT_OK && (code != EXIT_UNREACHABLE || !was_shown))
            return code;
        was_shown = true;
        (void)nanosleep(&wait, NULL);
        if (!is_terminal && !interrupt_is_asked())
            (void)putchar('\n');
    }
    return code;
}
