#include "base/suggest.h"

#include <string.h>

enum { WORD_MAX = 40, DISTANCE_MAX = 3 };

void
suggestion_begin(struct suggestion *suggestion, const char *typed, size_t length)
{
    *suggestion = (struct suggestion){.typed = typed, .length = length, .distance = DISTANCE_MAX + 1};
}

static int
least(int a, int b, int c)
{
    int ab = a < b ? a : b;

    return ab < c ? ab : c;
}

/* Letters to change, add, remove or swap with a neighbour. */
static int
distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    int rows[3][WORD_MAX + 1];
    int *before = rows[0];
    int *last = rows[1];
    int *now = rows[2];

    for (size_t j = 0; j <= b_length; j++)
        last[j] = (int)j;
    for (size_t i = 1; i <= a_length; i++) {
        int *free_row = before;

        now[0] = (int)i;
        for (size_t j = 1; j <= b_length; j++) {
            now[j] = least(last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && before[j - 2] + 1 < now[j])
                now[j] = before[j - 2] + 1;
        }
        before = last;
        last = now;
        now = free_row;
    }
    return last[b_length];
}

void
suggestion_offer(struct suggestion *suggestion, const char *word, size_t length)
{
    size_t shorter = length < suggestion->length ? length : suggestion->length;
    int most = (int)(length / 3) < 1 ? 1 : (int)(length / 3);
    int count;

    if (length == 0 || length > WORD_MAX || suggestion->length == 0 || suggestion->length > WORD_MAX)
        return;
    count = distance(suggestion->typed, suggestion->length, word, length);
    if (count == 0)
        suggestion->is_exact = true;
    if (shorter == suggestion->length && shorter >= 2 && strncmp(suggestion->typed, word, shorter) == 0 && count > 1)
        count = 1;
    else if (count > most)
        return;
    if (count < suggestion->distance) {
        suggestion->distance = count;
        suggestion->best = word;
        suggestion->best_length = length;
    }
}
