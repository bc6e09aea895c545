/*
 * An HTTP call.  The payload has the method, the url, headers, the body, headers whose values are secrets, and the rule for
 * signing.  For a run of a job, the engine adds values to the secrets of the call, where no payload can set them: that it is
 * a job, that its URL is below the base of edge functions, and a token.  SQL decides the meaning of an answer.
 */
#include <inttypes.h>

#include "base/outside.h"
#include "base/utf8.h"
#include "channel/channel_private.h"
#include "channel/secret.h"
#include "channel/sign.h"
#include "http/http_base.h"

/* A flag that the engine has set for the call. */
static bool
is_said(const struct channel_call *call, const char *key)
{
    return json_is_true(json_object_get(call->secrets, key));
}

/* These two secrets are for edge functions only; no payload may name them. */
static bool
is_edge_secret(const char *name)
{
    return strcmp(name, "service_role") == 0 || strcmp(name, "consumer_edge_base") == 0;
}

static char *
named_secret(struct channel_call *call, const char *name)
{
    if (name == NULL || is_edge_secret(name)) {
        channel_fail(call, "payload", "secret \"%.128s\" not found", name == NULL ? "" : name);
        return NULL;
    }
    return channel_secret(call, name);
}

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

/* A field with headers: an object, or absent. */
static bool
has_headers_form(struct channel_call *call, const char *field)
{
    json_t *headers = json_object_get(call->payload, field);

    if (headers == NULL || json_is_null(headers) || json_is_object(headers))
        return true;
    channel_fail(call, "payload", "http payload: \"%s\" is not an object", field);
    return false;
}

/* A task must not set headers that follow from the message itself. */
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

/* Adds a header with a secret, and frees the secret.  NULL: the call has failed already. */
static bool
put_secret_header(struct channel_call *call, const char *name, const char *prefix, char *secret)
{
    char *value = secret == NULL ? NULL : must_format("%s%s", prefix == NULL ? "" : prefix, secret);
    bool ok = value != NULL && channel_header(call, name, value);

    secret_free(value);
    secret_free(secret);
    return ok;
}

static bool
add_secret_header(struct channel_call *call, const char *name, const json_t *rule)
{
    char *secret = named_secret(call, json_string_value(json_object_get(rule, "secret")));

    return put_secret_header(call, name, json_string_value(json_object_get(rule, "prefix")), secret);
}

static bool
add_secret_headers(struct channel_call *call)
{
    const char *name;
    json_t *rule;

    if (!has_headers_form(call, "secret_headers"))
        return false; /* Never send the call without this header. */
    json_object_foreach(json_object_get(call->payload, "secret_headers"), name, rule)
    {
        if (!may_choose(call, name) || !add_secret_header(call, name, rule))
            return false;
    }
    return true;
}

/* Authorization of an edge function: the token of its job, or else the key of the service role; a header of the job comes
 * before both. */
static bool
authorize(struct channel_call *call)
{
    const char *token = json_string_value(json_object_get(call->secrets, "token"));

    if (http_request_has_header(call->request, "Authorization"))
        return true;
    if (token == NULL)
        return put_secret_header(call, "Authorization", "Bearer ", channel_secret(call, "service_role"));
    channel_uses(call, token);
    return put_secret_header(call, "Authorization", "Bearer ", must_strdup(token));
}

/* Default headers, unless the request has its own. */
static bool
add_own_headers(struct channel_call *call, bool is_safe)
{
    if (is_said(call, "edge") && !authorize(call))
        return false;
    if (call->traceparent != NULL && !http_request_has_header(call->request, "traceparent")
        && !channel_header(call, "traceparent", call->traceparent))
        return false;
    if (is_said(call, "job") && !http_request_has_header(call->request, "Content-Type")
        && !channel_header(call, "Content-Type", "application/json"))
        return false;
    return is_safe || call->key[0] == '\0' || http_request_has_header(call->request, "Idempotency-Key")
           || channel_header(call, "Idempotency-Key", call->key);
}

static bool
replace_header(struct channel_call *call, const char *name, const char *value)
{
    http_request_drop_header(call->request, name);
    return channel_header(call, name, value);
}

/* Three headers of the Standard Webhooks scheme. */
static bool
sign_by_standard(struct channel_call *call, const json_t *rule, const char *secret)
{
    const char *id = json_string_value(json_object_get(rule, "id"));
    int64_t timestamp = json_integer_value(json_object_get(rule, "timestamp"));
    char timestamp_text[24];
    struct buf signature;
    struct err err;
    bool ok;

    if (timestamp == 0)
        timestamp = outside_wall_ms() / 1000;
    (void)snprintf(timestamp_text, sizeof(timestamp_text), "%" PRId64, timestamp);
    buf_init(&signature, 4096);
    ok = sign_standard(
        secret, id == NULL ? call->key : id, timestamp, call->request->body, call->request->body_length, &signature, &err);
    if (!ok)
        channel_fail(call, "payload", "%s", err.message);
    ok = ok && replace_header(call, "webhook-id", id == NULL ? call->key : id)
         && replace_header(call, "webhook-timestamp", timestamp_text)
         && replace_header(call, "webhook-signature", signature.text);
    buf_release(&signature);
    return ok;
}

static const char *
rule_text(const json_t *rule, const char *key, const char *standard)
{
    const char *text = json_string_value(json_object_get(rule, key));

    return text == NULL ? standard : text;
}

