/* Lines that a client sends to the mail catcher. */
#include "../src/cli/mail_catcher.c" /* The functions are static. */

#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct session session = {.dir = "/nowhere"};
    char line[LINE_BYTES];

    if (size == 0)
        return 0;
    session.in = fmemopen((void *)(uintptr_t)data, size, "r");
    session.out = fopen("/dev/null", "we");
    fuzz_check(session.in != NULL && session.out != NULL);
    while (fgets(line, sizeof(line), session.in) != NULL && obey(&session, line)) {
        fuzz_check(strlen(session.recipient) < sizeof(session.recipient));
        /* The recipient becomes a part of a file name. */
        fuzz_check(strpbrk(session.recipient, "/\\ \t\r\n\"'<>") == NULL);
    }
    (void)fclose(session.in);
    (void)fclose(session.out);
    return 0;
}
