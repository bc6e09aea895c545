/*
 * "Did you mean": the known word that is nearest to a word that somebody typed.
 */
#ifndef BASE_SUGGEST_H
#define BASE_SUGGEST_H

#include <stdbool.h>
#include <stddef.h>

/* The search for one typed word.  All texts belong to the caller. */
struct suggestion {
    const char *typed;
    size_t length;    /* bytes of `typed` */
    const char *best; /* nearest word so far; NULL: no word is near enough */
    size_t best_length;
    int distance;  /* letters to change, add, remove or swap to come from `typed` to `best` */
    bool is_exact; /* a word was the same */
};

/* Begins a search for the word that was typed. */
void suggestion_begin(struct suggestion *suggestion, const char *typed, size_t length);

/* Compares one known word.  A word is near if a third of its letters, at most 3, differ, or if it begins with the typed
 * word. */
void suggestion_offer(struct suggestion *suggestion, const char *word, size_t length);

#endif
