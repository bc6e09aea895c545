/* Mails as text: what a reader of RFC 5322, 2045 and 2047 makes of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <openssl/evp.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/utf8.h"
#include "channel/mime.h"

/* A mail with everything in it; tests change what they are about. */
static struct mime_mail
mail_of(const char *subject)
{
    return (struct mime_mail){
        .from = "a@x.example",
        .to = "b@y.example",
        .subject = subject,
        .html = "<p>h</p>",
        .message_id = "<key@x.example>",
        .date = 1700000000,
    };
}

static void
write_mail(const struct mime_mail *mail, struct buf *to)
{
    buf_init(to, 4 << 20);
    mime_write(mail, to);
    assert_false(to->overflowed);
}

/* The value of a header, unfolded; "" if it is not there. */
static void
read_header(const struct buf *mail, const char *name, struct buf *value)
{
    size_t length = strlen(name);

    buf_init(value, 65536);
    for (const char *line = mail->text; strncmp(line, "\r\n", 2) != 0; line = strstr(line, "\r\n") + 2) {
        if (strncmp(line, name, length) != 0 || strncmp(line + length, ": ", 2) != 0)
            continue;
        for (const char *c = line + length + 2; strncmp(c, "\r\n", 2) != 0 || c[2] == ' '; c++) {
            if (strncmp(c, "\r\n", 2) == 0)
                c += 2; /* What follows a line break here is part of the value. */
            buf_add(value, c, 1);
        }
        return;
    }
}

static void
add_decoded(struct buf *to, const char *base64, size_t length)
{
    unsigned char *bytes = must_alloc(length + 4);
    int size = EVP_DecodeBlock(bytes, (const unsigned char *)base64, (int)length);

    assert_true(size >= 0);
    for (size_t i = length; i > 0 && base64[i - 1] == '='; i--)
        size--;
    buf_add(to, (const char *)bytes, (size_t)size);
    free(bytes);
}

/* Encoded words to text; each must stand for whole characters. */
static void
decode_words(const char *value, struct buf *text)
{
    bool was_word = false;

    buf_init(text, 65536);
    while (*value != '\0') {
        const char *end = strncmp(value, "=?UTF-8?B?", 10) == 0 ? strstr(value + 10, "?=") : NULL;

        if (end != NULL) {
            size_t start = text->length;

            assert_true(end + 2 - value <= 75);
            add_decoded(text, value + 10, (size_t)(end - value - 10));
            assert_true(utf8_is_valid(text->text + start, text->length - start));
            value = end + 2;
            was_word = true;
        } else if (was_word && strncmp(value, " =?UTF-8?B?", 11) == 0) {
            value++; /* Space between two words is not part of the text. */
        } else {
            buf_add(text, value++, 1);
            was_word = false;
        }
    }
}

/* What a reader sees of a subject. */
static void
assert_subject_survives(const char *subject)
{
    const struct mime_mail mail = mail_of(subject);
    struct buf text;
    struct buf value;
    struct buf shown;

    write_mail(&mail, &text);
    read_header(&text, "Subject", &value);
    decode_words(value.text, &shown);
    assert_string_equal(shown.text, subject);
    buf_release(&text);
    buf_release(&value);
    buf_release(&shown);
}

/* A part of the mail, decoded. */
static void
read_part(const struct buf *mail, const char *type, struct buf *content)
{
    char *head = must_format("Content-Type: %s; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n", type);
    const char *line = strstr(mail->text, head);

    assert_non_null(line);
    buf_init(content, 4 << 20);
    for (line += strlen(head); strncmp(line, "--=_", 4) != 0; line = strstr(line, "\r\n") + 2) {
        assert_true(strcspn(line, "\r") <= 76);
        add_decoded(content, line, strcspn(line, "\r"));
    }
    free(head);
}

static void
assert_text_of(const char *html, const char *expected)
{
    struct buf text;

    buf_init(&text, strlen(html) + 1);
    mime_text_of_html(html, &text);
    assert_false(text.overflowed);
    assert_string_equal(text.text, expected);
    buf_release(&text);
}

static void
test_mime_address_is_what_stands_in_brackets_or_all_of_it(void **state)
{
    static const char *const texts[][2] = {{"a@b", "a@b"}, {" a@b ", "a@b"}, {"Name <a@b>", "a@b"}, {"<a@b>", "a@b"},
        {"\"x <y>\" < a@b >", "a@b"}, {"Name <a@b> tail", "a@b"}, {"Name <a@b", "a@b"}, {"Name <>", ""}, {"", ""}};

    (void)state;
    for (size_t i = 0; i < LENGTH(texts); i++) {
        struct buf address;

        buf_init(&address, 64);
        mime_address(texts[i][0], &address);
        assert_string_equal(address.text, texts[i][1]);
        buf_release(&address);
    }
}

