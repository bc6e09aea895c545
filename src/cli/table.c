#include "cli/table.h"

#include "base/attr.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/utf8.h"
#include "cli/times.h"

enum { COLUMN_MAX = 60, COLUMN_MIN = 8, COLUMNS_MAX = 64, GAP = 2 };

/* A column of the table. */
struct column {
    int number;       /* of the result */
    int width;        /* characters */
    int least;        /* characters to which it can shrink */
    int importance;   /* 0: the most important */
    bool has_times;   /* times are shown relative to now */
    bool has_colours; /* a state, status or outcome */
};

struct table {
    FILE *to;
    const struct db_result *result;
    const struct table_style *style;
    struct column columns[COLUMNS_MAX];
    int count;
    int rows;
};

/* --- text ---------------------------------------------------------------------------- */

static int
character_width(unsigned int number)
{
    static const struct {
        unsigned int first, last;
    } joined[] = {{0x300, 0x36f}, {0x483, 0x489}, {0x591, 0x5bd}, {0x610, 0x61a}, {0x64b, 0x65f}, {0x200b, 0x200f},
        {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}},
      wide[] = {{0x1100, 0x115f}, {0x2e80, 0x303e}, {0x3041, 0xa4cf}, {0xac00, 0xd7a3}, {0xf900, 0xfaff}, {0xfe30, 0xfe6f},
          {0xff00, 0xff60}, {0xffe0, 0xffe6}, {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};

    for (size_t i = 0; i < LENGTH(joined); i++) {
        if (number >= joined[i].first && number <= joined[i].last)
            return 0;
    }
    for (size_t i = 0; i < LENGTH(wide); i++) {
        if (number >= wide[i].first && number <= wide[i].last)
            return 2;
    }
    return 1;
}

/* The bytes at the beginning of a text that take at most `most` characters; *ret_width is how many they take. */
static size_t
fitting(const char *text, int most, int *ret_width)
{
    size_t left = strlen(text);
    size_t used = 0;

    *ret_width = 0;
    while (left > 0) {
        unsigned int number = 0;
        size_t length = 0;
        int width;

        (void)utf8_next(text + used, left, &length, &number);
        width = character_width(number);
        if (*ret_width + width > most)
            break;
        *ret_width += width;
        used += length;
        left -= length;
    }
    return used;
}

int
table_text_width(const char *text)
{
    int width = 0;

    (void)fitting(text, (int)strlen(text) * 2, &width);
    return width;
}

/* The text of a cell on one line, without characters that a terminal obeys.  The caller releases `line`. */
static void
read_cell(const struct table *table, const struct column *column, int row, struct buf *line)
{
    const char *text = db_result_shown(table->result, row, column->number);
    char relative[32];
    double seconds;

    if (column->has_times && times_read(text, &seconds)) {
        times_say(seconds, table->style->now, relative, sizeof(relative));
        text = relative;
    }
    buf_init(line, 3 * strlen(text) + 1);
    (void)utf8_clean_line(line, text, strlen(text), line->ceiling);
}

/* --- layout -------------------------------------------------------------------------- */

/* The place of a name in the list of important columns; -1: it is not there. */
static int
importance_of(const char *columns, const char *name)
{
    size_t length = strlen(name);
    int place = 0;

    for (const char *word = columns; *word != '\0'; word += strspn(word, " "), place++) {
        if (strcspn(word, " ") == length && strncmp(word, name, length) == 0)
            return place;
        word += strcspn(word, " ");
    }
    return -1;
}

static bool
ends_with(const char *text, const char *end)
{
    size_t length = strlen(text);

    return length >= strlen(end) && strcmp(text + length - strlen(end), end) == 0;
}

static void
measure(const struct table *table, struct column *column)
{
    const char *name = db_result_name(table->result, column->number);

    column->width = table_text_width(name);
    for (int row = 0; row < table->rows; row++) {
        struct buf line;
        int width;

        read_cell(table, column, row, &line);
        width = table_text_width(line.text);
        column->width = width > column->width ? width : column->width;
        buf_release(&line);
    }
    if (table->style->width == 0 && column->width > COLUMN_MAX)
        column->width = COLUMN_MAX; /* longer texts stand out, and the others stay together */
    /* Numbers, times and states are of no use in part. */
    column->least = column->width;
    if (db_result_is_text(table->result, column->number) && !column->has_colours && column->width > COLUMN_MIN)
        column->least = COLUMN_MIN;
}

static void
choose_columns(struct table *table)
{
    int all = db_result_columns(table->result);

    for (int number = 0; number < all && table->count < COLUMNS_MAX; number++) {
        const char *name = db_result_name(table->result, number);
        int importance = table->style->columns == NULL ? number : importance_of(table->style->columns, name);
        struct column *column = &table->columns[table->count];

        if (importance < 0 && !table->style->is_wide)
            continue;
        *column = (struct column){.number = number, .importance = importance < 0 ? COLUMNS_MAX + number : importance};
        column->has_times = table->style->now > 0 && db_result_is_time(table->result, number);
        column->has_colours = ends_with(name, "state") || ends_with(name, "status") || ends_with(name, "outcome");
        measure(table, column);
        table->count++;
    }
}

/* Characters that the table needs, at its usual or at its least width. */
static int
total_width(const struct table *table, bool is_least)
{
    int total = (table->count - 1) * GAP;

    for (int i = 0; i < table->count; i++)
        total += is_least ? table->columns[i].least : table->columns[i].width;
    return total;
}

static void
drop_least_important(struct table *table)
{
    int worst = 0;

    for (int i = 1; i < table->count; i++) {
        if (table->columns[i].importance > table->columns[worst].importance)
            worst = i;
    }
    table->count--;
    memmove(&table->columns[worst], &table->columns[worst + 1], (size_t)(table->count - worst) * sizeof(table->columns[0]));
}

static void
fit(struct table *table)
{
    while (table->count > 1 && total_width(table, true) > table->style->width)
        drop_least_important(table);
    while (total_width(table, false) > table->style->width) {
        struct column *widest = NULL;

        for (int i = 0; i < table->count; i++) {
            struct column *column = &table->columns[i];

            if (column->width > column->least && (widest == NULL || column->width > widest->width))
                widest = column;
        }
        if (widest == NULL)
            return;
        widest->width--;
    }
}

/* --- printing ------------------------------------------------------------------------ */

/* The colour of a word; "": none. */
static const char *
colour_of(const char *column, const char *word)
{
    static const struct {
        const char *words;
        const char *colour;
    } colours[] = {
        {" succeeded completed live done ok fired ", "\033[32m"},
        {" failed quarantined in_doubt server_error other too_many expired abandoned ", "\033[31m"},
        {" running executing processing ", "\033[36m"},
        {" scheduled waiting blocked handler_pending paused silent cancelled superseded non_success redirected skipped ",
            "\033[33m"},
    };
    char spaced[64];

    if (strcmp(column, "state") == 0 && strcmp(word, "completed") == 0)
        return ""; /* its status says how */
    (void)snprintf(spaced, sizeof(spaced), " %s ", word);
    for (size_t i = 0; i < LENGTH(colours) && strlen(word) > 0; i++) {
        if (strstr(colours[i].words, spaced) != NULL)
            return colours[i].colour;
    }
    return "";
}

static void
print_cell(const struct table *table, const struct column *column, const char *text, const char *colour)
{
    bool is_last = column == &table->columns[table->count - 1];
    int most = table->style->width > 0 ? column->width : (int)strlen(text) * 2;
    int width = 0;
    size_t bytes = fitting(text, most, &width);
    bool is_cut = text[bytes] != '\0';

    if (is_cut)
        bytes = fitting(text, most - 1, &width);
    (void)fprintf(table->to, "%s%.*s%s%s", colour, (int)bytes, text, is_cut ? "…" : "", colour[0] == '\0' ? "" : "\033[0m");
    width += is_cut;
    if (!is_last)
        (void)fprintf(table->to, "%*s", (column->width > width ? column->width - width : 0) + GAP, "");
}

void
table_print(FILE *to, const struct db_result *result, const struct table_style *style)
{
    struct table table = {.to = to, .result = result, .style = style, .rows = db_result_rows(result)};
    int shown = table.rows;

    choose_columns(&table);
    if (table.count == 0)
        return;
    if (style->width > 0)
        fit(&table);
    if (style->lines > 0 && shown > style->lines)
        shown = style->lines;
    for (int i = 0; i < table.count; i++)
        print_cell(
            &table, &table.columns[i], db_result_name(result, table.columns[i].number), style->has_colour ? "\033[1m" : "");
    (void)fputc('\n', to);
    for (int row = 0; row < shown; row++) {
        for (int i = 0; i < table.count; i++) {
            const struct column *column = &table.columns[i];
            struct buf line;

            read_cell(&table, column, row, &line);
            print_cell(&table, column, line.text,
                style->has_colour && column->has_colours ? colour_of(db_result_name(result, column->number), line.text) : "");
            buf_release(&line);
        }
        (void)fputc('\n', to);
    }
    if (shown < table.rows)
        (void)fprintf(to, "… and %d more rows\n", table.rows - shown);
}
