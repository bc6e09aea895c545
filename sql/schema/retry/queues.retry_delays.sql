-- queues.retry_delays(_max_attempts, _backoff)
-- The waits of a policy: one row per retry, with the earliest and latest wait that the jitter allows.
create or replace function queues.retry_delays(_max_attempts integer default null, _backoff jsonb default null)
    returns table (attempt integer, wait interval, earliest interval, latest interval)
    language plpgsql immutable security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _checked constant jsonb := internal.checked_backoff(_max_attempts, _backoff);
begin
    if _max_attempts is null and jsonb_typeof(_checked) is distinct from 'array' then
        raise exception using errcode = '22004', message = 'max_attempts must not be null, unless backoff is a list of waits';
    end if;
    return query
    select n + 1, internal.retry_wait(_checked, n, 0.5), internal.retry_wait(_checked, n, 0), internal.retry_wait(_checked, n, 1)
    from generate_series(1, coalesce(_max_attempts - 1, jsonb_array_length(_checked))) as n;
end
$$;
comment on function queues.retry_delays(integer, jsonb) is 'The waits of a policy of retries.';
