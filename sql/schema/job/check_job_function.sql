-- internal.check_job_function(_name)
-- Refuses a function that is not registered for jobs, or that the caller's role may not enqueue.
create or replace function internal.check_job_function(_name text) returns void
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _full constant text := case when _name like '%.%' then _name else 'public.' || _name end;
    _enqueuers name[];
begin
    select f.enqueuers into _enqueuers from internal.allowed_function as f
    where f.function_name = _full and f.enabled and 'job' = any(string_to_array(f.kind, ','));
    if not found then
        raise exception using errcode = '42501', message = format('function "%s" is not registered as a job', left(_full, 128)),
            hint = internal.allow_hint(_full, 'job');
    end if;
    if _enqueuers is not null then
        perform internal.check_enqueuer(_full, _enqueuers);
    end if;
end
$$;
comment on function internal.check_job_function(text) is 'Refuses a function that jobs may not call.';
