/*
 * A plain HTTP call, described by the payload: method, url, headers, body, and headers whose
 * values are secrets.  What its answer means is decided in SQL.
 */
#include "base/utf8.h"
#include "channel/channel_private.h"
#include "channel/secret.h"

static bool
is_method(const char *method)
{
    static const char *const methods[] = {"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"};

    for (size_t i = 0; i < LENGTH(methods); i++) {
        if (strcmp(method, methods[i]) == 0)
            return true;
    }
    return false;
}

/* A field that holds headers: an object, or nothing. */
static bool
has_headers_form(struct channel_call *call, const char *field)
{
    json_t *headers = json_object_get(call->payload, field);

    if (headers == NULL || json_is_null(headers) || json_is_object(headers))
        return true;
    channel_fail(call, "payload", "http payload: \"%s\" is not an object", field);
    return false;
}

/* What the message itself decides is not for a task to say. */
static bool
may_choose(struct channel_call *call, const char *name)
{
    static const char *const fixed[] = {"Host", "Content-Length", "Transfer-Encoding"};

    for (size_t i = 0; i < LENGTH(fixed); i++) {
        if (strcasecmp(name, fixed[i]) == 0) {
            channel_fail(call, "payload", "http payload: header \"%.128s\" cannot be chosen", name);
            return false;
        }
    }
    return true;
}

static bool
add_headers(struct channel_call *call, bool *ret_has_type)
{
    const char *name;
    json_t *value;

    if (!has_headers_form(call, "headers"))
        return false;
    json_object_foreach(json_object_get(call->payload, "headers"), name, value)
    {
        if (!json_is_string(value)) {
            channel_fail(call, "payload", "http payload: header \"%.128s\" is not a text", name);
            return false;
        }
        *ret_has_type = *ret_has_type || strcasecmp(name, "Content-Type") == 0;
        if (!may_choose(call, name) || !channel_header(call, name, json_string_value(value)))
            return false;
    }
    return true;
}

static bool
add_secret_header(struct channel_call *call, const char *name, const json_t *rule)
{
    const char *secret_name = json_string_value(json_object_get(rule, "secret"));
    const char *prefix = json_string_value(json_object_get(rule, "prefix"));
    char *secret = secret_name == NULL ? NULL : secret_find(secret_name);
    char *value;
    bool ok;

    if (secret == NULL) {
        channel_fail(call, "payload", "http payload: secret \"%.128s\" is not known to this worker",
            secret_name == NULL ? "" : secret_name);
        return false;
    }
    value = must_format("%s%s", prefix == NULL ? "" : prefix, secret);
    ok = channel_header(call, name, value);
    secret_free(value);
    secret_free(secret);
    return ok;
}

static bool
add_secret_headers(struct channel_call *call)
{
    const char *name;
    json_t *rule;

    if (!has_headers_form(call, "secret_headers"))
        return false; /* Never without what should have been in it. */
    json_object_foreach(json_object_get(call->payload, "secret_headers"), name, rule)
    {
        if (!may_choose(call, name) || !add_secret_header(call, name, rule))
            return false;
    }
    return true;
}

void
http_call_begin(struct channel_call *call)
{
    const char *url = channel_text(call, "url");
    const char *method = channel_text(call, "method");
    json_t *body = json_object_get(call->payload, "body");
    bool has_type = false;
    bool is_safe;

    if (method == NULL)
        method = call->body == NULL ? "GET" : "POST";
    if (!is_method(method) || url == NULL) {
        channel_fail(
            call, "payload", url == NULL ? "http payload: missing \"url\"" : "http payload: unknown method \"%.16s\"", method);
        return;
    }
    if (json_object_get(call->payload, "sign") != NULL) {
        channel_fail(call, "payload", "http payload: \"sign\" is not supported by this program");
        return;
    }
    is_safe = strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0;
    http_request_start(call->request, method, url, false);
    call->request->is_repeatable = is_safe || strcmp(method, "PUT") == 0 || strcmp(method, "DELETE") == 0;
    if (!add_headers(call, &has_type) || !add_secret_headers(call))
        return;
    if (call->body != NULL && !is_safe && strcmp(method, "DELETE") != 0) {
        http_request_body(call->request, call->body, strlen(call->body));
        if (!has_type && !json_is_string(body) && !channel_header(call, "Content-Type", "application/json"))
            return;
    }
    channel_send(call);
}

/* Foreign text in a result, cleaned.  `left` is what its JSON form may take, and then what is
 * left of that; a character that does not fit ends it. */
static json_t *
clean_string(const char *bytes, size_t length, size_t *left, bool *ret_is_cut)
{
    struct buf clean;
    json_t *string;
    size_t size = 0;

    buf_init(&clean, BOUND_BODY_BYTES);
    *ret_is_cut = !utf8_clean(&clean, bytes, length, *left) || *ret_is_cut;
    while (size < clean.length) {
        unsigned char c = (unsigned char)clean.text[size];
        size_t width = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0x80 ? 2 : 1;
        size_t cost = strchr("\"\\\b\f\n\r\t", c) != NULL ? 2 : c < ' ' ? 6 : width;

        if (cost > *left)
            break;
        *left -= cost;
        size += width;
    }
    *ret_is_cut = *ret_is_cut || size < clean.length;
    string = json_stringn(clean.text, size);
    buf_release(&clean);
    return string;
}

static bool
is_header_name(const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (name[i] <= ' ' || name[i] > '~' || name[i] == '"' || name[i] == '\\')
            return false;
    }
    return length > 0 && length < 128;
}

/* As many as fit into their part of the result. */
static json_t *
headers_of(const struct http_answer *answer, bool *ret_is_cut)
{
    json_t *headers = json_object();
    size_t left = BOUND_RESULT_HEAD_BYTES;

    for (const char *line = answer->headers->text; *line != '\0';) {
        size_t size = strcspn(line, "\n");
        const char *colon = memchr(line, ':', size);
        size_t length = colon == NULL ? 0 : (size_t)(colon - line);
        size_t used = length + 8; /* quotes, colon, comma, spaces */

        if (is_header_name(line, length) && used < left && json_object_size(headers) < HTTP_HEADERS) {
            const char *value = colon + 1 + strspn(colon + 1, " \t");
            char name[128];

            (void)snprintf(name, sizeof(name), "%.*s", (int)length, line);
            left -= used;
            (void)json_object_set_new(headers, name, clean_string(value, (size_t)(line + size - value), &left, ret_is_cut));
        } else if (is_header_name(line, length)) {
            *ret_is_cut = true;
        }
        line += size + (line[size] == '\n');
    }
    return headers;
}

void
http_call_take(struct channel_call *call, const struct http_answer *answer)
{
    bool is_cut = answer->is_truncated;
    size_t left = BOUND_RESULT_BYTES;
    json_t *headers;
    json_t *body;
    json_t *result;

    if (channel_ended_unanswered(call, answer))
        return;
    headers = headers_of(answer, &is_cut);
    body = clean_string(answer->body->text, answer->body->length, &left, &is_cut);
    result = json_pack("{s:i, s:o, s:o, s:b, s:I}", "status", answer->status, "headers", headers, "body", body, "truncated",
        is_cut, "took_ms", (json_int_t)answer->took_ms);
    call->is_done = true;
    call->outcome.outcome = "answered";
    call->outcome.result = json_dumps(result, JSON_COMPACT);
    if (answer->status < 200 || answer->status > 299)
        call->outcome.error_class = channel_class_of(answer->status);
    json_decref(result);
}
