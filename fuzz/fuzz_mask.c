/* Secrets in an answer of a peer.  The first byte selects the spelling and the place of the cut; then come the secret, another
 * secret, and the text before and after the first one. */
#include <ctype.h>
#include <openssl/evp.h>

#include "channel/mask.h"
#include "fuzz.h"

enum spelling { PLAIN, HEX, PERCENT, BASE64, SPELLINGS };

/* A second, independent implementation: the secret as a server might write it.  The text around it changes only the first and
 * the last digits of base64. */
static void
spell(struct buf *text, const char *secret, enum spelling spelling, int before)
{
    size_t length = strlen(secret);

    if (spelling == PLAIN)
        buf_puts(text, secret);
    for (size_t i = 0; i < length && (spelling == HEX || spelling == PERCENT); i++) {
        unsigned char c = (unsigned char)secret[i];

        if (spelling == PERCENT && (isalnum(c) || strchr("-._~", c) != NULL))
            buf_add(text, secret + i, 1);
        else
            buf_printf(text, spelling == HEX ? "%02x" : "%%%02X", c);
    }
    if (spelling == BASE64) {
        unsigned char *around = must_alloc(length + 5);
        unsigned char *encoded = must_alloc(2 * length + 16);
        size_t first = before == 0 ? 0 : (size_t)before + 1;

        memset(around, 'x', length + 4);
        memcpy(around + before, secret, length);
        (void)EVP_EncodeBlock(encoded, around, (int)(length + 4));
        buf_add(text, (const char *)encoded + first, 8 * ((size_t)before + length) / 6 - first);
        free(around);
        free(encoded);
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_texts split;
    struct mask mask = {0};
    struct buf text;
    struct buf spelled;
    size_t length;
    bool is_cut;

    if (size < 2)
        return 0;
    split = fuzz_split(data + 1, size - 1, 4);
    is_cut = (data[0] & 0x80) != 0;
    buf_init(&text, 32 * size + 64);
    buf_init(&spelled, 16 * size + 64);
    spell(&spelled, split.texts[0], (enum spelling)(data[0] % SPELLINGS), data[0] / SPELLINGS % 3);
    length = spelled.length;
    if (is_cut && length > 0)
        length = (size_t)data[1] % length;
    buf_puts(&text, split.texts[2]);
    buf_add(&text, spelled.text, length);
    if (!is_cut)
        buf_puts(&text, split.texts[3]);
    mask_add(&mask, split.texts[0], strlen(split.texts[0]));
    mask_add(&mask, split.texts[1], strlen(split.texts[1]));
    mask_apply(&mask, &text, is_cut);
    fuzz_check(!text.overflowed && strlen(text.text) == text.length);
    /* A secret that contains a star can appear when *** replaces another secret. */
    if (strlen(split.texts[0]) > MASK_LEAST && length >= MASK_LEAST && strchr(split.texts[0], '*') == NULL) {
        fuzz_check(length < spelled.length || strstr(text.text, spelled.text) == NULL);
        fuzz_check(!is_cut || text.length < length || memcmp(text.text + text.length - length, spelled.text, length) != 0);
    }
    mask_release(&mask);
    buf_release(&text);
    buf_release(&spelled);
    free(split.all);
    return 0;
}