/* Masks each of several secrets, without their common prefix. */
static void
use_parts(struct channel_call *call, const char *secrets)
{
    for (const char *part = secrets + strspn(secrets, " "); *part != '\0'; part += strspn(part, " ")) {
        size_t length = strcspn(part, " ");
        size_t prefix = strncmp(part, "whsec_", 6) == 0 ? 6 : 0;

        mask_add(&call->mask, part + prefix, length - prefix);
        part += length;
    }
}

static bool
sign_with(struct channel_call *call, const json_t *rule, const char *secret, size_t length)
{
    const char *style = rule_text(rule, "style", "HMAC");
    const char *algorithm = rule_text(rule, "alg", "sha256");
    struct buf value;
    bool ok;

    if (strcmp(style, "STANDARD_WEBHOOKS") == 0) {
        use_parts(call, secret);
        return sign_by_standard(call, rule, secret);
    }
    buf_init(&value, 512);
    if (strcmp(style, "HMAC_WITH_PREFIX") == 0)
        buf_printf(&value, "%s=", algorithm);
    ok = sign_hmac(
        algorithm, rule_text(rule, "enc", "hex"), secret, length, call->request->body, call->request->body_length, &value);
    if (!ok)
        channel_fail(call, "payload", "http payload: unknown way to sign");
    ok = ok && replace_header(call, rule_text(rule, "header", "X-HMAC-Signature"), value.text);
    buf_release(&value);
    return ok;
}

/* A secret that is given by value has hex digits. */
static char *
read_hex(const char *hex, size_t *ret_length)
{
    size_t length = strlen(hex) / 2;
    char *bytes = must_alloc(length + 1);

    for (size_t i = 0; i < length; i++) {
        unsigned int byte = 0;

        (void)sscanf(hex + 2 * i, "%2x", &byte);
        bytes[i] = (char)byte;
    }
    bytes[length] = '\0';
    *ret_length = length;
    return bytes;
}

/* Signs the call.  False: it cannot be signed, so it is not sent. */
static bool
sign(struct channel_call *call)
{
    const json_t *rule = json_object_get(call->payload, "sign");
    const char *name = json_string_value(json_object_get(rule, "secret"));
    const char *hex = json_string_value(json_object_get(call->secrets, "signing"));
    char *secret = NULL;
    size_t length = 0;
    bool ok;

    if (rule == NULL || json_is_null(rule))
        return true;
    if (name != NULL) {
        secret = named_secret(call, name);
        length = secret == NULL ? 0 : strlen(secret);
    } else if (hex != NULL) {
        secret = read_hex(hex, &length);
        mask_add(&call->mask, secret, length);
    } else {
        channel_fail(call, "payload", "the signing secret is gone");
    }
    if (secret == NULL)
        return false;
    ok = sign_with(call, rule, secret, length);
    explicit_bzero(secret, length);
    free(secret);
    return ok;
}

/* The URL of the payload, or the URL of an edge function below the base that an administrator has set as a secret.  The
 * outbound policy judges both. */
static bool
start(struct channel_call *call, const char *method, const char *url)
{
    char *base;
    char *joined = NULL;
    struct err err;

    if (!is_said(call, "edge")) {
        http_request_start(call->request, method, url, false);
        return true;
    }
    base = channel_secret(call, "consumer_edge_base");
    if (base == NULL)
        return false;
    if (http_base_join(base, url, &joined, &err))
        http_request_start(call->request, method, joined, false);
    else
        channel_fail(call, "policy", "%s", err.message);
    secret_free(joined);
    secret_free(base);
    return !call->is_done;
}

/* May the call be made?  False: the call has failed with the reason of the database. */
static bool
is_permitted(struct channel_call *call)
{
    const char *problem = json_string_value(json_object_get(call->secrets, "problem"));

    if (problem == NULL)
        return true;
    channel_fail(call, "policy", "%s", problem);
    return false;
}

void
http_call_begin(struct channel_call *call)
{
    const char *url = channel_text(call, "url");
    const char *method = channel_text(call, "method");
    json_t *body = json_object_get(call->payload, "body");
    bool is_job = is_said(call, "job");
    bool has_type = false;
    bool is_safe;

    if (method == NULL)
        method = call->body == NULL ? "GET" : "POST";
    if (!is_method(method) || url == NULL) {
        channel_fail(
            call, "payload", url == NULL ? "http payload: missing \"url\"" : "http payload: unknown method \"%.16s\"", method);
        return;
    }
    is_safe = strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0;
    if (!is_permitted(call) || !start(call, method, url))
        return;
    call->request->is_repeatable = is_safe || strcmp(method, "PUT") == 0 || strcmp(method, "DELETE") == 0;
    if (!add_headers(call, &has_type) || !add_secret_headers(call) || !add_own_headers(call, is_safe))
        return;
    if (call->body != NULL && !is_safe && strcmp(method, "DELETE") != 0) {
        http_request_body(call->request, call->body, strlen(call->body));
        if (!has_type && !is_job && !json_is_string(body) && !channel_header(call, "Content-Type", "application/json"))
            return;
    }
    if (sign(call))
        channel_send(call);
}

/* Foreign text in a result, cleaned.  *left is the number of bytes that its JSON form may take, and is reduced by those
 * taken.  The text ends before the first character that does not fit. */
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

/* As many headers as fit into their part of the result. */
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
    bool is_job = is_said(call, "job");
    size_t left = is_job ? (size_t)BOUND_BODY_BYTES * 6 : BOUND_RESULT_BYTES; /* the body of a job is stored elsewhere */
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
