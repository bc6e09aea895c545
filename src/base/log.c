#include "base/log.h"

#include <inttypes.h>
#include <stdarg.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/bounds.h"
#include "base/err.h"
#include "base/outside.h"
#include "base/utf8.h"

static const char *const level_names[] = {
    [LOG_ERROR] = "error",
    [LOG_WARN] = "warn",
    [LOG_INFO] = "info",
    [LOG_DEBUG] = "debug",
};

static enum log_level current_level = LOG_INFO;
static bool is_json = false;

struct log_number
log_number_i64(int64_t value)
{
    struct log_number number;

    (void)snprintf(number.text, sizeof(number.text), "%" PRId64, value);
    return number;
}

struct log_number
log_number_double(double value)
{
    struct log_number number;

    (void)snprintf(number.text, sizeof(number.text), "%.1f", value);
    return number;
}

bool
log_set_level(const char *word)
{
    for (size_t i = 0; i < LENGTH(level_names); i++) {
        if (strcmp(word, level_names[i]) == 0) {
            current_level = (enum log_level)i;
            return true;
        }
    }
    return false;
}

bool
log_set_format(const char *word)
{
    if (strcmp(word, "text") != 0 && strcmp(word, "json") != 0)
        return false;
    is_json = strcmp(word, "json") == 0;
    return true;
}

bool
log_is_on(enum log_level level)
{
    return level <= current_level;
}

static void
add_time(struct buf *line)
{
    int64_t now_ms = outside_wall_ms();
    time_t seconds = (time_t)(now_ms / 1000);
    struct tm parts;
    char text[32];

    (void)gmtime_r(&seconds, &parts);
    (void)strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &parts);
    buf_printf(line, "%s.%03dZ", text, (int)(now_ms % 1000));
}

/* Quotes a value unless it is one plain word. */
static void
add_value(struct buf *line, const char *value)
{
    size_t left = strlen(value);
    bool is_plain = left > 0 && strpbrk(value, " \"=\\") == NULL;

    for (const char *c = value; left > 0 && is_plain;) {
        size_t length;
        unsigned int number;

        is_plain = utf8_next(c, left, &length, &number) == UTF8_SEEN;
        c += length;
        left -= length;
    }
    if (is_plain)
        buf_puts(line, value);
    else
        buf_json(line, value);
}

static char *secrets[BOUND_SECRETS]; /* as a log line would write them */
static int secret_count;
static int secret_next; /* index of the next secret; when all entries are taken, it replaces the oldest */

static bool
is_hidden(const char *form)
{
    for (int i = 0; i < secret_count; i++) {
        if (strcmp(secrets[i], form) == 0)
            return true;
    }
    return false;
}

void
log_hide(const char *secret)
{
    struct buf form;

    if (strlen(secret) < 6)
        return;
    buf_init(&form, BOUND_LOG_BYTES);
    buf_json(&form, secret);
    form.text[form.length - 1] = '\0'; /* remove the quotes */
    if (form.length > 2 && !is_hidden(form.text + 1)) {
        if (secret_count < BOUND_SECRETS)
            secret_count++;
        else
            explicit_bzero(secrets[secret_next], strlen(secrets[secret_next]));
        free(secrets[secret_next]);
        secrets[secret_next] = must_strdup(form.text + 1);
        secret_next = (secret_next + 1) % BOUND_SECRETS;
    }
    explicit_bzero(form.text, form.length);
    buf_release(&form);
}

void
log_mask(char *text)
{
    for (int i = 0; i < secret_count; i++) {
        size_t length = strlen(secrets[i]);
        char *found;

        while ((found = strstr(text, secrets[i])) != NULL) {
            memset(found, '*', 3);
            memmove(found + 3, found + length, strlen(found + length) + 1);
        }
    }
}

void
log_event(enum log_level level, const char *event, ...)
{
    struct buf line;
    va_list args;
    const char *key;
    const char *separator = "";

    if (!log_is_on(level))
        return;
    buf_init(&line, BOUND_LOG_BYTES);
    buf_puts(&line, is_json ? "{\"timestamp\":\"" : "time=");
    add_time(&line);
    if (is_json) {
        buf_printf(&line, "\",\"level\":\"%s\",\"service\":\"worker\",\"message\":", level_names[level]);
        buf_json(&line, event);
        buf_puts(&line, ",\"fields\":{");
    } else {
        buf_printf(&line, " level=%s msg=", level_names[level]);
        add_value(&line, event);
    }
    va_start(args, event);
    while ((key = va_arg(args, const char *)) != NULL) {
        const char *value = va_arg(args, const char *);

        if (is_json) {
            buf_puts(&line, separator);
            buf_json(&line, key);
            buf_puts(&line, ":");
            buf_json(&line, value);
            separator = ",";
        } else {
            buf_printf(&line, " %s=", key);
            add_value(&line, value);
        }
    }
    va_end(args);
    line.ceiling += 8; /* The end of a line is never cut. */
    buf_puts(&line, is_json ? "}}\n" : "\n");
    /* The last safeguard: no caller should log a secret. */
    log_mask(line.text);
    line.length = strlen(line.text);
    /* One write, so that lines of several processes do not mix. */
    if (write(STDERR_FILENO, line.text, line.length) < 0)
        line.length = 0; /* The log cannot be written, so the failure cannot be logged. */
    buf_release(&line);
}
