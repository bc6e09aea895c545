#include "http/http_base.h"

#include <ctype.h>
#include <curl/curl.h>

#include "base/buf.h"

static int
hex_value(char c)
{
    return isdigit((unsigned char)c) ? c - '0' : isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10 : -1;
}

static bool
is_escape(const char *text)
{
    return text[0] == '%' && hex_value(text[1]) >= 0 && hex_value(text[2]) >= 0;
}

/* False: the path has a character that no path should have, plain or escaped. */
static bool
read_path(const char *path, size_t length, struct buf *decoded)
{
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)path[i];

        if (c == '%') {
            if (!is_escape(path + i))
                return false;
            c = (unsigned char)(hex_value(path[i + 1]) * 16 + hex_value(path[i + 2]));
            i += 2;
            if (c == 0xc0 || c == 0xc1)
                return false;
        }
        if (c < ' ' || c == 0x7f || c == '\\')
            return false;
        buf_add(decoded, (const char *)&c, 1);
    }
    return true;
}

static bool
has_control(const char *text)
{
    while ((unsigned char)*text >= ' ' && *text != 0x7f)
        text++;
    return *text != '\0';
}

static bool
has_dot_segment(const char *path)
{
    while (*path != '\0') {
        size_t size = strcspn(path, "/");
        size_t plain = strcspn(path, "/;");

        if ((plain == 1 && path[0] == '.') || (plain == 2 && path[0] == '.' && path[1] == '.'))
            return true;
        path += size + (path[size] == '/');
    }
    return false;
}

bool
http_base_is_left_by(const char *path)
{
    size_t length = strcspn(path, "?#");
    struct buf decoded;
    bool is_good;

    buf_init(&decoded, length + 1);
    is_good = read_path(path, length, &decoded) && decoded.text[0] == '/' && decoded.text[1] != '/' && path[0] == '/'
              && !has_dot_segment(decoded.text) && !has_control(path + length);
    for (const char *c = decoded.text; is_good && *c != '\0'; c++)
        is_good = !is_escape(c); /* An escape within an escape. */
    buf_release(&decoded);
    return !is_good;
}

static bool
has_part(CURLU *url, CURLUPart part)
{
    char *text = NULL;
    bool found = curl_url_get(url, part, &text, 0) == CURLUE_OK;

    curl_free(text);
    return found;
}

static bool
is_plain(CURLU *url)
{
    char *scheme = NULL;
    bool ok = curl_url_get(url, CURLUPART_SCHEME, &scheme, 0) == CURLUE_OK
              && (strcmp(scheme, "https") == 0 || strcmp(scheme, "http") == 0) && has_part(url, CURLUPART_HOST)
              && !has_part(url, CURLUPART_USER) && !has_part(url, CURLUPART_PASSWORD) && !has_part(url, CURLUPART_QUERY)
              && !has_part(url, CURLUPART_FRAGMENT);

    curl_free(scheme);
    return ok;
}

/* The path is added to that of the base, then comes the query.  A fragment is never sent. */
static bool
add_path(CURLU *url, const char *path)
{
    size_t length = strcspn(path, "?#");
    char *below = NULL;
    char *joined;
    size_t size;
    bool ok = curl_url_get(url, CURLUPART_PATH, &below, 0) == CURLUE_OK;

    if (!ok)
        return false;
    size = strlen(below);
    while (size > 0 && below[size - 1] == '/')
        size--;
    joined = must_format("%.*s%.*s", (int)size, below, (int)length, path);
    ok = curl_url_set(url, CURLUPART_PATH, joined, 0) == CURLUE_OK;
    free(joined);
    curl_free(below);
    if (ok && path[length] == '?') {
        joined = must_format("%.*s", (int)strcspn(path + length + 1, "#"), path + length + 1);
        ok = curl_url_set(url, CURLUPART_QUERY, joined, 0) == CURLUE_OK;
        free(joined);
    }
    return ok;
}

bool
http_base_join(const char *base, const char *path, char **ret_url, struct err *err)
{
    CURLU *url;
    char *text = NULL;
    bool ok;

    if (http_base_is_left_by(path))
        return err_set(err, ERR_REFUSED, "", "url could lead out of the base of edge functions");
    url = curl_url();
    ok = url != NULL && curl_url_set(url, CURLUPART_URL, base, 0) == CURLUE_OK && is_plain(url) && add_path(url, path)
         && curl_url_get(url, CURLUPART_URL, &text, 0) == CURLUE_OK;
    if (ok)
        *ret_url = must_strdup(text);
    else
        (void)err_set(err, ERR_REFUSED, "", "consumer_edge_base is not a plain http or https URL");
    curl_free(text);
    curl_url_cleanup(url);
    return ok;
}
