#include "program/protocol.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "base/bounds.h"
#include "base/parse.h"
#include "base/utf8.h"

bool
protocol_is_type(const char *name)
{
    size_t length = strlen(name);

    return length >= 1 && length <= 63 && name[0] >= 'a' && name[0] <= 'z'
           && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == length;
}

/* The position behind a JSON string that begins at `at`. */
static const char *
skip_string(const char *at, const char *end)
{
    for (at++; at < end && *at != '"'; at++)
        at += *at == '\\';
    return at < end ? at + 1 : end;
}

/* The position behind the JSON value that begins at `at`, in a text that is known to be JSON. */
static const char *
skip_value(const char *at, const char *end)
{
    int depth = 0;

    while (at < end) {
        if (*at == '"') {
            at = skip_string(at, end);
        } else if (*at == '{' || *at == '[') {
            depth++;
            at++;
        } else if (depth == 0 && (*at == ',' || *at == '}' || *at == ']')) {
            return at;
        } else {
            depth -= *at == '}' || *at == ']';
            at++;
        }
        if (depth == 0 && (at == end || *at == ',' || *at == '}'))
            return at;
    }
    return end;
}

static const char *
skip_space(const char *at, const char *end)
{
    while (at < end && strchr(" \t\r\n", *at) != NULL)
        at++;
    return at;
}

/* A copy of a member of the top object as the child wrote it, so that numbers keep all their digits.  The line is known to be a
 * JSON object without duplicate names.  A name that is written with escapes is not found: NULL. */
static char *
copy_member(const char *line, size_t length, const char *name)
{
    const char *end = line + length;
    const char *at = skip_space(line, end) + 1;

    while (at < end) {
        const char *key = skip_space(at, end);
        const char *behind = skip_string(key, end);
        const char *value;

        if (key >= end || *key != '"')
            return NULL;
        value = skip_space(skip_space(behind, end) + 1, end);
        at = skip_value(value, end);
        if ((size_t)(behind - key) == strlen(name) + 2 && strncmp(key + 1, name, strlen(name)) == 0)
            return must_format("%.*s", (int)(at - value), value);
        at++;
    }
    return NULL;
}

/* Removes trailing blanks. */
static char *
trimmed(char *text)
{
    size_t length = text == NULL ? 0 : strlen(text);

    while (length > 0 && strchr(" \t\r\n", text[length - 1]) != NULL)
        text[--length] = '\0';
    return text;
}

static bool
read_hello(const json_t *object, struct protocol_message *message, struct err *err)
{
    const json_t *types = json_object_get(object, "types");
    const json_t *at_once = json_object_get(object, "at_once");
    const json_t *ping = json_object_get(object, "ping");
    struct buf literal;
    bool is_fine = true;

    if (json_integer_value(json_object_get(object, "hello")) != PROTOCOL_VERSION)
        return err_set(err, ERR_REFUSED, "", "the hello line has another version than %d", PROTOCOL_VERSION);
    message->at_once = at_once == NULL ? 1 : (int)json_integer_value(at_once);
    if (at_once != NULL
        && (!json_is_integer(at_once) || json_integer_value(at_once) < 1 || json_integer_value(at_once) > BOUND_CHILD_TASKS))
        return err_set(err, ERR_REFUSED, "", "at_once of the hello line is not a number from 1 to %d", BOUND_CHILD_TASKS);
    if (!json_is_array(types) || json_array_size(types) < 1 || json_array_size(types) > BOUND_CHILD_TYPES)
        return err_set(err, ERR_REFUSED, "", "types of the hello line is not a list of 1 to %d names", BOUND_CHILD_TYPES);
    if (ping != NULL && !json_is_boolean(ping))
        return err_set(err, ERR_REFUSED, "", "ping of the hello line is neither true nor false");
    message->has_pong = json_is_true(ping);
    buf_init(&literal, BOUND_CHILD_TYPES * 66);
    for (size_t i = 0; i < json_array_size(types) && is_fine; i++) {
        const char *type = json_string_value(json_array_get(types, i));

        is_fine = type != NULL && protocol_is_type(type);
        if (is_fine)
            buf_printf(&literal, "%s\"%s\"", i == 0 ? "{" : ",", type);
        else
            (void)err_set(
                err, ERR_REFUSED, "", "\"%.64s\" of the hello line is not the name of a task type", type == NULL ? "?" : type);
    }
    buf_puts(&literal, "}");
    if (is_fine)
        message->types = must_strdup(literal.text);
    buf_release(&literal);
    message->kind = PROTOCOL_HELLO;
    return is_fine;
}

static char *
clean(const char *text)
{
    struct buf to;
    char *copy;

    buf_init(&to, BOUND_REPORT_BYTES);
    (void)utf8_clean(&to, text, strlen(text), BOUND_REPORT_BYTES);
    copy = must_strdup(to.text);
    buf_release(&to);
    return copy;
}

