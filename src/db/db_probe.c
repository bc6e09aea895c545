#include "db/db_probe.h"

#include "base/bounds.h"

bool
db_probe_begin(struct db_probe *probe, int64_t now_ms)
{
    if (probe->is_under_way)
        return false;
    probe->is_under_way = true;
    probe->sent_ms = now_ms;
    return true;
}

void
db_probe_end(struct db_probe *probe, bool has_failed)
{
    probe->is_under_way = false;
    if (!has_failed)
        probe->answered_ms = probe->sent_ms;
}

bool
db_probe_is_fresh(const struct db_probe *probe, int64_t now_ms)
{
    return probe->answered_ms != 0 && now_ms - probe->answered_ms <= BOUND_HEALTHY_MS;
}
