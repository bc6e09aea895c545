/*
 * Intrusive doubly linked list.  A node is embedded in its owner and is in at most one list; a node in no list points to
 * itself.
 */
#ifndef BASE_LIST_H
#define BASE_LIST_H

#include <stdbool.h>
#include <stddef.h>

/* A node, or the head of a list, which is a node of its own.  A list owns nothing. */
struct list {
    struct list *next;
    struct list *prev;
};

/* The owner of a node. */
#define LIST_OWNER(node, type, member) ((type *)(void *)((char *)(node)-offsetof(type, member)))

/* Makes an empty list, or a node in no list. */
static inline void
list_init(struct list *list)
{
    list->next = list;
    list->prev = list;
}

static inline bool
list_is_empty(const struct list *list)
{
    return list->next == list;
}

/* Removes a node from its list; a node in no list stays as it is. */
static inline void
list_remove(struct list *node)
{
    node->prev->next = node->next;
    node->next->prev = node->prev;
    list_init(node);
}

/* Removes the node from its list, if it is in one, and adds it at the end or at the front of `list`. */
static inline void
list_append(struct list *list, struct list *node)
{
    list_remove(node);
    node->prev = list->prev;
    node->next = list;
    list->prev->next = node;
    list->prev = node;
}

static inline void
list_prepend(struct list *list, struct list *node)
{
    list_append(list->next, node);
}

#endif
