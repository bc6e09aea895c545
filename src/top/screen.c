#include "top/screen.h"

#include <langinfo.h>
#include <ncurses.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static SCREEN *terminal; /* NULL: there is no screen */
static bool has_unicode; /* the terminal's character set is UTF-8 */
static attr_t looks[STYLES];

static void
set_colors(void)
{
    enum { GREEN = 1, YELLOW, RED };

    (void)start_color();
    (void)use_default_colors();
    (void)init_pair(GREEN, COLOR_GREEN, -1);
    (void)init_pair(YELLOW, COLOR_YELLOW, -1);
    (void)init_pair(RED, COLOR_RED, -1);
    looks[STYLE_GOOD] = (attr_t)COLOR_PAIR(GREEN);
    looks[STYLE_WARN] = (attr_t)COLOR_PAIR(YELLOW);
    looks[STYLE_BAD] = (attr_t)COLOR_PAIR(RED);
}

bool
screen_open(bool may_have_colors)
{
    /* newterm, unlike initscr, does not end the process if it does not know the terminal. */
    terminal = newterm(NULL, stdout, stdin);
    if (terminal == NULL)
        return false;
    (void)cbreak();
    (void)noecho();
    (void)nonl();
    (void)keypad(stdscr, TRUE);
    (void)nodelay(stdscr, TRUE);
    (void)curs_set(0);
    (void)set_escdelay(25);
    has_unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    memset(looks, 0, sizeof(looks));
    looks[STYLE_WARN] = A_BOLD;
    looks[STYLE_BAD] = A_BOLD;
    if (may_have_colors && has_colors())
        set_colors();
    looks[STYLE_TITLE] = A_BOLD;
    looks[STYLE_HEAD] = A_UNDERLINE;
    looks[STYLE_SELECTED] = A_REVERSE;
    looks[STYLE_DIM] = A_DIM;
    return true;
}

void
screen_close(void)
{
    if (terminal == NULL)
        return;
    (void)endwin();
    delscreen(terminal);
    terminal = NULL;
}

void
screen_resize(void)
{
    struct winsize size;

    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0)
        (void)resizeterm(size.ws_row, size.ws_col);
    (void)clear();
}

void
screen_size(int *ret_width, int *ret_height)
{
    *ret_width = getmaxx(stdscr);
    *ret_height = getmaxy(stdscr);
}

void
screen_put(void *cookie, int row, enum top_style style, const char *text)
{
    (void)cookie;
    (void)move(row, 0);
    (void)attrset((int)looks[style]);
    for (const char *byte = text; *byte != '\0' && !has_unicode; byte++) {
        /* One mark for each character that this terminal does not have. */
        if (((unsigned char)*byte & 0xc0) != 0x80)
            (void)addch((unsigned char)*byte < 0x80 ? (chtype)*byte : '?');
    }
    if (has_unicode)
        (void)addstr(text);
    if (style == STYLE_SELECTED) {
        while (getcury(stdscr) == row && getcurx(stdscr) < getmaxx(stdscr) - 1)
            (void)addch(' ');
    }
    (void)attrset(A_NORMAL);
    if (getcury(stdscr) == row)
        (void)clrtoeol();
}

void
screen_flush(void)
{
    (void)refresh();
}

int
screen_key(void)
{
    int key = getch();

    switch (key) {
    case ERR:
        return SCREEN_NONE;
    case KEY_UP:
    case 'k':
        return SCREEN_UP;
    case KEY_DOWN:
    case 'j':
        return SCREEN_DOWN;
    case KEY_PPAGE:
        return SCREEN_PAGE_UP;
    case KEY_NPAGE:
        return SCREEN_PAGE_DOWN;
    case '\t':
        return SCREEN_TAB;
    case KEY_BTAB:
        return SCREEN_BACK_TAB;
    case KEY_ENTER:
    case '\r':
    case '\n':
        return SCREEN_ENTER;
    case 27:
        return SCREEN_ESCAPE;
    default:
        return key > 0xff ? 0 : key;
    }
}