static bool
read_failure(const json_t *object, struct protocol_message *message, struct err *err)
{
    const json_t *error = json_object_get(object, "error");
    const json_t *final = json_object_get(object, "final");
    const json_t *after = json_object_get(object, "retry_after");

    if (!json_is_string(error))
        return err_set(err, ERR_REFUSED, "", "the error of an answer is not a text");
    if (final != NULL && !json_is_boolean(final) && !json_is_null(final))
        return err_set(err, ERR_REFUSED, "", "final of an answer is neither true nor false");
    if (after != NULL && !json_is_null(after) && (!json_is_number(after) || !(json_number_value(after) >= 0)))
        return err_set(err, ERR_REFUSED, "", "retry_after of an answer is not a number of seconds");
    message->kind = PROTOCOL_FAILURE;
    message->error = clean(json_string_value(error));
    message->is_final = json_is_true(final);
    message->retry_after = after == NULL || json_is_null(after) ? -1 : fmin(json_number_value(after), BOUND_RETRY_AFTER_S);
    return true;
}

static bool
read_answer(const char *line, size_t length, const json_t *object, struct protocol_message *message, struct err *err)
{
    const char *id = json_string_value(json_object_get(object, "id"));
    const char *name = json_object_get(object, "progress") != NULL ? "progress" : "result";

    if (id == NULL || !parse_int(id, 1, INT64_MAX, &message->id, NULL))
        return err_set(err, ERR_REFUSED, "", "the id of an answer is not the text of a number");
    if (json_object_get(object, "error") != NULL)
        return read_failure(object, message, err);
    if (json_object_get(object, name) == NULL)
        return err_set(err, ERR_REFUSED, "", "an answer has neither result, error nor progress");
    message->kind = strcmp(name, "result") == 0 ? PROTOCOL_RESULT : PROTOCOL_PROGRESS;
    message->value = trimmed(copy_member(line, length, name));
    return message->value != NULL || err_set(err, ERR_REFUSED, "", "the name of a field has escapes");
}

static bool
read_pong(struct protocol_message *message)
{
    message->kind = PROTOCOL_PONG;
    return true;
}

bool
protocol_read(const char *line, size_t length, struct protocol_message *ret_message, struct err *err)
{
    json_error_t problem;
    json_t *object = json_loadb(line, length, JSON_REJECT_DUPLICATES, &problem);
    bool is_fine;

    *ret_message = (struct protocol_message){.retry_after = -1};
    if (object == NULL)
        return err_set(err, ERR_REFUSED, "", "a line is not JSON");
    if (!json_is_object(object))
        is_fine = err_set(err, ERR_REFUSED, "", "a line is not a JSON object");
    else if (json_object_get(object, "hello") != NULL)
        is_fine = read_hello(object, ret_message, err);
    else if (json_object_get(object, "pong") != NULL)
        is_fine = read_pong(ret_message);
    else
        is_fine = read_answer(line, length, object, ret_message, err);
    json_decref(object);
    if (!is_fine)
        protocol_message_release(ret_message);
    return is_fine;
}

void
protocol_message_release(struct protocol_message *message)
{
    free(message->types);
    free(message->value);
    free(message->error);
    *message = (struct protocol_message){0};
}

bool
protocol_is_json(const char *text, size_t length)
{
    json_t *value = json_loadb(text, length, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, NULL);

    json_decref(value);
    return value != NULL;
}

void
protocol_write_task(struct buf *to, const struct carrier_task *task, double deadline_s)
{
    buf_printf(to, "{\"id\":\"%" PRId64 "\",\"type\":\"%s\",\"attempt\":%d,\"key\":", task->id, task->type, task->attempt);
    buf_json(to, task->key);
    if (deadline_s > 0)
        buf_printf(to, ",\"deadline\":%.3f,\"timeout\":%.3f", deadline_s, (double)task->timeout_ms / 1000);
    else
        buf_puts(to, ",\"deadline\":null,\"timeout\":null");
    buf_puts(to, ",\"traceparent\":");
    if (task->traceparent == NULL)
        buf_puts(to, "null");
    else
        buf_json(to, task->traceparent);
    buf_puts(to, ",\"payload\":");
    buf_puts(to, task->payload);
    buf_puts(to, "}\n");
}

void
protocol_write_cancel(struct buf *to, int64_t id, const char *reason)
{
    buf_printf(to, "{\"cancel\":\"%" PRId64 "\",\"reason\":\"%s\"}\n", id, reason);
}

void
protocol_write_stop(struct buf *to)
{
    buf_puts(to, "{\"stop\":true}\n");
}

void
protocol_write_ping(struct buf *to, int number)
{
    buf_printf(to, "{\"ping\":%d}\n", number);
}
