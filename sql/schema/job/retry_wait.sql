-- internal.retry_wait(_failures, _jitter)
-- The wait of a job after a failed run, by the number of failures before it: 5 s, 9 s, 17 s ... 91 minutes.  _jitter as in
-- queues.backoff.
create or replace function internal.retry_wait(_failures integer, _jitter numeric) returns interval
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _n constant numeric := greatest(coalesce(_failures, 0), 0);
    _seconds numeric;
begin
    -- The curve falls again from there on.
    _seconds := case when _n > 12 then 5461 else round(2 ^ _n * (10 - _n / 1.5) / 2) end;
    return make_interval(secs => (_seconds * (1 + coalesce(_jitter, 0) * (random()::numeric - 0.5)))::double precision);
end
$$;
comment on function internal.retry_wait(integer, numeric) is 'Wait of a job after a failed run.';
