#include <string.h>

#include "base/utf8.h"
#include "program/program_private.h"

void
output_init(struct output *output)
{
    for (int i = 0; i < 2; i++)
        buf_init(&output->partial[i], BOUND_CHILD_LOG_BYTES);
    buf_init(&output->latest, 2 * (size_t)BOUND_CHILD_OUTPUT_BYTES);
}

void
output_release(struct output *output)
{
    for (int i = 0; i < 2; i++)
        buf_release(&output->partial[i]);
    buf_release(&output->latest);
}

/* Keeps the latest bytes: at least BOUND_CHILD_OUTPUT_BYTES, if there are as many. */
static void
keep(struct buf *latest, const char *bytes, size_t length)
{
    size_t most = BOUND_CHILD_OUTPUT_BYTES;

    if (length > most) {
        bytes += length - most;
        length = most;
    }
    if (latest->length + length > 2 * most) {
        size_t kept = most - length;

        memmove(latest->text, latest->text + latest->length - kept, kept);
        latest->length = kept;
    }
    buf_add(latest, bytes, length);
}

static void
say(struct output *output, int stream, int child, int64_t task_id)
{
    struct buf clean;
    const char *name = stream == 0 ? "stdout" : "stderr";

    buf_init(&clean, BOUND_CHILD_LOG_BYTES * 3);
    (void)utf8_clean_line(&clean, output->partial[stream].text, output->partial[stream].length, BOUND_CHILD_LOG_BYTES * 3);
    if (task_id != 0)
        log_event(
            LOG_INFO, "output", "task_id", LOG_I64(task_id), "child", LOG_I64(child), "stream", name, "line", clean.text, NULL);
    else
        log_event(LOG_INFO, "output", "child", LOG_I64(child), "stream", name, "line", clean.text, NULL);
    buf_release(&clean);
    buf_clear(&output->partial[stream]);
}

void
output_take(struct output *output, int stream, const char *bytes, size_t length, int child, int64_t task_id)
{
    keep(&output->latest, bytes, length);
    while (length > 0) {
        const char *end = memchr(bytes, '\n', length);
        size_t part = end == NULL ? length : (size_t)(end - bytes);
        size_t room = BOUND_CHILD_LOG_BYTES - output->partial[stream].length;
        bool is_cut = part > room;

        part = is_cut ? room : part;
        buf_add(&output->partial[stream], bytes, part);
        bytes += part;
        length -= part;
        if (!is_cut && end == NULL)
            return;
        say(output, stream, child, task_id);
        if (!is_cut) {
            bytes++;
            length--;
        }
    }
}

void
output_end(struct output *output, int child, int64_t task_id)
{
    for (int i = 0; i < 2; i++) {
        if (output->partial[i].length > 0)
            say(output, i, child, task_id);
    }
}

char *
output_last_words(const struct output *output)
{
    size_t length = output->latest.length;
    size_t most = BOUND_CHILD_WORDS_BYTES;
    struct buf clean;
    char *words;

    while (length > 0 && strchr("\r\n \t", output->latest.text[length - 1]) != NULL)
        length--;
    buf_init(&clean, most * 3);
    (void)utf8_clean_line(
        &clean, output->latest.text + (length > most ? length - most : 0), length > most ? most : length, most * 3);
    words = must_strdup(clean.text);
    buf_release(&clean);
    return words;
}

/* Adds the latest output as a JSON string with at most `most` bytes.  Characters that JSON escapes need more room: then take
 * less of the output. */
static void
add_output(struct buf *json, const struct buf *latest, size_t most)
{
    size_t length = latest->length < BOUND_CHILD_OUTPUT_BYTES ? latest->length : BOUND_CHILD_OUTPUT_BYTES;
    struct buf clean;
    struct buf text;

    buf_init(&clean, 3 * (size_t)BOUND_CHILD_OUTPUT_BYTES);
    buf_init(&text, most);
    do {
        buf_clear(&clean);
        buf_clear(&text);
        (void)utf8_clean_lines(&clean, latest->text + latest->length - length, length, 3 * (size_t)BOUND_CHILD_OUTPUT_BYTES);
        buf_json(&text, clean.text);
        length = length * 3 / 4;
    } while (text.overflowed);
    buf_puts(json, text.text);
    buf_release(&clean);
    buf_release(&text);
}

char *
output_result(const struct output *output, bool with_output, double retry_after)
{
    struct buf json;
    char *text;

    if ((!with_output || output->latest.length == 0) && retry_after < 0)
        return NULL;
    buf_init(&json, 2 * (size_t)BOUND_CHILD_OUTPUT_BYTES);
    buf_puts(&json, "{");
    if (retry_after >= 0)
        buf_printf(&json, "\"retry_after\": %.3f", retry_after);
    if (with_output && output->latest.length > 0) {
        buf_printf(&json, "%s\"output\": ", json.length > 1 ? ", " : "");
        add_output(&json, &output->latest, BOUND_CHILD_OUTPUT_BYTES - 256);
    }
    buf_puts(&json, "}");
    text = must_strdup(json.text);
    buf_release(&json);
    return text;
}
