/* What a connection is made with: the user's own values first, then ours, then what libpq was compiled with. */
#include "db/db_hosts.h"

#include <netdb.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "db/db_env.h"
#include "loop/loop.h"

/* In place of libc's: no name is known. */
int
getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **ret)
{
    (void)node;
    (void)service;
    (void)hints;
    (void)ret;
    return EAI_NONAME;
}

static char got[64][128]; /* "keyword=value", the last of each keyword */
static int got_count;

static void
on_hosts(void *cookie, const char *const *keywords, const char *const *values, const struct err *err)
{
    (void)cookie;
    assert_null(err);
    for (got_count = 0; keywords[got_count] != NULL; got_count++)
        (void)snprintf(got[got_count], sizeof(got[0]), "%s=%s", keywords[got_count], values[got_count]);
}

static void
resolve(const char *conninfo, int skip)
{
    db_env_set(conninfo);
    db_hosts_free(db_hosts_start(NULL, conninfo, "test", skip, on_hosts, NULL));
}

static void
assert_has(const char *wanted)
{
    size_t length = strcspn(wanted, "=") + 1;
    const char *last = "not there";

    for (int i = 0; i < got_count; i++) {
        if (strncmp(got[i], wanted, length) == 0)
            last = got[i];
    }
    assert_string_equal(last, wanted);
}

static int
forget(void **state)
{
    static const char *const names[] = {"PGTARGETSESSIONATTRS", "PGGSSENCMODE", "PGCONNECT_TIMEOUT", "PGSERVICE", "PGSERVICEFILE",
        "PGPORT", "PGUSER", "PGHOST", "PGCLIENTENCODING"};

    (void)state;
    for (size_t i = 0; i < LENGTH(names); i++)
        (void)unsetenv(names[i]);
    return 0;
}

/* A service file with one service "s". */
static void
write_service(char *path, const char *lines)
{
    int fd = mkstemp(path);
    char text[256];
    int length = snprintf(text, sizeof(text), "[s]\n%s", lines);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, (size_t)length), length);
    assert_int_equal(close(fd), 0);
    assert_int_equal(setenv("PGSERVICEFILE", path, 1), 0);
}

static void
test_where_the_user_says_nothing_our_defaults_apply(void **state)
{
    (void)state;
    resolve("host=127.0.0.1", 0);
    assert_has("target_session_attrs=read-write");
    assert_has("gssencmode=disable");
    assert_has("keepalives_idle=5");
    assert_has("tcp_user_timeout=5000");
    (void)forget(NULL);
    resolve("", 0);
    assert_has("target_session_attrs=read-write");
}

static void
test_a_value_in_the_connection_string_stays(void **state)
{
    (void)state;
    resolve("host=127.0.0.1 target_session_attrs=any gssencmode=prefer keepalives_idle=9", 0);
    assert_has("target_session_attrs=any");
    assert_has("gssencmode=prefer");
    assert_has("keepalives_idle=9");
    (void)forget(NULL);
    resolve("postgresql://127.0.0.1/x?target_session_attrs=prefer-standby", 0);
    assert_has("target_session_attrs=prefer-standby");
}

static void
test_a_value_in_the_environment_stays(void **state)
{
    (void)state;
    (void)setenv("PGTARGETSESSIONATTRS", "any", 1);
    (void)setenv("PGGSSENCMODE", "prefer", 1);
    resolve("host=127.0.0.1", 0);
    assert_has("target_session_attrs=any");
    assert_has("gssencmode=prefer");
}