static void
test_mime_message_id_follows_from_the_key_and_the_domain_of_the_sender(void **state)
{
    static const char *const ids[][3] = {
        {"send_email/6f1c1f0e-5d0c", "a@x.example", "<send_email/6f1c1f0e-5d0c@x.example>"},
        {"k", "Name <a@x.example>", "<k@x.example>"},
        {"k", "\"a@b\"@x.example", "<k@x.example>"},
        {"k", "nobody", "<k@localhost>"},
        {"k", "nobody@", "<k@localhost>"},
        {"a b<c>@\r\n\xc3\xa9", "a@x", "<a_20b_3cc_3e_40_0d_0a_c3_a9@x>"},
        {"", "a@x", "<@x>"},
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(ids); i++) {
        struct buf id;

        buf_init(&id, 256);
        mime_message_id(ids[i][0], ids[i][1], &id);
        assert_string_equal(id.text, ids[i][2]);
        buf_release(&id);
    }
}

static void
test_mime_plain_headers_are_written_as_they_are(void **state)
{
    struct mime_mail mail = mail_of("Your order, no. 7");
    struct buf text;

    (void)state;
    mail.from = "The Shop <a@x.example>";
    mail.reply_to = "help@x.example";
    write_mail(&mail, &text);
    assert_non_null(strstr(text.text, "From: The Shop <a@x.example>\r\n"
                                      "To: b@y.example\r\n"
                                      "Reply-To: help@x.example\r\n"
                                      "Subject: Your order, no. 7\r\n"
                                      "Date: Tue, 14 Nov 2023 22:13:20 +0000\r\n"
                                      "Message-ID: <key@x.example>\r\n"
                                      "MIME-Version: 1.0\r\n"
                                      "Content-Type: multipart/alternative; boundary=\"=_reeve_alternative\"\r\n\r\n"));
    assert_null(strstr(text.text, "Bcc"));
    buf_release(&text);
}

static void
test_mime_reply_to_is_left_out_if_there_is_none(void **state)
{
    const struct mime_mail mail = mail_of("s");
    struct buf text;

    (void)state;
    write_mail(&mail, &text);
    assert_null(strstr(text.text, "Reply-To"));
    buf_release(&text);
}

