/* Arguments, numbers, durations, lists of modules. */
#include "base/parse.h"
#include "cli/modules.h"
#include "config/config.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_texts split = fuzz_split(data, size, 6);
    enum config_key all[CONFIG_COUNT + 1];
    struct modules modules = {0};
    struct config config;
    struct err err = {0};
    int64_t number;
    bool is_on;
    int argc = 0;

    for (int key = 0; key <= CONFIG_COUNT; key++)
        all[key] = (enum config_key)key;
    while (argc < 6 && (split.texts[argc][0] != '\0' || argc + 1 < 6))
        argc++;
    if (config_read(&config, all, argc, (char **)(uintptr_t)split.texts, &err)) {
        fuzz_check(config_number(&config, CONFIG_CONCURRENCY) >= 1 && config_number(&config, CONFIG_CONCURRENCY) <= 256);
        fuzz_check(config_ms(&config, CONFIG_LEASE) > 0);
        fuzz_check(strstr("table wide json", config_text(&config, CONFIG_OUTPUT)) != NULL);
        fuzz_check(config_text(&config, CONFIG_EMAIL_RATE) == NULL || config_decimal(&config, CONFIG_EMAIL_RATE) >= 0);
    } else {
        fuzz_check(err.message[0] != '\0');
    }
    config_release(&config);
    if (parse_int(split.texts[0], -5, 5, &number, NULL))
        fuzz_check(number >= -5 && number <= 5);
    if (parse_duration_ms(split.texts[0], &number, NULL))
        fuzz_check(number >= 0);
    (void)!parse_bool(split.texts[0], &is_on, NULL);
    (void)!modules_leave_out(&modules, split.texts[0], NULL);
    free(split.all);
    return 0;
}
