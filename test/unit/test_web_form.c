/* What a request carries as text: forms, cookies, base addresses, hosts, paths. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "web/web_form.h"

static bool
reads(const char *text)
{
    struct web_form form;
    bool is_good = web_form_read(&form, text, strlen(text), NULL);

    web_form_release(&form);
    return is_good;
}

static void
a_form_is_decoded(void **state)
{
    static const char text[] = "a=1+2&b=%C3%A4%2B&&c&d=&%65=x";
    struct web_form form;

    (void)state;
    assert_true(web_form_read(&form, text, strlen(text), NULL));
    assert_int_equal(form.count, 5);
    assert_string_equal(web_form_value(&form, "a"), "1 2");
    assert_string_equal(web_form_value(&form, "b"), "\xC3\xA4+");
    assert_string_equal(web_form_value(&form, "c"), "");
    assert_string_equal(web_form_value(&form, "d"), "");
    assert_string_equal(web_form_value(&form, "e"), "x");
    assert_null(web_form_value(&form, "f"));
    web_form_release(&form);
    assert_true(reads(""));
}

static void
a_broken_form_is_refused(void **state)
{
    struct web_form form;

    (void)state;
    assert_false(reads("a=%"));
    assert_false(reads("a=%4"));
    assert_false(reads("a=%4g"));
    assert_false(reads("a=%00"));
    assert_false(reads("a=%C3"));
    assert_false(reads("a=\xFF"));
    assert_false(reads("%ff=a"));
    assert_false(reads("a=1&a=2"));
    assert_false(reads("a=1&%61=2"));
    assert_false(web_form_read(&form, "a=\0b", 4, NULL));
    web_form_release(&form);
}

static void
a_form_has_a_bounded_number_of_fields(void **state)
{
    char text[1024] = "";
    size_t length = 0;

    (void)state;
    for (int i = 0; i < WEB_FIELDS; i++)
        length += (size_t)snprintf(text + length, sizeof(text) - length, "f%d=1&", i);
    assert_true(reads(text));
    (void)snprintf(text + length, sizeof(text) - length, "one_more=1");
    assert_false(reads(text));
}

static void
a_cookie_is_found_once(void **state)
{
    char value[8];

    (void)state;
    assert_true(web_cookie("a=1; reeve=abc; b=2", "reeve", value, sizeof(value)));
    assert_string_equal(value, "abc");
    assert_true(web_cookie("reeve=", "reeve", value, sizeof(value)));
    assert_string_equal(value, "");
    assert_false(web_cookie(NULL, "reeve", value, sizeof(value)));
    assert_false(web_cookie("xreeve=abc; reevex=abc; reeve", "reeve", value, sizeof(value)));
    assert_false(web_cookie("reeve=abc; reeve=abd", "reeve", value, sizeof(value)));
    assert_false(web_cookie("reeve=abcdefgh", "reeve", value, sizeof(value)));
}

static void
a_base_address_has_parts(void **state)
{
    struct web_base base;

    (void)state;
    assert_true(web_base_read(&base, "https://Ops.Example.com:8443/reeve/x/", NULL));
    assert_true(base.is_secure);
    assert_string_equal(base.host, "ops.example.com:8443");
    assert_string_equal(base.prefix, "/reeve/x");
    assert_string_equal(base.origin, "https://ops.example.com:8443");
    assert_true(web_base_read(&base, "https://ops.example.com:443", NULL));
    assert_string_equal(base.host, "ops.example.com");
    assert_true(web_base_read(&base, "https://ops.example.com:80", NULL));
    assert_string_equal(base.host, "ops.example.com:80");
    assert_true(web_base_read(&base, "http://[::1]:8080", NULL));
    assert_false(base.is_secure);
    assert_string_equal(base.prefix, "");
}

static void
a_strange_base_address_is_refused(void **state)
{
    static const char *const texts[] = {"", "ops.example.com", "ftp://x", "https://", "https:///x", "https://a b/",
        "https://user@host/", "https://x/a b", "https://x/%2e", "https://x//y", "https://x/../y", "https://x/a?b",
        "https://x/a#b", "https://x/a;b=c"};
    struct web_base base;

    (void)state;
    for (size_t i = 0; i < LENGTH(texts); i++)
        assert_false(web_base_read(&base, texts[i], NULL));
}

static void
a_host_is_compared_as_a_whole(void **state)
{
    static const char *const hosts[] = {"localhost:8080", "127.0.0.1:8080", NULL};

    (void)state;
    assert_true(web_host_is("LocalHost:8080", hosts));
    assert_false(web_host_is("localhost", hosts));
    assert_false(web_host_is("localhost:80800", hosts));
    assert_false(web_host_is("", hosts));
}

static void
a_path_of_ours_leads_to_no_other_host(void **state)
{
    (void)state;
    assert_true(web_path_is_ours("/"));
    assert_true(web_path_is_ours("/tasks?state=ready&x=%C3"));
    assert_false(web_path_is_ours(NULL));
    assert_false(web_path_is_ours(""));
    assert_false(web_path_is_ours("tasks"));
    assert_false(web_path_is_ours("//evil.example"));
    assert_false(web_path_is_ours("/\\evil.example"));
    assert_false(web_path_is_ours("/a\r\nSet-Cookie: a=b"));
    assert_false(web_path_is_ours("/a b"));
    assert_false(web_path_is_ours("https://evil.example"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_form_is_decoded),
        cmocka_unit_test(a_broken_form_is_refused),
        cmocka_unit_test(a_form_has_a_bounded_number_of_fields),
        cmocka_unit_test(a_cookie_is_found_once),
        cmocka_unit_test(a_base_address_has_parts),
        cmocka_unit_test(a_strange_base_address_is_refused),
        cmocka_unit_test(a_host_is_compared_as_a_whole),
        cmocka_unit_test(a_path_of_ours_leads_to_no_other_host),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
