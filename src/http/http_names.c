#include "http/http_names.h"

#include "base/bounds.h"
#include "base/err.h"
#include "base/list.h"

struct http_name_wait {
    struct list node; /* in the waits of its name */
    lookup_fn *fn;
    void *cookie;
};

struct name {
    struct list node; /* in names->all; the name that was asked for last comes first */
    struct http_names *names;
    char text[256];
    struct lookup_answer answer;
    char problem[64];
    int64_t found_ms; /* time of the last answer; 0: none yet */
    struct lookup *lookup;
    struct list waits;
};

struct http_names {
    struct loop *loop;
    struct list all;
    int count;
};

struct http_names *
http_names_new(struct loop *loop)
{
    struct http_names *names = must_alloc(sizeof(*names));

    names->loop = loop;
    list_init(&names->all);
    return names;
}

static void
name_free(struct name *name)
{
    name->names->count--;
    list_remove(&name->node);
    lookup_cancel(name->lookup);
    while (!list_is_empty(&name->waits))
        http_names_cancel(LIST_OWNER(name->waits.next, struct http_name_wait, node));
    free(name);
}

static void
on_found(void *cookie, const struct lookup_answer *answer)
{
    struct name *name = cookie;

    name->lookup = NULL;
    /* A failure does not replace known addresses until they are too old.  A lookup that could not be made is not kept. */
    if (!answer->is_short
        && (answer->count > 0 || name->answer.count == 0
            || loop_now_ms(name->names->loop) - name->found_ms > BOUND_NAME_STALE_MS)) {
        name->answer = *answer;
        (void)snprintf(name->problem, sizeof(name->problem), "%s", answer->problem == NULL ? "" : answer->problem);
        name->answer.problem = name->problem;
        name->found_ms = loop_now_ms(name->names->loop);
    }
    while (!list_is_empty(&name->waits)) {
        struct http_name_wait *wait = LIST_OWNER(name->waits.next, struct http_name_wait, node);
        lookup_fn *fn = wait->fn;
        void *owner = wait->cookie;

        http_names_cancel(wait);
        fn(owner, answer->is_short ? answer : &name->answer);
    }
}

/* Removes the name that was asked for longest ago, among those that nobody waits for. */
static void
make_room(struct http_names *names)
{
    for (struct list *node = names->all.prev; node != &names->all; node = node->prev) {
        struct name *name = LIST_OWNER(node, struct name, node);

        if (name->lookup == NULL && list_is_empty(&name->waits)) {
            name_free(name);
            return;
        }
    }
}

static struct name *
get(struct http_names *names, const char *text)
{
    struct name *name;

    for (struct list *node = names->all.next; node != &names->all; node = node->next) {
        name = LIST_OWNER(node, struct name, node);
        if (strcmp(name->text, text) == 0) {
            list_remove(&name->node);
            list_prepend(&names->all, &name->node);
            return name;
        }
    }
    if (names->count >= BOUND_NAMES)
        make_room(names);
    name = must_alloc(sizeof(*name));
    name->names = names;
    (void)snprintf(name->text, sizeof(name->text), "%s", text);
    list_init(&name->waits);
    list_init(&name->node);
    list_prepend(&names->all, &name->node);
    names->count++;
    return name;
}

struct http_name_wait *
http_names_find(struct http_names *names, const char *text, lookup_fn *fn, void *cookie)
{
    struct name *name = get(names, text);
    int64_t age_ms = loop_now_ms(names->loop) - name->found_ms;
    bool is_known = name->found_ms > 0 && age_ms < (name->answer.count > 0 ? BOUND_NAME_STALE_MS : BOUND_NAME_FAILED_MS);
    bool is_fresh = is_known && age_ms < (name->answer.count > 0 ? BOUND_NAME_MS : BOUND_NAME_FAILED_MS);
    struct http_name_wait *wait;

    if (!is_fresh && name->lookup == NULL)
        name->lookup = lookup_start(names->loop, text, on_found, name);
    if (is_known) {
        fn(cookie, &name->answer);
        return NULL;
    }
    wait = must_alloc(sizeof(*wait));
    wait->fn = fn;
    wait->cookie = cookie;
    list_init(&wait->node);
    list_append(&name->waits, &wait->node);
    return wait;
}

void
http_names_cancel(struct http_name_wait *wait)
{
    list_remove(&wait->node);
    free(wait);
}

void
http_names_free(struct http_names *names)
{
    if (names == NULL)
        return;
    while (!list_is_empty(&names->all))
        name_free(LIST_OWNER(names->all.next, struct name, node));
    free(names);
}
