#include "cli/child_env.h"

#include <ctype.h>
#include <errno.h>

#include "config/config.h"

enum { VARIABLES = 1024 }; /* largest number of variables */

/* Is this the beginning of a variable's name, up to `length`? */
static bool
is_name(const char *text, size_t length)
{
    if (length == 0 || isdigit((unsigned char)text[0]))
        return false;
    for (size_t i = 0; i < length; i++) {
        if (!isalnum((unsigned char)text[i]) && text[i] != '_')
            return false;
    }
    return true;
}

/* May the value that this process has be passed on? */
static bool
is_private(const char *name)
{
    return strncmp(name, "REEVE_", 6) == 0 || strncmp(name, "PG", 2) == 0 || strcmp(name, "CREDENTIALS_DIRECTORY") == 0
           || strcmp(name, "NOTIFY_SOCKET") == 0 || config_is_secret(name);
}

/* Adds NAME=VALUE, which the list owns then, in the place of an earlier value. */
static bool
add(char **list, char *text, struct err *err)
{
    size_t length = strcspn(text, "=") + 1;

    for (int i = 0; i < VARIABLES; i++) {
        if (list[i] != NULL && strncmp(list[i], text, length) != 0)
            continue;
        free(list[i]);
        list[i] = text;
        return true;
    }
    free(text);
    return err_set(err, ERR_LIMIT, "", "more than %d environment variables", VARIABLES);
}

/* One item of an option or a file.  needs_value: a name alone is not enough. */
static bool
add_item(char **list, const char *item, bool needs_value, struct err *err)
{
    size_t length = strcspn(item, "=");
    const char *value;

    if (!is_name(item, length))
        return err_set(err, ERR_REFUSED, "", "\"%.*s\" is not the name of an environment variable", (int)length, item);
    if (item[length] == '=') {
        if (strncmp(item, "REEVE_", 6) == 0)
            return err_set(err, ERR_REFUSED, "", "\"%.*s\" is a name of this program", (int)length, item);
        return add(list, must_strdup(item), err);
    }
    if (needs_value)
        return err_set(err, ERR_REFUSED, "", "a line has no value: \"%.64s\"", item);
    if (is_private(item))
        return err_set(err, ERR_REFUSED, "", "\"%s\" may hold a secret of this program, and is not passed on", item)
               || err_hint(err, "Give the program a value of its own, with --env-file.");
    value = getenv(item);
    return value == NULL || add(list, must_format("%s=%s", item, value), err);
}

static bool
add_file(char **list, const char *path, struct err *err)
{
    FILE *file = fopen(path, "re");
    char *line = NULL;
    size_t room = 0;
    bool is_fine = true;

    if (file == NULL)
        return err_set(err, ERR_REFUSED, "", "cannot read \"%s\": %s", path, strerror(errno));
    while (is_fine && getline(&line, &room, file) >= 0) {
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0] != '\0' && line[0] != '#')
            is_fine = add_item(list, line, true, err);
    }
    if (line != NULL)
        explicit_bzero(line, room);
    free(line);
    (void)fclose(file);
    return is_fine;
}

bool
child_env_make(const char *names, const char *file, char ***ret_list, struct err *err)
{
    static const char *const always[] = {"PATH", "LANG", "LC_ALL", "TZ"};
    char **list = must_alloc((VARIABLES + 1) * sizeof(*list));
    char *copy = names == NULL ? NULL : must_strdup(names);
    char *rest = copy;
    char *item;
    bool is_fine = true;

    for (size_t i = 0; i < LENGTH(always); i++)
        is_fine = is_fine && add_item(list, always[i], false, err);
    if (is_fine && file != NULL)
        is_fine = add_file(list, file, err);
    while (is_fine && (item = strsep(&rest, ",")) != NULL) {
        if (item[0] != '\0')
            is_fine = add_item(list, item, false, err);
    }
    free(copy);
    if (!is_fine)
        child_env_free(list);
    else
        *ret_list = list;
    return is_fine;
}

void
child_env_free(char **list)
{
    for (char **text = list; list != NULL && *text != NULL; text++) {
        explicit_bzero(*text, strlen(*text));
        free(*text);
    }
    free(list);
}
