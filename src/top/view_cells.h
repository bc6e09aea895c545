/* Cells of the tables of `reeve top`: each writes one figure of a row in a few characters. */
#ifndef TOP_VIEW_CELLS_H
#define TOP_VIEW_CELLS_H

#include "base/buf.h"
#include "top/view.h"

typedef void cell_fn(struct buf *to, const struct top_table *table, int row, int cell);

cell_fn cell_text;    /* as it is */
cell_fn cell_all;     /* a text; null means all */
cell_fn cell_open;    /* a text; null means open */
cell_fn cell_count;   /* 950, 12.3k, 1.2M */
cell_fn cell_bounded; /* the same, with a + if the column after the next is true: there are more */
cell_fn cell_rate;    /* 0, 0.4, 120, 12.3k */
cell_fn cell_seconds; /* 5s, 3m20s, 2h05m, 3d04h; null means - */
cell_fn cell_paused;  /* paused, or nothing */

#endif
