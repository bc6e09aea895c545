/*
 * Text with gaps.  {{name}} stands for a value.  The lines between a line {{if WORD ...}} and a line {{end}} are kept if one
 * of the words is on; those after a line {{else}} are kept if none is.  Such blocks do not nest.
 */
#ifndef CLI_TEMPLATE_H
#define CLI_TEMPLATE_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"

/* A value for a gap.  Texts are not owned. */
struct template_value {
    const char *name;
    const char *text;
};

/* What fills a template.  Both lists end with NULL: `values` with a NULL name.  Lists and texts are not owned. */
struct template_fill {
    const struct template_value *values;
    const char *const *words; /* words that are on */
};

/* Adds the filled template to `to`, whose limit bounds the text.  False: the template is wrong (a gap without a value, a block
 * that is not closed), or the text is over the limit, as `err` says. */
NODISCARD bool template_fill(struct buf *to, const char *template, const struct template_fill *fill, struct err *err);

#endif
