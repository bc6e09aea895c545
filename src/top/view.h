/*
 * What `reeve top` shows, without a terminal: figures come in, lines of text go out.  The same lines go to a screen and to plain
 * text.  The module is pure.  All texts in the figures are foreign: they are cleaned and cut before they are put out.
 */
#ifndef TOP_VIEW_H
#define TOP_VIEW_H

#include <stdbool.h>
#include <stdint.h>

/* Parts of the screen, from top to bottom. */
enum top_part { TOP_QUEUES, TOP_WORKERS, TOP_RUNNING, TOP_FAILURES, TOP_PARTS };

/* Rows of texts.  A cell that is NULL is null.  The owner frees the table with top_table_release. */
struct top_table {
    int rows;
    int columns;
    char **cells; /* rows * columns; owned */
};

/* Text of a cell; "": it is null, or there is no such cell. */
const char *top_cell(const struct top_table *table, int row, int column);
void top_table_release(struct top_table *table);

/* One answer of the database. */
struct top_figures {
    struct top_table parts[TOP_PARTS]; /* columns as the functions queues.top_* return them */
    char database[64];
    char clock[16];  /* time of the server */
    bool may_act;    /* the login may pause, retry and cancel */
    int64_t took_ms; /* duration of all questions */
};

void top_figures_release(struct top_figures *figures);

/* How a line looks. */
enum top_style { STYLE_PLAIN, STYLE_TITLE, STYLE_HEAD, STYLE_SELECTED, STYLE_GOOD, STYLE_WARN, STYLE_BAD, STYLE_DIM, STYLES };

/* What the person has chosen, and what the program has to say.  Zeroed: the first queue is selected. */
struct top_view {
    enum top_part focus;
    int selected[TOP_PARTS]; /* row of each part */
    int first[TOP_PARTS];    /* first row of each part that is shown */
    int64_t age_ms;          /* age of the figures */
    char problem[160];       /* why there are no new figures; "": there is nothing wrong */
    char message[160];       /* answer to the last key; "": none */
    char question[160];      /* waits for y or n; "": none */
    bool is_help;            /* shows the keys */
    struct top_table detail; /* a task, as label and line; no rows: the parts are shown */
    int detail_first;        /* first line that is shown; a long text has several */
    bool is_plain;           /* plain text: nothing is selected, and no keys are named */
};

/* Receives one line.  The text is valid during the call, has no control characters and is at most as wide as the screen. */
typedef void top_put_fn(void *cookie, int row, enum top_style style, const char *text);

/* Puts out all lines of a screen of this size, from top to bottom, and corrects the selection if rows are gone. */
void top_draw(struct top_view *view, const struct top_figures *figures, int width, int height, top_put_fn *put, void *cookie);

/* Moves the selection, or the lines of a task.  `by` may be any number. */
void top_move(struct top_view *view, const struct top_figures *figures, int by);

/* Rows that show everything as plain text. */
int top_height(const struct top_figures *figures);

/* A text for one line, cut to `width` places of a terminal and filled up with spaces if is_filled. */
struct buf;
void top_fit(struct buf *to, const char *text, int width, bool is_filled, bool is_right);

#endif
