/*
 * bare URL REQUESTS CONNECTIONS
 * POSTs a small body again and again with libcurl's multi interface and nothing else: the
 * yardstick for deliveries.  Prints requests per second.
 */
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char body[] = "{\"n\": 123456, \"text\": \"some text of a webhook\"}";

static size_t
ignore(char *bytes, size_t size, size_t count, void *cookie)
{
    (void)bytes;
    (void)cookie;
    return size * count;
}

static double
now(void)
{
    struct timespec time;

    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int
main(int argc, char **argv)
{
    int total = argc == 4 ? atoi(argv[2]) : 0;
    int width = argc == 4 ? atoi(argv[3]) : 0;
    int started = 0;
    int done = 0;
    int bad = 0;
    int running;
    int left;
    double began;
    CURLM *multi;
    CURLMsg *message;
    struct curl_slist *headers;

    if (total < 1 || width < 1) {
        (void)fprintf(stderr, "bare URL REQUESTS CONNECTIONS\n");
        return 2;
    }
    (void)curl_global_init(CURL_GLOBAL_DEFAULT);
    multi = curl_multi_init();
    (void)curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, (long)width);
    headers = curl_slist_append(curl_slist_append(NULL, "Content-Type: application/json"), "Expect:");
    began = now();
    for (; started < width && started < total; started++) {
        CURL *easy = curl_easy_init();

        (void)curl_easy_setopt(easy, CURLOPT_URL, argv[1]);
        (void)curl_easy_setopt(easy, CURLOPT_POSTFIELDS, body);
        (void)curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
        (void)curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, ignore);
        (void)curl_multi_add_handle(multi, easy);
    }
    while (done < total) {
        if (curl_multi_perform(multi, &running) != CURLM_OK)
            return 1;
        while ((message = curl_multi_info_read(multi, &left)) != NULL) {
            CURL *easy = message->easy_handle;
            long status = 0;

            (void)curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
            bad += message->data.result != CURLE_OK || status != 200;
            done++;
            (void)curl_multi_remove_handle(multi, easy);
            if (started < total) {
                started++;
                (void)curl_multi_add_handle(multi, easy);
            } else {
                curl_easy_cleanup(easy);
            }
        }
        if (done < total)
            (void)curl_multi_poll(multi, NULL, 0, 100, NULL);
    }
    (void)printf("%.0f %d\n", total / (now() - began), bad);
    return bad != 0;
}
