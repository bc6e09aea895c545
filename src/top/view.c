#include "top/view.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/attr.h"
#include "base/buf.h"
#include "base/utf8.h"
#include "top/view_cells.h"

enum { LINE_BYTES = 8192, HEADS = 2, FOOT = 1, LABEL_WIDTH = 11 };

struct column {
    const char *name;
    int cell;  /* column of the table; -1: made from several */
    int width; /* 0: takes what the others leave */
    bool is_right;
    void (*write)(struct buf *to, const struct top_table *table, int row, int cell);
};

enum { COLUMNS = 8, FLEXIBLE_MIN = 8, FLEXIBLE_MAX = 60 };

/* clang-format off */
static const struct column columns[TOP_PARTS][COLUMNS] = {
    [TOP_QUEUES] = {{"QUEUE", 0, 0, false, cell_text}, {"WAITING", 1, 8, true, cell_bounded}, {"LATER", 2, 7, true, cell_count},
        {"RUNNING", 4, 7, true, cell_count}, {"OLDEST", 5, 7, true, cell_seconds}, {"DONE/MIN", 9, 8, true, cell_rate},
        {"FAIL/MIN", 10, 8, true, cell_rate}, {"STATE", 6, 6, false, cell_paused}},
    [TOP_WORKERS] = {{"WORKER", 0, 0, false, cell_text}, {"STATE", 1, 6, false, cell_text}, {"HELD", 2, 5, true, cell_count},
        {"UP", 3, 7, true, cell_seconds}, {"SEEN", 4, 7, true, cell_seconds}, {"QUEUES", 5, 20, false, cell_all}},
    [TOP_RUNNING] = {{"RUNNING", 0, 12, true, cell_text}, {"TYPE", 1, 12, false, cell_text}, {"NAME", 2, 0, false, cell_text},
        {"QUEUE", 3, 12, false, cell_text}, {"WORKER", 4, 14, false, cell_text}, {"FOR", 5, 7, true, cell_seconds}},
    [TOP_FAILURES] = {{"FAILURE", 0, 12, true, cell_text}, {"AGO", 1, 7, true, cell_seconds}, {"TYPE", 2, 12, false, cell_text},
        {"OUTCOME", 4, 11, false, cell_open}, {"ERROR", 5, 0, false, cell_text}},
};

static const char *const help[] = {
    "Tab, Shift-Tab     next part, previous part",
    "Up, Down, j, k     select a row; Page Up, Page Down: ten rows",
    "p                  pause the queue, or resume it",
    "Enter              look at the task",
    "r                  run the completed task again, as a new task",
    "c                  cancel the task",
    "Space              ask the database now",
    "q, Esc             back; leave",
    "",
    "A queue with a + has more tasks than were counted.  Rates are means of the",
    "last five minutes that are counted; a worker counts each minute soon after it.",
};
/* clang-format on */

static int
at_least(int number, int least)
{
    return number < least ? least : number;
}

/* --- tables ------------------------------------------------------------------------------- */

const char *
top_cell(const struct top_table *table, int row, int column)
{
    const char *text = row < 0 || row >= table->rows || column >= table->columns ? NULL
                                                                                 : table->cells[row * table->columns + column];

    return text == NULL ? "" : text;
}

void
top_table_release(struct top_table *table)
{
    for (int i = 0; i < table->rows * table->columns; i++)
        free(table->cells[i]);
    free(table->cells);
    *table = (struct top_table){0};
}

void
top_figures_release(struct top_figures *figures)
{
    for (int part = 0; part < TOP_PARTS; part++)
        top_table_release(&figures->parts[part]);
}

/* --- lines --------------------------------------------------------------------------------- */

/* Bytes of a cleaned text that fit into `width` places of a terminal, and the places that they take. */
static size_t
fitting(const char *text, size_t length, int width, int *ret_places)
{
    size_t end = 0;

    *ret_places = 0;
    while (end < length) {
        unsigned int number;
        size_t bytes;
        int places;

        (void)utf8_next(text + end, length - end, &bytes, &number);
        places = wcwidth((wchar_t)number);
        places = places < 0 ? 1 : places;
        if (*ret_places + places > width)
            break;
        *ret_places += places;
        end += bytes;
    }
    return end;
}

void
top_fit(struct buf *to, const char *text, int width, bool is_filled, bool is_right)
{
    struct buf clean;
    size_t end;
    int places;

    buf_init(&clean, LINE_BYTES);
    (void)utf8_clean_line(&clean, text, strlen(text), LINE_BYTES / 2);
    end = fitting(clean.text, clean.length, width, &places);
    if (is_filled && is_right)
        buf_printf(to, "%*s", width - places, "");
    buf_printf(to, "%.*s", (int)end, clean.text);
    if (is_filled && !is_right)
        buf_printf(to, "%*s", width - places, "");
    buf_release(&clean);
}

struct page {
    int width, height;
    int row; /* next line */
    top_put_fn *put;
    void *cookie;
};

