#include "base/failpoint.h"

#ifdef FAILPOINTS

#include <signal.h>
#include <stdbool.h>
#include <unistd.h>

#include "base/banned.h"

enum { MAX_POINTS = 16 };

static struct {
    char name[64];
    char action[16];
    int nth;
    int hits;
} points[MAX_POINTS];
static int count = -1;

/* "name=action@nth[;...]" */
static void
load(void)
{
    const char *text = getenv("REEVE_FAILPOINTS");

    count = 0;
    while (text != NULL && *text != '\0' && count < MAX_POINTS) {
        points[count].nth = 1;
        if (sscanf(text, "%63[^=]=%15[^@;]@%d", points[count].name, points[count].action, &points[count].nth) >= 2)
            count++;
        text = strchr(text, ';');
        if (text != NULL)
            text++;
    }
}

void
failpoint(const char *name)
{
    if (count < 0)
        load();
    for (int i = 0; i < count; i++) {
        if (strcmp(points[i].name, name) != 0 || ++points[i].hits != points[i].nth)
            continue;
        if (strcmp(points[i].action, "kill") == 0)
            (void)kill(getpid(), SIGKILL);
        else if (strcmp(points[i].action, "freeze") == 0)
            (void)kill(getpid(), SIGSTOP);
    }
}

#else
typedef int failpoint_is_compiled_out;
#endif
