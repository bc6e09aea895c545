#include "http/http_request.h"

#include <ctype.h>
#include <strings.h>

#include "base/utf8.h"

void
http_request_init(struct http_request *request)
{
    *request = (struct http_request){.timeout_ms = BOUND_CALL_MS};
}

void
http_request_start(struct http_request *request, const char *method, const char *url, bool is_trusted)
{
    (void)snprintf(request->method, sizeof(request->method), "%s", method);
    request->url = must_strdup(url);
    request->is_trusted = is_trusted;
}

void
http_request_body(struct http_request *request, const char *bytes, size_t length)
{
    request->body = must_alloc(length + 1);
    memcpy(request->body, bytes, length);
    request->body_length = length;
}

static bool
is_token(const char *name)
{
    if (name[0] == '\0')
        return false;
    for (const char *c = name; *c != '\0'; c++) {
        if (!isalnum((unsigned char)*c) && strchr("!#$%&'*+-.^_`|~", *c) == NULL)
            return false;
    }
    return true;
}

bool
http_request_header(struct http_request *request, const char *name, const char *value, struct err *err)
{
    if (!is_token(name) || strlen(name) > 128)
        return err_set(err, ERR_REFUSED, "", "header name is not a token");
    if (strpbrk(value, "\r\n") != NULL)
        return err_set(err, ERR_REFUSED, "", "line break in header \"%s\"", name);
    if (utf8_has_control(value))
        return err_set(err, ERR_REFUSED, "", "control character in header \"%s\"", name);
    if (request->header_count == HTTP_HEADERS || strlen(value) > BOUND_HEADER_BYTES)
        return err_set(err, ERR_LIMIT, "", "too many headers, or header \"%s\" is too long", name);
    /* The library reads a semicolon instead of the colon as an empty value. */
    request->headers[request->header_count++] = value[0] == '\0' ? must_format("%s;", name) : must_format("%s: %s", name, value);
    return true;
}

static void
wipe(char *text)
{
    if (text != NULL)
        explicit_bzero(text, strlen(text));
    free(text);
}

static bool
is_named(const char *header, const char *name)
{
    size_t length = strlen(name);

    return strncasecmp(header, name, length) == 0 && (header[length] == ':' || header[length] == ';');
}

bool
http_request_has_header(const struct http_request *request, const char *name)
{
    for (int i = 0; i < request->header_count; i++) {
        if (is_named(request->headers[i], name))
            return true;
    }
    return false;
}

void
http_request_drop_header(struct http_request *request, const char *name)
{
    int kept = 0;

    for (int i = 0; i < request->header_count; i++) {
        if (is_named(request->headers[i], name))
            wipe(request->headers[i]);
        else
            request->headers[kept++] = request->headers[i];
    }
    request->header_count = kept;
}

void
http_request_release(struct http_request *request)
{
    for (int i = 0; i < request->header_count; i++)
        wipe(request->headers[i]);
    wipe(request->url);
    wipe(request->user);
    wipe(request->password);
    free(request->body);
    free(request->mail_from);
    free(request->mail_to);
    http_request_init(request);
}

const char *
http_answer_header(const struct http_answer *answer, const char *name, size_t *ret_length)
{
    size_t length = strlen(name);

    if (answer->headers == NULL)
        return NULL;
    for (const char *line = answer->headers->text; *line != '\0';) {
        size_t size = strcspn(line, "\n");

        if (size > length && strncmp(line, name, length) == 0 && line[length] == ':') {
            const char *value = line + length + 1;

            value += strspn(value, " \t");
            *ret_length = (size_t)(line + size - value);
            return value;
        }
        line += size + (line[size] == '\n');
    }
    return NULL;
}
