#include "db/db_warnings.h"

#include <stdlib.h>
#include <string.h>

struct warning {
    struct list node;
    struct db_warning said;
};

/* A field of the notice; "": the notice has none. */
static const char *
field(const PGresult *notice, int code)
{
    const char *text = PQresultErrorField(notice, code);

    return text == NULL ? "" : text;
}

void
db_warnings_add(struct list *list, const PGresult *notice)
{
    struct warning *warning;
    int count = 0;

    if (strcmp(field(notice, PG_DIAG_SEVERITY_NONLOCALIZED), "WARNING") != 0)
        return;
    for (const struct list *node = list->next; node != list; node = node->next)
        count++;
    if (count >= BOUND_WARNINGS)
        return;
    warning = must_alloc(sizeof(*warning));
    list_init(&warning->node);
    (void)err_set(&warning->said.err, ERR_REFUSED, field(notice, PG_DIAG_SQLSTATE), "%s", field(notice, PG_DIAG_MESSAGE_PRIMARY));
    (void)snprintf(warning->said.detail, sizeof(warning->said.detail), "%s", field(notice, PG_DIAG_MESSAGE_DETAIL));
    list_append(list, &warning->node);
}

void
db_warnings_tell(const struct list *list, void (*tell)(void *cookie, const struct db_warning *warning), void *cookie)
{
    for (struct list *node = list->next; node != list; node = node->next)
        tell(cookie, &LIST_OWNER(node, struct warning, node)->said);
}

void
db_warnings_clear(struct list *list)
{
    while (!list_is_empty(list)) {
        struct warning *warning = LIST_OWNER(list->next, struct warning, node);

        list_remove(&warning->node);
        free(warning);
    }
}
