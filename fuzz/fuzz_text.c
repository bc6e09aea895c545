/* Foreign bytes: cleaned, shown, quoted, masked. */
#include <jansson.h>

#include "base/log.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_texts split = fuzz_split(data, size, 2);
    const char *text = split.texts[0];
    const char *bytes = (const char *)data;
    struct buf clean;
    struct buf line;
    struct buf shown;
    struct buf quoted;
    json_t *json;

    buf_init(&clean, 3 * size + 1);
    buf_init(&line, 3 * size + 1);
    buf_init(&shown, 12 * size + 1);
    buf_init(&quoted, 12 * size + 3);
    fuzz_check(utf8_clean(&clean, bytes, size, 3 * size));
    fuzz_check(utf8_is_valid(clean.text, clean.length));
    fuzz_check(!utf8_is_valid(bytes, size) || (clean.length == size && memcmp(clean.text, bytes, size) == 0));
    fuzz_check(utf8_clean_line(&line, bytes, size, 3 * size));
    fuzz_check(fuzz_is_harmless(line.text) && strchr(line.text, '\t') == NULL);
    utf8_show(&shown, bytes, size, false);
    fuzz_check(!shown.overflowed && fuzz_is_harmless(shown.text));
    buf_json(&quoted, text);
    fuzz_check(!quoted.overflowed && fuzz_is_harmless(quoted.text));
    json = json_loads(quoted.text, JSON_DECODE_ANY, NULL);
    buf_clear(&clean);
    (void)utf8_clean(&clean, text, strlen(text), 3 * size);
    fuzz_check(json_is_string(json) && strcmp(json_string_value(json), clean.text) == 0);
    json_decref(json);
    for (size_t most = 0; most < 8; most++) {
        buf_clear(&clean);
        (void)utf8_clean(&clean, bytes, size, most);
        fuzz_check(clean.length <= most && utf8_is_valid(clean.text, clean.length));
    }
    if (strlen(split.texts[1]) >= 6 && utf8_is_valid(split.texts[1], strlen(split.texts[1]))) {
        /* As a log line would write it. */
        struct buf secret;

        log_hide(split.texts[1]);
        buf_init(&secret, 12 * size + 3);
        buf_json(&secret, split.texts[1]);
        secret.text[secret.length - 1] = '\0';
        log_mask(quoted.text);
        fuzz_check(
            strlen(secret.text) > 4000 || strspn(secret.text + 1, "*") > 0 || strstr(quoted.text, secret.text + 1) == NULL);
        buf_release(&secret);
    }
    buf_release(&clean);
    buf_release(&line);
    buf_release(&shown);
    buf_release(&quoted);
    free(split.all);
    return 0;
}
