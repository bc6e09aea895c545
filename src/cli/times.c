#include "cli/times.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/attr.h"

bool
times_read(const char *text, double *ret_seconds)
{
    struct tm tm = {0};
    double fraction = 0;
    char sign = 0;
    int zone_hours = 0;
    int zone_minutes = 0;
    int zone_seconds = 0;
    int used = 0;
    char *end;

    if (sscanf(text, "%d-%d-%d %d:%d:%d%n", &tm.tm_year, &tm.tm_mon, &tm.tm_mday, &tm.tm_hour, &tm.tm_min, &tm.tm_sec, &used)
        != 6)
        return false;
    text += used;
    if (*text == '.') {
        fraction = strtod(text, &end);
        text = end;
    }
    used = 0;
    if (sscanf(text, "%c%2d%n:%2d%n:%2d%n", &sign, &zone_hours, &used, &zone_minutes, &used, &zone_seconds, &used) < 2
        || (sign != '+' && sign != '-') || text[used] != '\0')
        return false;
    tm.tm_year -= 1900;
    tm.tm_mon -= 1;
    *ret_seconds = (double)timegm(&tm) + fraction
                   - (sign == '-' ? -1 : 1) * (zone_hours * 3600 + zone_minutes * 60 + zone_seconds);
    return true;
}

void
times_say(double seconds, double now, char *text, size_t size)
{
    static const struct {
        double length; /* seconds */
        const char *name;
    } units[] = {{86400, "d"}, {3600, "h"}, {60, "min"}, {1, "s"}};
    double distance = fabs(seconds - now);
    size_t i = 0;

    if (distance < 1) {
        (void)snprintf(text, size, "now");
        return;
    }
    while (i < LENGTH(units) - 1 && distance < units[i].length)
        i++;
    (void)snprintf(text, size, "%s%.0f %s%s", seconds > now ? "in " : "", floor(distance / units[i].length), units[i].name,
        seconds > now ? "" : " ago");
}
