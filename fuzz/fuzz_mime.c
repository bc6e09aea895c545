/* Mails: addresses, message ids, headers, plain text of HTML. */
#include "channel/mime.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_texts split = fuzz_split(data, size, 6);
    struct mime_mail mail = {.from = split.texts[0],
        .to = split.texts[1],
        .subject = split.texts[2],
        .html = split.texts[3],
        .text = split.texts[4][0] == '\0' ? NULL : split.texts[4],
        .reply_to = split.texts[5][0] == '\0' ? NULL : split.texts[5]};
    struct buf address;
    struct buf id;
    struct buf text;
    struct buf whole;

    buf_init(&address, 1024);
    buf_init(&id, 4 * size + 2048);
    buf_init(&text, size + 16);
    buf_init(&whole, 16 * size + 8192);
    mime_address(mail.from, &address);
    mime_message_id(split.texts[1], mail.from, &id);
    mail.message_id = "<1@x>";
    mime_text_of_html(mail.html, &text);
    fuzz_check(!text.overflowed && text.length > 0 && text.text[text.length - 1] == '\n');
    /* The callers have refused line breaks. */
    if (!utf8_has_control(mail.from) && !utf8_has_control(mail.to) && !utf8_has_control(mail.subject)
        && (mail.reply_to == NULL || !utf8_has_control(mail.reply_to))) {
        mime_write(&mail, &whole);
        fuzz_check(!whole.overflowed);
        for (const char *c = whole.text; *c != '\0';) {
            size_t length = strcspn(c, "\r\n");

            fuzz_check(c[length] == '\r' && c[length + 1] == '\n');
            c += length + 2;
        }
    }
    buf_release(&address);
    buf_release(&id);
    buf_release(&text);
    buf_release(&whole);
    free(split.all);
    return 0;
}
