/* Signing secrets, sealed secrets, keys of the vault. */
#include "channel/secret.h"
#include "channel/sign.h"
#include "channel/vault.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_texts split = fuzz_split(data, size, 4);
    struct vault_key key = {{1}};
    struct buf signature;
    char *value;

    buf_init(&signature, 4096);
    if (sign_standard(split.texts[0], split.texts[1], 1, split.texts[2], strlen(split.texts[2]), &signature, NULL))
        fuzz_check(signature.overflowed || strncmp(signature.text, "v1,", 3) == 0);
    buf_clear(&signature);
    (void)!sign_hmac(
        split.texts[1], split.texts[2], split.texts[0], strlen(split.texts[0]), (const char *)data, size, &signature);
    (void)!vault_key_read(split.texts[0], &key, NULL);
    (void)vault_is_sealed(split.texts[0]);
    value = vault_open(&key, split.texts[1], split.texts[0]);
    secret_free(value);
    value = vault_seal(&key, split.texts[1], split.texts[2]);
    if (value != NULL) {
        char *opened = vault_open(&key, split.texts[1], value);

        fuzz_check(opened != NULL && strcmp(opened, split.texts[2]) == 0);
        secret_free(opened);
    }
    free(value);
    buf_release(&signature);
    free(split.all);
    return 0;
}
