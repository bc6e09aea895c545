#include "base/parse.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>

bool
parse_int(const char *text, int64_t low, int64_t high, int64_t *ret_value, struct err *err)
{
    char *end = NULL;
    long long value;

    errno = 0;
    value = strtoll(text, &end, 10);
    if (end == text || *end != '\0' || isspace((unsigned char)text[0]))
        return err_set(err, ERR_REFUSED, "22023", "\"%s\" is not a whole number", text);
    if (errno == ERANGE || value < low || value > high)
        return err_set(err, ERR_REFUSED, "22023", "%s is not between %lld and %lld", text, (long long)low, (long long)high);
    *ret_value = value;
    return true;
}

bool
parse_duration_ms(const char *text, int64_t *ret_ms, struct err *err)
{
    static const struct {
        const char *name;
        double ms;
    } units[] = {{"", 1e3}, {"ms", 1}, {"s", 1e3}, {"min", 6e4}, {"h", 3.6e6}, {"d", 8.64e7}};
    char *end = NULL;
    double value;

    errno = 0;
    value = strtod(text, &end);
    if (end == text || !isfinite(value) || errno == ERANGE || !isdigit((unsigned char)text[0]))
        return err_set(err, ERR_REFUSED, "22023", "\"%s\" is not a duration", text);
    for (size_t i = 0; i < LENGTH(units); i++) {
        if (strcmp(end, units[i].name) != 0)
            continue;
        if (value * units[i].ms > 3.2e12)
            return err_set(err, ERR_REFUSED, "22023", "duration \"%s\" is too long", text);
        *ret_ms = (int64_t)llround(value * units[i].ms);
        return true;
    }
    (void)err_set(err, ERR_REFUSED, "22023", "duration \"%s\" has an unknown unit", text);
    return err_hint(err, "Units are ms, s, min, h and d; none means seconds.");
}

bool
parse_bool(const char *text, bool *ret_value, struct err *err)
{
    static const char *const yes[] = {"on", "true", "yes", "1"};
    static const char *const no[] = {"off", "false", "no", "0"};

    for (size_t i = 0; i < LENGTH(yes); i++) {
        if (strcmp(text, yes[i]) == 0 || strcmp(text, no[i]) == 0) {
            *ret_value = strcmp(text, yes[i]) == 0;
            return true;
        }
    }
    return err_set(err, ERR_REFUSED, "22023", "\"%s\" is neither on nor off", text);
}