static void
test_mime_subjects_of_any_length_survive_and_no_word_cuts_a_character(void **state)
{
    static const char *const characters[] = {"a", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80"};
    char subject[4096];

    (void)state;
    /* Every offset at which a character of every width can meet the end of a word. */
    for (size_t c = 0; c < LENGTH(characters); c++) {
        for (size_t lead = 0; lead < 64; lead++) {
            size_t length = 2;

            memcpy(subject, "\xc3\xa9", 2);
            memset(subject + length, 'x', lead);
            length += lead;
            for (int i = 0; i < 40; i++)
                length += (size_t)snprintf(subject + length, sizeof(subject) - length, "%s", characters[c]);
            assert_subject_survives(subject);
        }
    }
    memset(subject, 'p', 3000);
    subject[3000] = '\0';
    assert_subject_survives(subject); /* plain, but too long for a line */
    subject[899] = '\0';
    assert_subject_survives(subject);
    assert_subject_survives("=?UTF-8?B?cGxhaW4=?="); /* looks encoded, and is meant as it stands */
    assert_subject_survives("plain =?UTF-8?B?cGxhaW4=?=");
    assert_subject_survives("");
    assert_subject_survives(" ");
    assert_subject_survives("tab\there");
}

static void
test_mime_lines_end_with_cr_lf_and_are_never_too_long(void **state)
{
    char subject[2001];
    char html[8001];
    struct mime_mail mail;
    struct buf text;

    (void)state;
    memset(subject, 's', 2000);
    subject[2000] = '\0';
    memset(html, 'h', 8000);
    html[8000] = '\0';
    mail = mail_of(subject);
    mail.html = html;
    mail.from = "J\xc3\xb6rg M\xc3\xbcller with a rather long name, of the department of long names <a@x.example>";
    write_mail(&mail, &text);
    for (const char *line = text.text; *line != '\0'; line = strchr(line, '\n') + 1) {
        size_t length = strcspn(line, "\r\n");

        assert_true(length <= 998);
        assert_true(length <= 76 || strstr(line, "=?UTF-8?") == NULL || strstr(line, "=?UTF-8?") > line + length);
        assert_memory_equal(line + length, "\r\n", 2);
    }
    buf_release(&text);
}

static void
test_mime_name_of_the_sender_is_encoded_and_the_address_is_not(void **state)
{
    struct mime_mail mail = mail_of("s");
    struct buf text;
    struct buf value;
    struct buf shown;

    (void)state;
    mail.from = "J\xc3\xb6rg <a@x.example>";
    mail.to = "Ren\xc3\xa9"
              "e <b@y.example>";
    write_mail(&mail, &text);
    read_header(&text, "From", &value);
    assert_non_null(strstr(value.text, "?= <a@x.example>"));
    decode_words(value.text, &shown);
    assert_string_equal(shown.text, "J\xc3\xb6rg <a@x.example>");
    buf_release(&value);
    buf_release(&shown);
    read_header(&text, "To", &value);
    decode_words(value.text, &shown);
    assert_string_equal(shown.text, "Ren\xc3\xa9"
                                    "e <b@y.example>");
    buf_release(&value);
    buf_release(&shown);
    buf_release(&text);
}

static void
test_mime_name_with_special_characters_is_quoted(void **state)
{
    static const char *const names[][2] = {
        {"Doe, John <a@x.example>", "\"Doe, John\" <a@x.example>"},
        {"J. Doe <a@x.example>", "\"J. Doe\" <a@x.example>"},
        {"a@b <a@x.example>", "\"a@b\" <a@x.example>"},
        {"say \"hi\" \\o/ <a@x.example>", "\"say \\\"hi\\\" \\\\o/\" <a@x.example>"},
        {"\"Doe, John\" <a@x.example>", "\"Doe, John\" <a@x.example>"}, /* it was */
        {"\"a\\\"b\" <a@x.example>", "\"a\\\"b\" <a@x.example>"},
        {"John Doe <a@x.example>", "John Doe <a@x.example>"},
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(names); i++) {
        struct mime_mail mail = mail_of("s");
        struct buf text;
        struct buf value;

        mail.from = names[i][0];
        write_mail(&mail, &text);
        read_header(&text, "From", &value);
        assert_string_equal(value.text, names[i][1]);
        buf_release(&value);
        buf_release(&text);
    }
}

static void
test_mime_quotes_are_not_part_of_a_name_that_is_encoded(void **state)
{
    struct mime_mail mail = mail_of("s");
    struct buf text;
    struct buf value;
    struct buf shown;

    (void)state;
    mail.from = "\"M\xc3\xbcller, \\\"J\\\"\" <a@x.example>";
    write_mail(&mail, &text);
    read_header(&text, "From", &value);
    decode_words(value.text, &shown);
    assert_string_equal(shown.text, "M\xc3\xbcller, \"J\" <a@x.example>");
    buf_release(&value);
    buf_release(&shown);
    buf_release(&text);
}

static void
test_mime_both_parts_come_back_byte_by_byte(void **state)
{
    static const size_t lengths[] = {0, 1, 2, 3, 56, 57, 58, 113, 114, 115, 5000};
    char html[5001];

    (void)state;
    for (size_t i = 0; i < LENGTH(lengths); i++) {
        struct mime_mail mail = mail_of("s");
        struct buf text;
        struct buf part;

        for (size_t j = 0; j < lengths[i]; j++)
            html[j] = (char)(j % 255 + 1);
        html[lengths[i]] = '\0';
        mail.html = html;
        mail.text = "the text\r\n.\r\n--=_reeve_alternative--\r\n";
        write_mail(&mail, &text);
        read_part(&text, "text/html", &part);
        assert_string_equal(part.text, html);
        buf_release(&part);
        read_part(&text, "text/plain", &part);
        assert_string_equal(part.text, mail.text);
        buf_release(&part);
        assert_non_null(strstr(text.text, "\r\n--=_reeve_alternative--\r\n"));
        assert_true(strstr(text.text, "text/plain") < strstr(text.text, "text/html")); /* the best one last */
        buf_release(&text);
    }
}

static void
test_mime_text_is_made_from_the_html_if_none_is_given(void **state)
{
    struct mime_mail mail = mail_of("s");
    struct buf text;
    struct buf part;

    (void)state;
    mail.html = "<h1>Hello</h1><p>A &amp; B</p>";
    write_mail(&mail, &text);
    read_part(&text, "text/plain", &part);
    assert_string_equal(part.text, "Hello\n\nA & B\n");
    buf_release(&part);
    buf_release(&text);
}

static void
test_mime_text_of_html_shows_what_a_reader_should_see(void **state)
{
    (void)state;
    assert_text_of("", "\n");
    assert_text_of("plain", "plain\n");
    assert_text_of("  a \n\t b  ", "a b\n");
    assert_text_of("a<br>b<BR/>c<br />d", "a\nb\nc\nd\n");
    assert_text_of("<p>a</p>\n<p>b</p>", "a\n\nb\n");
    assert_text_of("<ul><li>a</li><li>b</li></ul>", "a\n\nb\n");
    assert_text_of("<b>bold</b> and <a href=\"https://x.example/?a=1&amp;b=2\">link</a>", "bold and link\n");
    assert_text_of("&lt;b&gt; &amp;amp; &quot;x&quot; &#39;y&apos;&nbsp;&euro;", "<b> &amp; \"x\" 'y' &euro;\n");
    assert_text_of("<head><title>t</title><style>p { x }</style></head>a", "a\n");
    assert_text_of("a<script>if (1 < 2) { evil() }</script>b", "ab\n");
    assert_text_of("a<!-- <p>hidden</p> > -->b", "ab\n");
    assert_text_of("<header>x</header><pre>y</pre><person>z</person>", "xyz\n");
    assert_text_of("1 < 2 && 3 > 2 <3", "1 < 2 && 3 > 2 <3\n");
    assert_text_of("caf\xc3\xa9 <i>\xe2\x82\xac</i>", "caf\xc3\xa9 \xe2\x82\xac\n");
    assert_text_of("<style>never closed", "\n");
    assert_text_of("a<!-- never closed", "a\n");
    assert_text_of("a<b never closed", "a\n");
    assert_text_of("<", "<\n");
    assert_text_of("&", "&\n");
}

static void
test_mime_date_is_utc_whatever_the_zone(void **state)
{
    static const struct {
        time_t at;
        const char *text;
    } dates[] = {
        {0, "Thu, 01 Jan 1970 00:00:00 +0000"},
        {951782400, "Tue, 29 Feb 2000 00:00:00 +0000"},
        {1735689599, "Tue, 31 Dec 2024 23:59:59 +0000"},
        {4102444800, "Fri, 01 Jan 2100 00:00:00 +0000"},
    };

    (void)state;
    (void)setenv("TZ", "Asia/Tokyo", 1);
    tzset();
    for (size_t i = 0; i < LENGTH(dates); i++) {
        struct mime_mail mail = mail_of("s");
        struct buf text;
        struct buf value;

        mail.date = dates[i].at;
        write_mail(&mail, &text);
        read_header(&text, "Date", &value);
        assert_string_equal(value.text, dates[i].text);
        buf_release(&value);
        buf_release(&text);
    }
}

static void
test_mime_a_mail_that_is_too_large_says_so(void **state)
{
    struct mime_mail mail = mail_of("s");
    char html[2001];
    struct buf text;

    (void)state;
    memset(html, 'h', 2000);
    html[2000] = '\0';
    mail.html = html;
    buf_init(&text, 2000);
    mime_write(&mail, &text);
    assert_true(text.overflowed);
    buf_release(&text);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mime_address_is_what_stands_in_brackets_or_all_of_it),
        cmocka_unit_test(test_mime_message_id_follows_from_the_key_and_the_domain_of_the_sender),
        cmocka_unit_test(test_mime_plain_headers_are_written_as_they_are),
        cmocka_unit_test(test_mime_reply_to_is_left_out_if_there_is_none),
        cmocka_unit_test(test_mime_subjects_of_any_length_survive_and_no_word_cuts_a_character),
        cmocka_unit_test(test_mime_lines_end_with_cr_lf_and_are_never_too_long),
        cmocka_unit_test(test_mime_name_of_the_sender_is_encoded_and_the_address_is_not),
        cmocka_unit_test(test_mime_name_with_special_characters_is_quoted),
        cmocka_unit_test(test_mime_quotes_are_not_part_of_a_name_that_is_encoded),
        cmocka_unit_test(test_mime_both_parts_come_back_byte_by_byte),
        cmocka_unit_test(test_mime_text_is_made_from_the_html_if_none_is_given),
        cmocka_unit_test(test_mime_text_of_html_shows_what_a_reader_should_see),
        cmocka_unit_test(test_mime_date_is_utc_whatever_the_zone),
        cmocka_unit_test(test_mime_a_mail_that_is_too_large_says_so),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