static void
put_line(struct page *page, enum top_style style, const char *text)
{
    struct buf line;

    if (page->row >= page->height)
        return;
    buf_init(&line, 2 * LINE_BYTES);
    top_fit(&line, text, page->width, false, false);
    page->put(page->cookie, page->row++, style, line.text);
    buf_release(&line);
}

static int
flexible_width(enum top_part part, int width)
{
    int left = width;

    for (int i = 0; i < COLUMNS && columns[part][i].name != NULL; i++)
        left -= columns[part][i].width + (i > 0);
    /* On a wide screen the figures stay beside the name; an error may take all. */
    if (part != TOP_FAILURES && left > FLEXIBLE_MAX)
        left = FLEXIBLE_MAX;
    return at_least(left, FLEXIBLE_MIN);
}

/* row -1: the names of the columns. */
static void
put_row(struct page *page, enum top_part part, const struct top_table *table, int row, enum top_style style)
{
    struct buf line;
    struct buf cell;

    buf_init(&line, 2 * LINE_BYTES);
    for (int i = 0; i < COLUMNS && columns[part][i].name != NULL; i++) {
        const struct column *column = &columns[part][i];
        int width = column->width == 0 ? flexible_width(part, page->width) : column->width;

        buf_init(&cell, LINE_BYTES);
        if (row < 0)
            buf_puts(&cell, column->name);
        else
            column->write(&cell, table, row, column->cell);
        if (i > 0)
            buf_puts(&line, " ");
        top_fit(&line, cell.text, width, true, column->is_right);
        buf_release(&cell);
    }
    put_line(page, style, line.text);
    buf_release(&line);
}

static enum top_style
row_style(enum top_part part, const struct top_table *table, int row)
{
    if (part == TOP_QUEUES)
        return strcmp(top_cell(table, row, 6), "t") == 0    ? STYLE_WARN
               : strtod(top_cell(table, row, 10), NULL) > 0 ? STYLE_BAD
                                                            : STYLE_PLAIN;
    if (part == TOP_WORKERS)
        return strcmp(top_cell(table, row, 1), "live") == 0 ? STYLE_PLAIN : STYLE_BAD;
    if (part == TOP_FAILURES)
        return top_cell(table, row, 4)[0] == '\0' ? STYLE_WARN : STYLE_BAD;
    return STYLE_PLAIN;
}

/* --- parts ---------------------------------------------------------------------------------- */

/* Shares out the rows, one by one, beginning with the part in focus, until all are shown or no room is left. */
static void
share_rows(const struct top_view *view, const struct top_figures *figures, int room, int *ret_rows)
{
    bool is_full = false;

    for (int part = 0; part < TOP_PARTS; part++)
        ret_rows[part] = 0;
    while (room > 0 && !is_full) {
        is_full = true;
        for (int i = 0; i < TOP_PARTS && room > 0; i++) {
            int part = ((int)view->focus + i) % TOP_PARTS;

            if (ret_rows[part] >= at_least(figures->parts[part].rows, 1))
                continue;
            ret_rows[part]++;
            room--;
            is_full = false;
        }
    }
}

/* The selected row exists, and is among those that are shown. */
static void
correct_selection(struct top_view *view, const struct top_figures *figures, enum top_part part, int shown)
{
    int *selected = &view->selected[part];
    int *first = &view->first[part];
    int rows = figures->parts[part].rows;

    if (*selected >= rows)
        *selected = at_least(rows - 1, 0);
    if (*first > *selected)
        *first = *selected;
    if (*selected >= *first + shown)
        *first = *selected - shown + 1;
    if (*first + shown > rows)
        *first = at_least(rows - shown, 0);
}

static void
put_part(struct page *page, struct top_view *view, const struct top_figures *figures, enum top_part part, int shown)
{
    static const char *const nothing[TOP_PARTS] = {"no queue", "no worker is there", "nothing runs", "no errors"};
    const struct top_table *table = &figures->parts[part];

    correct_selection(view, figures, part, shown);
    put_row(page, part, table, -1, STYLE_HEAD);
    if (table->rows == 0 && shown > 0)
        put_line(page, STYLE_DIM, nothing[part]);
    for (int i = 0; i < shown && view->first[part] + i < table->rows; i++) {
        int row = view->first[part] + i;
        bool is_selected = !view->is_plain && part == view->focus && row == view->selected[part];

        put_row(page, part, table, row, is_selected ? STYLE_SELECTED : row_style(part, table, row));
    }
}

static void
put_parts(struct page *page, struct top_view *view, const struct top_figures *figures)
{
    int rows[TOP_PARTS];
    int body = page->height - page->row - (view->is_plain ? 0 : FOOT);

    /* A tiny screen has room for one part only. */
    if (body < 2 * TOP_PARTS) {
        put_part(page, view, figures, view->focus, at_least(body - 1, 0));
        return;
    }
    share_rows(view, figures, body - TOP_PARTS, rows);
    for (int part = 0; part < TOP_PARTS; part++)
        put_part(page, view, figures, (enum top_part)part, rows[part]);
}

