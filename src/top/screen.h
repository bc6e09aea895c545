/*
 * A terminal as a screen of lines and a source of keys: ncurses, and the only files that include it.  There is one screen in a
 * process.  Nothing here blocks.
 */
#ifndef TOP_SCREEN_H
#define TOP_SCREEN_H

#include <stdbool.h>

#include "top/view.h"

/* Keys that are no characters. */
enum {
    SCREEN_NONE = -1,
    SCREEN_UP = 0x110000,
    SCREEN_DOWN,
    SCREEN_PAGE_UP,
    SCREEN_PAGE_DOWN,
    SCREEN_TAB,
    SCREEN_BACK_TAB,
    SCREEN_ENTER,
    SCREEN_ESCAPE
};

/* Takes the terminal over.  screen_close gives it back, and must be called before the process ends.  False: the terminal cannot
 * show a screen, and nothing was changed. */
bool screen_open(bool has_colors);

/* Gives the terminal back as it was.  Harmless if there is no screen. */
void screen_close(void);

/* The terminal has another size now. */
void screen_resize(void);
void screen_size(int *ret_width, int *ret_height);

/* Replaces one line; a top_put_fn.  It is seen after screen_flush. */
void screen_put(void *cookie, int row, enum top_style style, const char *text);
void screen_flush(void);

/* The next key that was pressed; SCREEN_NONE: none. */
int screen_key(void);

#endif
