#include "cli/new_values.h"

#include <stdio.h>
#include <string.h>

enum { URL_BYTES = 2048 }; /* longest URL */

struct new_interval
new_interval(int64_t ms)
{
    static const struct {
        int64_t ms;
        const char *unit;
    } units[] = {{86400000, "day"}, {3600000, "hour"}, {60000, "minute"}, {1000, "second"}, {1, "millisecond"}};
    struct new_interval interval = {"0"};

    for (size_t i = 0; i < LENGTH(units); i++) {
        if (ms >= units[i].ms && ms % units[i].ms == 0) {
            (void)snprintf(interval.text, sizeof(interval.text), "%lld %s%s", (long long)(ms / units[i].ms), units[i].unit,
                ms == units[i].ms ? "" : "s");
            break;
        }
    }
    return interval;
}

bool
new_check_url(const char *url, struct err *err)
{
    if (strlen(url) > URL_BYTES)
        return err_set(err, ERR_LIMIT, "usage", "--url is longer than %d characters", URL_BYTES);
    if (strncmp(url, "https://", 8) != 0 && strncmp(url, "http://", 7) != 0)
        return err_set(err, ERR_REFUSED, "usage", "--url \"%.100s\" does not begin with https:// or http://", url);
    for (const char *c = url; *c != '\0'; c++) {
        if (*c <= ' ' || *c > '~' || strchr("'\"\\<>`", *c) != NULL)
            return err_set(err, ERR_REFUSED, "usage", "--url has a character that must be written as a %% escape");
    }
    return true;
}

struct new_events
new_events(const char *list)
{
    static const char *const words[] = {"insert", "update", "delete"};
    static const char *const names[] = {"INSERT", "UPDATE", "DELETE"};
    struct new_events events = {"{"};
    size_t used = 1;

    for (size_t i = 0; i < LENGTH(words); i++) {
        if (strstr(list, words[i]) != NULL)
            used += (size_t)snprintf(events.text + used, sizeof(events.text) - used, "%s%s", used == 1 ? "" : ",", names[i]);
    }
    (void)snprintf(events.text + used, sizeof(events.text) - used, "}");
    return events;
}
