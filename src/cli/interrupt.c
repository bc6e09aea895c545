#include "cli/interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t is_asked = 0;
static struct db_once *volatile cancelled_db = NULL;

static void
on_signal(int number)
{
    (void)number;
    is_asked = 1;
    if (cancelled_db != NULL)
        db_once_cancel(cancelled_db);
}

void
interrupt_catch(void)
{
    struct sigaction action = {.sa_handler = on_signal};

    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
}

bool
interrupt_is_asked(void)
{
    return is_asked != 0;
}

void
interrupt_cancels(struct db_once *db)
{
    cancelled_db = db;
}
