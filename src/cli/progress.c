#include "cli/progress.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

/* Seconds between two lines where stderr is no terminal. */
enum { QUIET_SECONDS = 10 };

/* What the handler writes.  They change only while SIGALRM is blocked. */
static char text[160];
static size_t text_length;
static int seconds;
static bool is_terminal;
static bool is_started;
static volatile sig_atomic_t is_shown;

/* Writes a line.  A signal handler: only write(2), no formatting by the library. */
static void
on_second(int number)
{
    char line[sizeof(text) + 32];
    char digits[16];
    size_t length = 0;
    size_t count = 0;
    int saved_errno = errno;

    (void)number;
    seconds++;
    if (!is_terminal && seconds % QUIET_SECONDS != 0)
        return;
    for (const char *at = is_terminal ? "\r\033[K" : "note: "; *at != '\0'; at++)
        line[length++] = *at;
    for (size_t i = 0; i < text_length; i++)
        line[length++] = text[i];
    line[length++] = ',';
    line[length++] = ' ';
    for (int left = seconds; left > 0 && count < sizeof(digits); left /= 10)
        digits[count++] = (char)('0' + left % 10);
    while (count > 0)
        line[length++] = digits[--count];
    line[length++] = ' ';
    line[length++] = 's';
    if (!is_terminal)
        line[length++] = '\n';
    if (write(STDERR_FILENO, line, length) > 0)
        is_shown = is_terminal;
    errno = saved_errno;
}

static void
set_timer(int every_seconds)
{
    struct itimerval timer = {.it_interval = {.tv_sec = every_seconds}, .it_value = {.tv_sec = every_seconds}};

    (void)setitimer(ITIMER_REAL, &timer, NULL);
}

/* Blocks the handler, or lets it run again. */
static void
hold(bool is_held)
{
    sigset_t set;

    (void)sigemptyset(&set);
    (void)sigaddset(&set, SIGALRM);
    (void)sigprocmask(is_held ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
}

void
progress_step(const char *format, ...)
{
    struct sigaction action = {.sa_handler = on_second, .sa_flags = SA_RESTART};
    va_list args;

    hold(true);
    va_start(args, format);
    (void)vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    text_length = strlen(text);
    seconds = 0;
    if (!is_started) {
        is_terminal = isatty(STDERR_FILENO) == 1;
        (void)sigaction(SIGALRM, &action, NULL);
        is_started = true;
    }
    set_timer(1);
    hold(false);
}

void
progress_clear(void)
{
    hold(true);
    if (is_shown != 0)
        (void)fputs("\r\033[K", stderr);
    is_shown = 0;
    hold(false);
}

void
progress_end(void)
{
    if (!is_started)
        return;
    set_timer(0);
    progress_clear();
}
