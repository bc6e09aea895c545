/* A stranger's path below an administrator's base URL. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buf.h"
#include "http/http_base.h"

static void
assert_joined(const char *base, const char *path, const char *expected)
{
    char *url = NULL;
    struct err err = {0};

    if (!http_base_join(base, path, &url, &err))
        fail_msg("%s %s: %s", base, path, err.message);
    assert_string_equal(url, expected);
    free(url);
}

static void
test_http_base_and_path_are_joined(void **state)
{
    (void)state;
    assert_joined("https://edge.example/functions/v1", "/name", "https://edge.example/functions/v1/name");
    assert_joined("https://edge.example/functions/v1///", "/name", "https://edge.example/functions/v1/name");
    assert_joined("https://edge.example", "/name?a=/../b&c", "https://edge.example/name?a=/../b&c");
    assert_joined("http://127.0.0.1:54321/f", "/a%20b#x", "http://127.0.0.1:54321/f/a%20b");
    assert_joined("https://[::1]:3000", "/a?", "https://[::1]:3000/a");
    assert_joined("https://edge.example/f", "/@169.254.169.254/x", "https://edge.example/f/@169.254.169.254/x");
    assert_joined("https://edge.example/f", "/http://evil.example/", "https://edge.example/f/http://evil.example/");
}

static void
test_http_base_is_left_by_no_spelling(void **state)
{
    static const char *const paths[] = {"", "name", "@evil.example/x", ":80/x", ".evil.example/", "https://evil.example/",
        "//evil.example/x", "/%2fevil", "/..", "/../../admin", "/a/../b", "/./a", "/a/.", "/a/..?x", "/..#x", "/%2e%2e/x",
        "/%2E%2E/x", "/.%2e/x", "/%2E./x", "/a/..%2fx", "/a%2f..%2Fx", "/a/%2e", "/..\\x", "/a\\..\\b", "\\..", "/..%5cx",
        "/a%5C..", "/..;a/x", "/..%3ba/x", "/%252e%252e/x", "/%25%32e/x", "/%25%32%65%25%32%65/x", "/%%32e/x", "/%2", "/a%zz",
        "/.%09./x", "/.%0a./x", "/.\t./x", "/.\n./x", "/a%00", "/%7f", "/%c0%ae%c0%ae/x", "/a%", "/a?x HTTP/1.1\r\nX: y", "/a?\t",
        "/a?\x7f"};
    static const char *const good[] = {"/", "/name", "/a.b/..c/c..", "/...", "/a;b=c", "/a//b", "/100%25", "/\xc3\xbc", "/%C3%BC",
        "/a%2Fb", "/name?x=../..", "/name#/../x"};

    (void)state;
    for (size_t i = 0; i < LENGTH(paths); i++) {
        char *url = NULL;
        struct err err = {0};

        if (!http_base_is_left_by(paths[i]) || http_base_join("https://edge.example/f", paths[i], &url, &err))
            fail_msg("%s", paths[i]);
    }
    for (size_t i = 0; i < LENGTH(good); i++) {
        if (http_base_is_left_by(good[i]))
            fail_msg("%s", good[i]);
    }
}

static void
test_http_base_is_a_plain_url(void **state)
{
    static const char *const bases[] = {"", "edge.example", "/f", "ftp://edge.example/", "file:///etc",
        "https://user@edge.example/", "https://u:p@edge.example", "https://edge.example/?a=", "https://edge.example/#x",
        "smtp://edge.example"};

    (void)state;
    for (size_t i = 0; i < LENGTH(bases); i++) {
        char *url = NULL;
        struct err err = {0};

        if (http_base_join(bases[i], "/name", &url, &err))
            fail_msg("%s", bases[i]);
        assert_string_equal(err.message, "consumer_edge_base is not a plain http or https URL");
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_http_base_and_path_are_joined),
        cmocka_unit_test(test_http_base_is_left_by_no_spelling),
        cmocka_unit_test(test_http_base_is_a_plain_url),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
