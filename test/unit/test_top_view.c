/* The lines of reeve top. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/utf8.h"
#include "top/view.h"

enum { ROWS = 300, BYTES = 4096 };

/* What was put out last. */
static char lines[ROWS][BYTES];
static enum top_style styles[ROWS];
static int count;

static void
keep(void *cookie, int row, enum top_style style, const char *text)
{
    (void)cookie;
    assert_int_equal(row, count); /* from top to bottom, each once */
    assert_true(count < ROWS);
    assert_true(utf8_is_valid(text, strlen(text)));
    assert_false(utf8_has_control(text));
    (void)snprintf(lines[count], BYTES, "%s", text);
    styles[count++] = style;
}

static void
draw(struct top_view *view, const struct top_figures *figures, int width, int height)
{
    count = 0;
    top_draw(view, figures, width, height, keep, NULL);
    assert_true(count <= height);
}

static struct top_table
table(int rows, int columns, const char *const *cells)
{
    struct top_table made = {
        .rows = rows, .columns = columns, .cells = must_alloc((size_t)(rows * columns + 1) * sizeof(char *))};

    for (int i = 0; i < rows * columns; i++)
        made.cells[i] = cells[i] == NULL ? NULL : must_strdup(cells[i]);
    return made;
}

static struct top_figures
some_figures(int queues)
{
    static const char *const worker[] = {"w1", "live", "2", "3700", "5", NULL, "0.1.0"};
    static const char *const running[] = {"12", "db_function", "a.b", "default", "w1", "61.5", "1"};
    static const char *const failed[] = {"7", "5", "http", "http", NULL, "no\x1b[31m such\nthing"};
    struct top_figures figures = {.database = "shop", .clock = "12:00:00"};
    const char **cells = must_alloc((size_t)queues * 12 * sizeof(char *));

    for (int i = 0; i < queues; i++) {
        static const char *const row[] = {"mail", "2000", "3", "t", "1", "90061", "f", NULL, NULL, "120.4", "0.4", NULL};

        memcpy(cells + 12 * i, row, sizeof(row));
    }
    figures.parts[TOP_QUEUES] = table(queues, 12, cells);
    figures.parts[TOP_WORKERS] = table(1, 7, worker);
    figures.parts[TOP_RUNNING] = table(1, 7, running);
    figures.parts[TOP_FAILURES] = table(1, 6, failed);
    free(cells);
    return figures;
}

static int
find(const char *text)
{
    for (int i = 0; i < count; i++) {
        if (strstr(lines[i], text) != NULL)
            return i;
    }
    return -1;
}

static void
test_top_view_fits_into_eighty_by_twenty_four(void **state)
{
    struct top_figures figures = some_figures(40);
    struct top_view view = {0};

    (void)state;
    draw(&view, &figures, 80, 24);
    assert_int_equal(count, 24);
    for (int i = 0; i < count; i++)
        assert_true(strlen(lines[i]) <= 80);
    assert_string_equal(lines[3], "mail                      2000+       3       1   1d01h      120      0.4       ");
    assert_int_equal(styles[3], STYLE_SELECTED);
    /* All four parts have their place, however long one of them is. */
    assert_true(find("w1 ") > 0);
    assert_true(find("1m01s") > 0);
    assert_true(find("no [31m such thing") > 0);
    assert_true(find("q leave") == 23);
    top_figures_release(&figures);
}

static void
test_top_view_survives_every_size(void **state)
{
    struct top_figures figures = some_figures(9);
    static const char *const detail[] = {
        "task", "12", "payload", "{\"a\": \"\xe2\x82\xac\xe2\x82\xac and a long text of many words\"}"};

    (void)state;
    for (int width = 1; width < 260; width += width < 20 ? 1 : 37) {
        for (int height = 1; height < 90; height++) {
            struct top_view view = {.focus = (enum top_part)(height % TOP_PARTS), .selected = {500, 500, 500, 500}};

            draw(&view, &figures, width, height);
            assert_true(view.selected[TOP_QUEUES] < 9 || view.focus != TOP_QUEUES);
            view.detail = table(2, 2, detail);
            view.detail_first = height;
            draw(&view, &figures, width, height);
            top_table_release(&view.detail);
            view.is_help = true;
            draw(&view, &figures, width, height);
        }
    }
    top_figures_release(&figures);
}

