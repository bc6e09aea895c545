#include "top/view_cells.h"

#include <stdlib.h>
#include <string.h>

static double
number_of(const struct top_table *table, int row, int cell)
{
    return strtod(top_cell(table, row, cell), NULL);
}

static void
write_number(struct buf *to, double number)
{
    if (number >= 999500)
        buf_printf(to, "%.1fM", number / 1e6);
    else if (number >= 99999.5)
        buf_printf(to, "%.0fk", number / 1e3);
    else
        buf_printf(to, "%.0f", number);
}

void
cell_text(struct buf *to, const struct top_table *table, int row, int cell)
{
    buf_printf(to, "%.1000s", top_cell(table, row, cell));
}

void
cell_all(struct buf *to, const struct top_table *table, int row, int cell)
{
    const char *text = top_cell(table, row, cell);

    buf_printf(to, "%.1000s", text[0] == '\0' ? "all" : text);
}

void
cell_open(struct buf *to, const struct top_table *table, int row, int cell)
{
    const char *text = top_cell(table, row, cell);

    buf_printf(to, "%.1000s", text[0] == '\0' ? "open" : text);
}

void
cell_count(struct buf *to, const struct top_table *table, int row, int cell)
{
    write_number(to, number_of(table, row, cell));
}

void
cell_bounded(struct buf *to, const struct top_table *table, int row, int cell)
{
    cell_count(to, table, row, cell);
    if (strcmp(top_cell(table, row, cell + 2), "t") == 0)
        buf_puts(to, "+");
}

void
cell_rate(struct buf *to, const struct top_table *table, int row, int cell)
{
    double rate = number_of(table, row, cell);

    if (rate > 0 && rate < 9.95)
        buf_printf(to, "%.1f", rate);
    else
        write_number(to, rate);
}

void
cell_seconds(struct buf *to, const struct top_table *table, int row, int cell)
{
    double number = number_of(table, row, cell);
    long long seconds = number > 1e12 ? 0 : (long long)number;

    if (top_cell(table, row, cell)[0] == '\0')
        buf_puts(to, "-");
    else if (seconds < 60)
        buf_printf(to, "%llds", seconds < 0 ? 0 : seconds);
    else if (seconds < 3600)
        buf_printf(to, "%lldm%02llds", seconds / 60, seconds % 60);
    else if (seconds < 86400)
        buf_printf(to, "%lldh%02lldm", seconds / 3600, seconds / 60 % 60);
    else
        buf_printf(to, "%lldd%02lldh", seconds / 86400, seconds / 3600 % 24);
}

void
cell_paused(struct buf *to, const struct top_table *table, int row, int cell)
{
    if (strcmp(top_cell(table, row, cell), "t") == 0)
        buf_puts(to, "paused");
}
