-- internal.job_run_call(_task_id, _payload, _position)
-- Hook `call` of FUNC jobs (internal.leased_call): the statement that runs the function of a leased job, and its input.
create or replace function internal.job_run_call(_task_id bigint, _payload jsonb, _position text,
        out statement text, out input jsonb, out has_info boolean, out has_result boolean, out name text)
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
begin
    has_info := false;
    has_result := true;
    if _position = 'job' then
        select case when j.url like '%.%' then j.url else 'public.' || j.url end, j.payload into name, input
        from pgqueue.job as j where j.job_id = (_payload->>'job_id')::bigint;
        statement := internal.job_call(name, input);
    end if;
end
$$;
comment on function internal.job_run_call(bigint, jsonb, text) is 'The call of a leased FUNC job.';