static void
test_top_view_the_selection_is_always_seen(void **state)
{
    struct top_figures figures = some_figures(40);
    struct top_view view = {0};

    (void)state;
    for (int i = 0; i < 100; i++) {
        int seen = 0;

        top_move(&view, &figures, i < 50 ? 1 : -1);
        draw(&view, &figures, 80, 24);
        for (int row = 0; row < count; row++)
            seen += styles[row] == STYLE_SELECTED;
        assert_int_equal(seen, 1);
    }
    assert_int_equal(view.selected[TOP_QUEUES], 0);
    top_figures_release(&figures);
}

static void
test_top_view_shows_a_lost_connection_and_the_age_of_the_figures(void **state)
{
    struct top_figures figures = some_figures(1);
    struct top_view view = {.age_ms = 12500, .problem = "server closed the connection"};

    (void)state;
    draw(&view, &figures, 100, 24);
    assert_int_equal(find("NO CONNECTION: server closed the connection"), 0);
    assert_int_equal(styles[0], STYLE_BAD);
    assert_int_equal(find("12 s old"), 1);
    top_figures_release(&figures);
}

static void
test_top_view_long_texts_of_a_task_are_broken_into_lines(void **state)
{
    static const char *const detail[] = {"task", "12", "payload", "abcdefghijklmnopqrstuvwxyz"};
    struct top_figures figures = some_figures(1);
    struct top_view view = {.detail = table(2, 2, detail)};

    (void)state;
    draw(&view, &figures, 21, 24);
    assert_int_equal(find("payload    abcdefghij"), 3);
    assert_int_equal(find("           klmnopqrst"), 4);
    assert_int_equal(find("           uvwxyz"), 5);
    top_move(&view, &figures, 2);
    draw(&view, &figures, 21, 24);
    assert_int_equal(find("           klmnopqrst"), 2);
    top_table_release(&view.detail);
    top_figures_release(&figures);
}

static void
test_top_view_plain_text_has_all_rows_and_no_keys(void **state)
{
    struct top_figures figures = some_figures(40);
    struct top_view view = {.is_plain = true};

    (void)state;
    draw(&view, &figures, 80, top_height(&figures));
    assert_int_equal(count, 2 + 41 + 2 + 2 + 2);
    assert_int_equal(find("q leave"), -1);
    for (int i = 0; i < count; i++)
        assert_int_not_equal(styles[i], STYLE_SELECTED);
    top_figures_release(&figures);
}

static void
test_top_view_wide_characters_take_two_places(void **state)
{
    struct buf to;

    (void)state;
    buf_init(&to, 100);
    top_fit(&to, "\xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2", 5, true, false);
    assert_string_equal(to.text, "\xe6\xbc\xa2\xe5\xad\x97 ");
    buf_release(&to);
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_top_view_fits_into_eighty_by_twenty_four),
        cmocka_unit_test(test_top_view_survives_every_size),
        cmocka_unit_test(test_top_view_the_selection_is_always_seen),
        cmocka_unit_test(test_top_view_shows_a_lost_connection_and_the_age_of_the_figures),
        cmocka_unit_test(test_top_view_long_texts_of_a_task_are_broken_into_lines),
        cmocka_unit_test(test_top_view_plain_text_has_all_rows_and_no_keys),
        cmocka_unit_test(test_top_view_wide_characters_take_two_places),
    };

    (void)setlocale(LC_CTYPE, "C.UTF-8");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
