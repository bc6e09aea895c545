/* What a request to the dashboard carries: form or query, cookie, base address, Host, path, cookie of a session. */
#include "serve/session.h"
#include "web/web_form.h"

#include "fuzz.h"

static void
try_form(const char *bytes, size_t length)
{
    struct web_form form;

    if (web_form_read(&form, bytes, length, NULL)) {
        fuzz_check(form.count <= WEB_FIELDS);
        for (int i = 0; i < form.count; i++) {
            fuzz_check(utf8_is_valid(form.fields[i].name, strlen(form.fields[i].name)));
            fuzz_check(utf8_is_valid(form.fields[i].value, strlen(form.fields[i].value)));
            fuzz_check(web_form_value(&form, form.fields[i].name) == form.fields[i].value);
        }
    }
    web_form_release(&form);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct sessions *sessions;
    struct fuzz_texts split = fuzz_split(data, size, 4);
    const char *hosts[] = {"localhost:8080", NULL};
    struct web_base base;
    char value[SESSION_COOKIE];

    if (sessions == NULL)
        sessions = sessions_new(1000);
    try_form((const char *)data, size);
    try_form(split.texts[0], strlen(split.texts[0]));
    if (web_cookie(split.texts[1], "reeve", value, sizeof(value))) {
        fuzz_check(strlen(value) < sizeof(value) && strchr(value, ';') == NULL);
        fuzz_check(session_find(sessions, value, 0) == NULL);
    }
    if (web_base_read(&base, split.texts[2], NULL)) {
        fuzz_check(base.host[0] != '\0' && strpbrk(base.host, "/@?# ") == NULL);
        fuzz_check(base.prefix[0] == '\0' || (web_path_is_ours(base.prefix) && strstr(base.prefix, "//") == NULL));
    }
    if (web_path_is_ours(split.texts[3]))
        fuzz_check(split.texts[3][0] == '/' && split.texts[3][1] != '/' && fuzz_is_harmless(split.texts[3]));
    fuzz_check(!web_host_is(split.texts[1], hosts) || strlen(split.texts[1]) == strlen(hosts[0]));
    free(split.all);
    return 0;
}
