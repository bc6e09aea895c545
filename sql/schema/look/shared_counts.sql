-- internal.shared_counts()
-- The counts of open work: the kept ones while they are young, otherwise new ones, which are kept for others if they were costly.  How
-- young: 25 times what the counting took, 10 seconds at most, so readers take 4 % of one processor at most, however many they are.
-- While one session counts, and until its transaction ends, others are shown the kept counts up to an age of 30 seconds, and count for
-- themselves otherwise: nobody waits. Where nothing may be written (a standby, a read-only transaction) nothing is kept.
create or replace function internal.shared_counts(out counted_at timestamptz, out counts jsonb)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _can_keep constant boolean := not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off'
                                  and current_setting('transaction_isolation') = 'read committed';
    _now constant timestamptz := clock_timestamp();
    _new record;
    _took interval;
    _has_lock boolean := false;
begin
    for _try in 1..2 loop
        select k.counted_at, k.counts, k.took into counted_at, counts, _took from internal.kept_count as k;
        if counted_at > _now - least(25 * _took, interval '10 seconds') and counted_at <= clock_timestamp() then
            return;
        end if;
        exit when not _can_keep or _has_lock;
        _has_lock := pg_try_advisory_xact_lock(20549, 2);
        if not _has_lock and counted_at > _now - interval '30 seconds' then
            return;
        end if;
        exit when not _has_lock;
    end loop;
    _new := internal.count_open();
    counted_at := _new.counted_at;
    counts := _new.counts;
    if _has_lock and _new.took > interval '10 milliseconds' then
        insert into internal.kept_count as k (counted_at, took, counts) values (_new.counted_at, _new.took, _new.counts)
        on conflict (is_only) do update set counted_at = excluded.counted_at, took = excluded.took, counts = excluded.counts;
    end if;
end
$$;
comment on function internal.shared_counts() is 'Counts of open work, made once for all who ask.';
