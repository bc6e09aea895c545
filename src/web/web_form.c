#include "web/web_form.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/utf8.h"

static int
hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* Decodes a text in place.  False: it is broken. */
static bool
decode(char *text)
{
    char *to = text;
    size_t length;

    for (const char *c = text; *c != '\0'; c++) {
        int high;
        int low;

        if (*c != '%') {
            *to++ = *c == '+' ? ' ' : *c;
            continue;
        }
        high = hex_digit(c[1]);
        low = high < 0 ? -1 : hex_digit(c[2]);
        if (low < 0 || high + low == 0)
            return false;
        *to++ = (char)(high * 16 + low);
        c += 2;
    }
    *to = '\0';
    length = (size_t)(to - text);
    return utf8_is_valid(text, length);
}

bool
web_form_read(struct web_form *form, const char *bytes, size_t length, struct err *err)
{
    char *rest;
    char *item;

    *form = (struct web_form){.text = must_alloc(length + 1)};
    if (length > 0)
        memcpy(form->text, bytes, length);
    if (memchr(form->text, '\0', length) != NULL)
        return err_set(err, ERR_REFUSED, "22021", "the form has a NUL");
    rest = form->text;
    while ((item = strsep(&rest, "&")) != NULL) {
        char *value = strchr(item, '=');

        if (item[0] == '\0')
            continue;
        if (value != NULL)
            *value++ = '\0';
        if (!decode(item) || (value != NULL && !decode(value)))
            return err_set(err, ERR_REFUSED, "22021", "the form has a broken escape, or a text that is not UTF-8");
        if (web_form_value(form, item) != NULL)
            return err_set(err, ERR_REFUSED, "22023", "a field of the form comes twice");
        if (form->count == WEB_FIELDS)
            return err_set(err, ERR_LIMIT, "54000", "the form has more than %d fields", WEB_FIELDS);
        form->fields[form->count++] = (struct web_field){.name = item, .value = value == NULL ? "" : value};
    }
    return true;
}

const char *
web_form_value(const struct web_form *form, const char *name)
{
    for (int i = 0; i < form->count; i++) {
        if (strcmp(form->fields[i].name, name) == 0)
            return form->fields[i].value;
    }
    return NULL;
}

void
web_form_release(struct web_form *form)
{
    free(form->text);
    *form = (struct web_form){0};
}

bool
web_cookie(const char *header, const char *name, char *ret_value, size_t size)
{
    size_t name_length = strlen(name);
    bool is_found = false;

    while (header != NULL && *header != '\0') {
        size_t length;

        header += strspn(header, " \t;");
        length = strcspn(header, ";");
        if (length > name_length && strncmp(header, name, name_length) == 0 && header[name_length] == '=') {
            size_t value_length = length - name_length - 1;

            if (is_found || value_length >= size)
                return false;
            is_found = true;
            memcpy(ret_value, header + name_length + 1, value_length);
            ret_value[value_length] = '\0';
        }
        header += length;
    }
    return is_found;
}

static bool
is_host(const char *host)
{
    size_t length = strspn(host, "abcdefghijklmnopqrstuvwxyz0123456789.-_[]:");

    return length > 0 && host[length] == '\0';
}

/* Browsers leave the standard port out of Host and Origin. */
static void
drop_standard_port(struct web_base *base)
{
    const char *port = base->is_secure ? ":443" : ":80";
    size_t length = strlen(base->host);

    if (length > strlen(port) && strcmp(base->host + length - strlen(port), port) == 0)
        base->host[length - strlen(port)] = '\0';
}

bool
web_base_read(struct web_base *ret_base, const char *text, struct err *err)
{
    const char *rest = text;
    size_t length;

    *ret_base = (struct web_base){0};
    if (strncmp(text, "https://", 8) == 0) {
        ret_base->is_secure = true;
        rest += 8;
    } else if (strncmp(text, "http://", 7) == 0) {
        rest += 7;
    } else {
        return err_set(err, ERR_REFUSED, "", "\"%s\" does not begin with https:// or http://", text);
    }
    length = strcspn(rest, "/");
    if (length == 0 || length >= sizeof(ret_base->host))
        return err_set(err, ERR_REFUSED, "", "\"%s\" names no host", text);
    for (size_t i = 0; i < length; i++)
        ret_base->host[i] = (char)tolower((unsigned char)rest[i]);
    if (!is_host(ret_base->host))
        return err_set(err, ERR_REFUSED, "", "the host of \"%s\" is not plain", text);
    drop_standard_port(ret_base);
    rest += length;
    length = strlen(rest);
    while (length > 0 && rest[length - 1] == '/')
        length--;
    if (length >= sizeof(ret_base->prefix))
        return err_set(err, ERR_LIMIT, "", "the path of \"%s\" is too long", text);
    for (size_t i = 0; i < length; i++) {
        if (!isalnum((unsigned char)rest[i]) && strchr("/-_.~", rest[i]) == NULL)
            return err_set(err, ERR_REFUSED, "", "the path of \"%s\" is not plain: letters, digits, - _ . ~", text);
    }
    memcpy(ret_base->prefix, rest, length);
    if (strstr(ret_base->prefix, "//") != NULL || strstr(ret_base->prefix, "/.") != NULL)
        return err_set(err, ERR_REFUSED, "", "the path of \"%s\" has an empty part or a dot", text);
    (void)snprintf(ret_base->origin, sizeof(ret_base->origin), "%s://%s", ret_base->is_secure ? "https" : "http", ret_base->host);
    return true;
}

bool
web_host_is(const char *host, const char *const *hosts)
{
    for (; *hosts != NULL; hosts++) {
        if (strcasecmp(host, *hosts) == 0)
            return true;
    }
    return false;
}

bool
web_path_is_ours(const char *path)
{
    if (path == NULL || path[0] != '/' || path[1] == '/')
        return false;
    for (const char *c = path; *c != '\0'; c++) {
        if (!isgraph((unsigned char)*c) || *c == '\\' || *c == '#')
            return false;
    }
    return true;
}
