/* Runs the corpus of one target again, so that fixed defects stay fixed. */
#include <dirent.h>
#include <stdio.h>

#include "fuzz.h"

static void
play(const char *path, const char *name)
{
    FILE *file = fopen(path, "re");
    uint8_t *data = must_alloc(1 << 20);
    size_t size = file == NULL ? 0 : fread(data, 1, 1 << 20, file);
    uint8_t *exact = must_alloc(size + 1); /* exact size, so that a sanitizer finds a read beyond the end */

    if (file != NULL)
        (void)fclose(file);
    memcpy(exact, data, size);
    (void)printf("[ RUN      ] %s\n", name);
    (void)fflush(stdout);
    (void)LLVMFuzzerTestOneInput(exact, size);
    (void)printf("[       OK ] %s\n", name);
    free(exact);
    free(data);
}

int
main(void)
{
    DIR *folder = opendir(CORPUS);
    const struct dirent *entry;
    char path[1024];
    int count = 0;

    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        (void)snprintf(path, sizeof(path), "%s/%s", CORPUS, entry->d_name);
        play(path, entry->d_name);
        count++;
    }
    if (folder != NULL)
        (void)closedir(folder);
    return count == 0; /* A target without a corpus is a mistake. */
}
