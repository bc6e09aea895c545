-- internal.retry_wait(_backoff, _failures, _chance)
-- The wait after this number of failures (from 1).  _backoff is in its stored form; null: exponential from 5 s to 1 h, with jitter
-- 0.2.  _chance between 0 and 1 picks the wait in the range that the jitter allows: 0.5 is its middle.
create or replace function internal.retry_wait(_backoff jsonb, _failures integer, _chance double precision) returns interval
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $$
begin
    return make_interval(secs => case
        when jsonb_typeof(_backoff) = 'array'
            then (_backoff->>least(_failures - 1, jsonb_array_length(_backoff) - 1))::float8 * (1 + 0.2 * (_chance - 0.5))
        else least(coalesce((_backoff->>'ceiling')::float8, 3600), coalesce((_backoff->>'base')::float8, 5)
                   * case coalesce(_backoff->>'kind', 'exponential') when 'constant' then 1 when 'linear' then _failures
                          else power(2, least(_failures - 1, 40)) end)
             * (1 + 2 * coalesce((_backoff->>'jitter')::float8, 0.2) * (_chance - 0.5)) end);
end
$$;
comment on function internal.retry_wait(jsonb, integer, double precision) is 'Wait between two attempts.';
