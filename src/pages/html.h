/*
 * Writes HTML from templates, and escapes each value for the place where it stands: text, attribute, or address.  A template
 * is a literal of ours; every other text is a value.  So no caller can forget to escape, and none escapes twice.
 */
#ifndef PAGES_HTML_H
#define PAGES_HTML_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/buf.h"

struct page;
struct page_viewer;

/* A document that is being written. */
struct html {
    struct buf *out;                   /* borrowed */
    const struct page_viewer *viewer;  /* borrowed */
    const char *const *argument_names; /* names of the page's query arguments, ends with NULL; NULL: it has none */
};

/* Adds a template.  Its directives are %s, %d, %lld and %%; a NULL for %s is an empty text.
 *   in text          &, < and > become references; control characters, and characters that are invisible or change the order of
 *                    text, become visible marks
 *   in an attribute  which must have quotes: the same, with quotes escaped and the marks as plain text
 *   in an address    that is href, src, action and formaction: every byte that has a meaning in addresses is encoded.
 *                    An address of ours begins with ~ for the viewer's prefix ("~/tasks/%s"), with ? or with #.  An address that
 * is nothing but %s must be a path of ours: it begins with one slash; otherwise it becomes #. A directive anywhere else, or a
 * template that ends inside a tag, is a bug and ends the program. */
void html_put(struct html *html, const char *template, ...) FORMAT(2, 3);

/* Adds a text, of which at most `most` characters are shown.  True: it was cut, and an ellipsis was added. */
bool html_text_cut(struct html *html, const char *text, size_t most);

/* Adds a text as one segment of a path, or as a name or value of a query. */
void html_encode(struct buf *to, const char *text);

#endif
