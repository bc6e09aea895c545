-- queues.recheck_delay(_base_seconds, _failures, _cap)
-- The delay until the next run of a supervisor: backoff(base, failures), doubled for each quiet run in a row from the fourth on,
-- so that a waiting supervisor does not poll.
create or replace function queues.recheck_delay(_base_seconds numeric, _failures integer,
        _cap interval default '15 minutes') returns interval
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _quiet constant integer := coalesce(nullif(current_setting('reeve.quiet_runs', true), '')::integer, 0);
    _cap_seconds constant float8 := greatest(coalesce(extract(epoch from _cap)::float8, 900), 0);
    _delay constant interval := queues.backoff(_base_seconds, _failures, _cap);
begin
    return make_interval(secs =>
        least(extract(epoch from _delay)::float8 * power(2, least(greatest(_quiet - 2, 0), 20)), _cap_seconds));
end
$$;
comment on function queues.recheck_delay(numeric, integer, interval) is
    'Delay until the next run of a supervisor; grows while nothing changes.';