static void
test_a_value_in_a_service_stays(void **state)
{
    char path[] = "/tmp/reeve-service.XXXXXX";

    (void)state;
    write_service(path, "host=127.0.0.2\nport=6543\nuser=ann\ntarget_session_attrs=any\n");
    resolve("service=s", 0);
    assert_has("target_session_attrs=any");
    assert_has("gssencmode=disable");
    assert_has("host=127.0.0.2");
    assert_has("port=6543");
    assert_has("user=ann");
    (void)unsetenv("PGSERVICE");
    (void)setenv("PGSERVICE", "s", 1);
    resolve("dbname=x port=1", 0);
    assert_has("target_session_attrs=any");
    assert_has("port=1");
    assert_has("user=ann");
    assert_int_equal(unlink(path), 0);
}

static void
test_text_is_utf8_whatever_the_terminal_has(void **state)
{
    (void)state;
    (void)setenv("PGCLIENTENCODING", "LATIN1", 1);
    resolve("host=127.0.0.1", 0);
    assert_has("client_encoding=UTF8");
}

static void
test_one_connection_leaves_the_environment_as_it_was(void **state)
{
    unsigned int filled;

    (void)state;
    (void)setenv("PGGSSENCMODE", "prefer", 1);
    filled = db_env_fill("any");
    assert_string_equal(getenv("PGTARGETSESSIONATTRS"), "any");
    assert_string_equal(getenv("PGGSSENCMODE"), "prefer");
    db_env_restore(filled);
    assert_null(getenv("PGTARGETSESSIONATTRS"));
    assert_null(getenv("PGCONNECT_TIMEOUT"));
    assert_string_equal(getenv("PGGSSENCMODE"), "prefer");
}

static void
test_the_list_of_hosts_begins_behind_those_that_did_not_answer(void **state)
{
    (void)state;
    resolve("host=127.0.0.1,/run,127.0.0.3 port=1,2,3", 0);
    assert_has("host=127.0.0.1,/run,127.0.0.3");
    assert_has("hostaddr=127.0.0.1,,127.0.0.3");
    resolve("host=127.0.0.1,/run,127.0.0.3 port=1,2,3", 1);
    assert_has("host=/run,127.0.0.3,127.0.0.1");
    assert_has("hostaddr=,127.0.0.3,127.0.0.1");
    assert_has("port=2,3,1");
    resolve("host=127.0.0.1,/run,127.0.0.3 port=1,2,3", 5);
    assert_has("host=127.0.0.3,127.0.0.1,/run");
    assert_has("port=3,1,2");
    resolve("host=127.0.0.1 port=1", 7);
    assert_has("host=127.0.0.1");
    resolve("hostaddr=127.0.0.1", 7);
    assert_has("hostaddr=127.0.0.1");
}

static void
on_hosts_later(void *cookie, const char *const *keywords, const char *const *values, const struct err *err)
{
    on_hosts(NULL, keywords, values, err);
    loop_stop(cookie);
}

static void
test_a_name_that_nobody_knows_does_not_hide_the_others(void **state)
{
    struct loop *loop = loop_new();
    struct db_hosts *hosts;

    (void)state;
    hosts = db_hosts_start(loop, "host=gone,127.0.0.7,gone,127.0.0.9 port=1,2,3,4", "test", 0, on_hosts_later, loop);
    loop_run(loop, NULL, NULL);
    assert_has("host=127.0.0.7,127.0.0.9");
    assert_has("port=2,4");
    db_hosts_free(hosts);
    loop_free(loop);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_where_the_user_says_nothing_our_defaults_apply, forget),
        cmocka_unit_test_setup(test_a_value_in_the_connection_string_stays, forget),
        cmocka_unit_test_setup(test_a_value_in_the_environment_stays, forget),
        cmocka_unit_test_setup(test_a_value_in_a_service_stays, forget),
        cmocka_unit_test_setup(test_text_is_utf8_whatever_the_terminal_has, forget),
        cmocka_unit_test_setup(test_one_connection_leaves_the_environment_as_it_was, forget),
        cmocka_unit_test_setup(test_the_list_of_hosts_begins_behind_those_that_did_not_answer, forget),
        cmocka_unit_test_setup(test_a_name_that_nobody_knows_does_not_hide_the_others, forget),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
