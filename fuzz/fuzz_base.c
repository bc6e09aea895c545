/* Foreign paths below a base URL: for any path, the request stays at the host of the base and below its path. */
#include <curl/curl.h>

#include "fuzz.h"
#include "http/http_base.h"

static const char base[] = "https://edge.example.com:8443/functions/v1/";

/* A part of the URL as the client sends it, without dot segments. */
static void
check_part(const char *url, CURLUPart part, const char *beginning)
{
    CURLU *parsed = curl_url();
    char *text = NULL;

    if (curl_url_set(parsed, CURLUPART_URL, url, 0) != CURLUE_OK) {
        curl_url_cleanup(parsed); /* The query has a blank, so the client refuses the URL. */
        return;
    }
    fuzz_check(curl_url_get(parsed, part, &text, part == CURLUPART_PATH ? CURLU_URLDECODE : 0) == CURLUE_OK);
    fuzz_check(strncmp(text, beginning, strlen(beginning)) == 0);
    fuzz_check(strstr(text, "/../") == NULL && strchr(text, '\\') == NULL);
    curl_free(text);
    curl_url_cleanup(parsed);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_texts split = fuzz_split(data, size, 2);
    struct err err = {0};
    char *url = NULL;

    if (http_base_join(base, split.texts[0], &url, &err)) {
        fuzz_check(strncmp(url, base, sizeof(base) - 1) == 0);
        for (const char *c = url; *c != '\0'; c++)
            fuzz_check((unsigned char)*c >= ' ' && *c != 0x7f && *c != '#');
        check_part(url, CURLUPART_HOST, "edge.example.com");
        check_part(url, CURLUPART_PORT, "8443");
        check_part(url, CURLUPART_PATH, "/functions/v1/");
        free(url);
    } else {
        fuzz_check(err.message[0] != '\0');
    }
    url = NULL;
    if (http_base_join(split.texts[1], split.texts[0], &url, NULL))
        fuzz_check(strncmp(url, "http", 4) == 0);
    free(url);
    free(split.all);
    return 0;
}
