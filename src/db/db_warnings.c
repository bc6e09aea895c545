#include "db/db_warnings.h"

#include <stdlib.h>
#include <string.h>

#include "db/db_private.h"

struct warning {
    struct list node;
    struct err err;
};

void
db_warnings_add(struct list *list, const PGresult *notice)
{
    const char *severity = PQresultErrorField(notice, PG_DIAG_SEVERITY_NONLOCALIZED);
    struct warning *warning;
    int count = 0;

    if (severity == NULL || strcmp(severity, "WARNING") != 0)
        return;
    for (const struct list *node = list->next; node != list; node = node->next)
        count++;
    if (count >= BOUND_WARNINGS)
        return;
    warning = must_alloc(sizeof(*warning));
    list_init(&warning->node);
    (void)db_err_from_result(notice, &warning->err);
    list_append(list, &warning->node);
}

void
db_warnings_tell(const struct list *list, void (*tell)(void *cookie, const struct err *warning), void *cookie)
{
    for (struct list *node = list->next; node != list; node = node->next)
        tell(cookie, &LIST_OWNER(node, struct warning, node)->err);
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
