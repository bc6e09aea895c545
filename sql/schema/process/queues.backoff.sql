-- queues.backoff(_base_seconds, _failures, _cap, _jitter)
-- base * 2^failures seconds, capped.  It never raises, because supervisors call it.
create or replace function queues.backoff(_base_seconds numeric, _failures integer,
        _cap interval default '1 hour', _jitter numeric default null) returns interval
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _cap_seconds constant float8 := least(greatest(coalesce(extract(epoch from _cap)::float8, 3600), 0), 3.2e9);
    _base constant float8 := least(greatest(coalesce(case when _base_seconds = 'NaN' then 0 else _base_seconds end, 0), 0), 1e9)::float8;
    _exponent constant integer := least(greatest(coalesce(_failures, 0), 0), 20);
    _factor float8;
    _j float8 := coalesce(_jitter, internal.number_setting('backoff_jitter'));
begin
    _j := case when _j = 'NaN' then 0 else least(greatest(_j, 0), 2) end;
    _factor := 1 + _j * (random() - 0.5);
    return make_interval(secs => least(_base * power(2, _exponent), _cap_seconds) * _factor);
end
$$;
comment on function queues.backoff(numeric, integer, interval, numeric) is
    'base * 2^failures seconds, capped, with jitter if asked.';