/* --- the whole ------------------------------------------------------------------------------ */

static void
put_heads(struct page *page, const struct top_view *view, const struct top_figures *figures)
{
    const struct top_table *queues = &figures->parts[TOP_QUEUES];
    double done = 0;
    double failed = 0;
    struct buf line;

    buf_init(&line, LINE_BYTES);
    buf_printf(&line, "reeve top  %s  %s", figures->database, figures->clock);
    if (view->problem[0] != '\0')
        buf_printf(&line, "  NO CONNECTION: %s", view->problem);
    put_line(page, view->problem[0] != '\0' ? STYLE_BAD : STYLE_TITLE, line.text);
    buf_release(&line);
    for (int row = 0; row < queues->rows; row++) {
        done += strtod(top_cell(queues, row, 9), NULL);
        failed += strtod(top_cell(queues, row, 10), NULL);
    }
    buf_init(&line, LINE_BYTES);
    buf_printf(&line, "%d queues  %d workers  %d running  %.0f done/min  %.0f failed/min  %.0f s old, took %.0f ms", queues->rows,
        figures->parts[TOP_WORKERS].rows, figures->parts[TOP_RUNNING].rows, done, failed, (double)(view->age_ms / 1000),
        (double)figures->took_ms);
    put_line(page, STYLE_PLAIN, line.text);
    buf_release(&line);
}

static void
put_foot(struct page *page, const struct top_view *view)
{
    if (view->is_plain)
        return;
    while (page->row < page->height - FOOT)
        put_line(page, STYLE_PLAIN, "");
    if (view->question[0] != '\0')
        put_line(page, STYLE_WARN, view->question);
    else if (view->message[0] != '\0')
        put_line(page, STYLE_TITLE, view->message);
    else if (view->detail.rows > 0)
        put_line(page, STYLE_DIM, "Up Down scroll  r retry  c cancel  q back");
    else
        put_line(page, STYLE_DIM, "Tab part  Up Down row  Enter look  p pause  r retry  c cancel  ? help  q leave");
}

/* Puts out the lines of one row of a task, except the first *skip ones.  Returns the number of all its lines. */
static int
put_detail_row(struct page *page, const struct top_table *detail, int row, int *skip)
{
    int width = at_least(page->width - LABEL_WIDTH, 1);
    enum top_style style = strcmp(top_cell(detail, row, 0), "error") == 0 ? STYLE_BAD : STYLE_PLAIN;
    struct buf clean;
    size_t at = 0;
    int lines = 0;

    buf_init(&clean, LINE_BYTES);
    (void)utf8_clean_line(&clean, top_cell(detail, row, 1), strlen(top_cell(detail, row, 1)), LINE_BYTES / 2);
    do {
        int places;
        size_t bytes = fitting(clean.text + at, clean.length - at, width, &places);
        struct buf line;

        /* A character that is wider than the screen is left out. */
        if (bytes == 0 && at < clean.length)
            break;
        buf_init(&line, LINE_BYTES);
        top_fit(&line, lines == 0 ? top_cell(detail, row, 0) : "", LABEL_WIDTH, true, false);
        buf_printf(&line, "%.*s", (int)bytes, clean.text + at);
        if (*skip > 0)
            --*skip;
        else if (page->row < page->height - FOOT)
            put_line(page, style, line.text);
        buf_release(&line);
        at += bytes;
        lines++;
    } while (at < clean.length);
    buf_release(&clean);
    return lines;
}

static void
put_detail(struct page *page, struct top_view *view)
{
    int skip = view->detail_first;
    int lines = 0;

    for (int row = 0; row < view->detail.rows; row++)
        lines += put_detail_row(page, &view->detail, row, &skip);
    if (view->detail_first >= lines)
        view->detail_first = at_least(lines - 1, 0);
}

void
top_draw(struct top_view *view, const struct top_figures *figures, int width, int height, top_put_fn *put, void *cookie)
{
    struct page page = {.width = width, .height = height, .put = put, .cookie = cookie};

    put_heads(&page, view, figures);
    if (view->is_help) {
        for (size_t i = 0; i < LENGTH(help); i++)
            put_line(&page, STYLE_PLAIN, help[i]);
    } else if (view->detail.rows > 0) {
        put_detail(&page, view);
    } else {
        put_parts(&page, view, figures);
    }
    put_foot(&page, view);
}

void
top_move(struct top_view *view, const struct top_figures *figures, int by)
{
    int *place = view->detail.rows > 0 ? &view->detail_first : &view->selected[view->focus];

    /* top_draw knows how many lines a task has. */
    *place += by;
    if (view->detail.rows == 0 && *place >= figures->parts[view->focus].rows)
        *place = figures->parts[view->focus].rows - 1;
    *place = at_least(*place, 0);
}

int
top_height(const struct top_figures *figures)
{
    int height = HEADS;

    for (int part = 0; part < TOP_PARTS; part++)
        height += 1 + at_least(figures->parts[part].rows, 1);
    return height;
}
