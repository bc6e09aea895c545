/*
 * Strict reading of what a request carries as text: queries, forms, cookies, escapes, and the addresses in Host and Origin.  Pure
 * functions over foreign bytes; what they return is valid UTF-8 without NUL.
 */
#ifndef WEB_WEB_FORM_H
#define WEB_WEB_FORM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/err.h"

/* Largest number of fields in one query or form. */
enum { WEB_FIELDS = 64 };

/* A field, decoded. */
struct web_field {
    const char *name;
    const char *value;
};

/* The fields of a query or of a form.  web_form_release frees it. */
struct web_form {
    char *text; /* owned; the fields point into it */
    struct web_field fields[WEB_FIELDS];
    int count;
};

/* Reads a=b&c=d, as browsers write it: + is a space, %XX a byte.  False: an escape is broken, a text is not valid UTF-8 or has a
 * NUL, a name comes twice, or there are too many fields; `err` says which.  In both cases call web_form_release. */
NODISCARD bool web_form_read(struct web_form *form, const char *bytes, size_t length, struct err *err);

/* The value of a field.  NULL: it is not there. */
const char *web_form_value(const struct web_form *form, const char *name);

/* Frees the fields. */
void web_form_release(struct web_form *form);

/* Finds a cookie in a Cookie header, which may be NULL.  False: it is not there, comes twice, or is longer than `size` - 1 bytes.
 */
NODISCARD bool web_cookie(const char *header, const char *name, char *ret_value, size_t size);

/* The address under which viewers reach a server: https://ops.example.com/reeve. */
struct web_base {
    bool is_secure;   /* https */
    char host[262];   /* lower case, with the port if it is not the standard one: "ops.example.com", "[::1]:8080" */
    char prefix[128]; /* "/reeve"; "": none */
    char origin[280]; /* "https://ops.example.com" */
};

/* Reads such an address.  False: `err` says what is wrong with it. */
NODISCARD bool web_base_read(struct web_base *ret_base, const char *text, struct err *err);

/* Is this the value of a Host header that means one of these hosts, in any case of letters?  `hosts` ends with NULL. */
bool web_host_is(const char *host, const char *const *hosts);

/* Is this a path that a viewer may be sent to: visible ASCII that begins with one slash, without a backslash? */
bool web_path_is_ours(const char *path);

#endif
