-- internal.follow_up(_worker_id, _task_ids, _lease_nos, _results)
-- Makes the jobs in the bodies of answers with status 201: all jobs of an answer or none.  An answer can make only HTTP jobs, at
-- most 10, five deep, 100 under one root, and none with a secret of its parent.
create or replace function internal.follow_up(_worker_id uuid, _task_ids bigint[], _lease_nos integer[], _results jsonb[])
    returns table (task_id bigint, lease_no integer, created integer, problem text)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _run record;
    _parent pgqueue.job;
    _body jsonb;
    _wish jsonb;
    _job pgqueue.job;
begin
    for _run in
        select r.task_id, r.lease_no, (t.payload->>'job_id')::bigint as job_id,
               ltrim(w.result->>'body', U&'\FEFF') as body, w.result->'truncated' = 'true' as is_cut
        from unnest(_task_ids, _lease_nos, _results) as w(task_id, lease_no, result)
        cross join lateral (
            select x.task_id, x.lease_no from queues.running as x
            where x.task_id = w.task_id and x.lease_no = w.lease_no
              and (select h.worker_id from queues.holder as h where h.holder_id = x.holder_id) = _worker_id
            for update) as r
        join queues.task as t on t.task_id = r.task_id and t.task_type = 'job_http'
        where w.result->>'status' = '201'
    loop
        task_id := _run.task_id;
        lease_no := _run.lease_no;
        created := 0;
        problem := null;
        -- A body that begins like JSON and cannot be read may have held jobs.
        begin
            _body := null;
            if _run.is_cut and _run.body ~ '^\s*[[{]' then
                problem := 'the answer is longer than is kept of it (64 KiB), or was cut short';
            else
                _body := _run.body::jsonb;
            end if;
            if jsonb_typeof(_body) = 'object' then
                _body := jsonb_build_array(_body);
            end if;
        exception when others then
            if _run.body ~ '^\s*[[{]' then
                problem := 'the answer begins like JSON and cannot be read: ' || sqlerrm;
            end if;
        end;
        if _body is null or jsonb_typeof(_body) <> 'array' or not jsonb_path_exists(_body, '$[*].url') then
            return next;
            continue;
        end if;
        select j.* into strict _parent from pgqueue.job as j where j.job_id = _run.job_id;
        begin
            if jsonb_array_length(_body) > 10 then
                raise exception using message = format('%s jobs in one answer, at most 10 are made', jsonb_array_length(_body));
            elsif coalesce(_parent.depth, 0) >= 5 then
                raise exception using message = 'the chain of jobs is five deep';
            elsif jsonb_array_length(_body) + (select count(*) from pgqueue.job as j
                      where j.root_job_id = coalesce(_parent.root_job_id, _parent.job_id)) > 100 then
                raise exception using message = 'more than 100 jobs under one root';
            end if;
            for _wish in select b from jsonb_array_elements(_body) as b loop
                if jsonb_typeof(_wish) <> 'object' or jsonb_typeof(_wish->'url') is distinct from 'string' then
                    raise exception using message = 'a job without a url';
                elsif coalesce(_wish->>'job_type', 'POST') not in ('GET', 'POST', 'DELETE', 'PUT', 'PATCH') then
                    raise exception using message = format('job type "%s" is not allowed in an answer', left(_wish->>'job_type', 32));
                elsif jsonb_typeof(_wish->'jwt') not in ('string', 'null') or _wish->>'jwt' = 'from_session'
                      or _wish->>'jwt' !~ '^[-A-Za-z0-9._~+/=]*$' then
                    raise exception using message = 'jwt is not a token';
                elsif _wish->>'url' like '/%' and _parent.url not like '/%' then
                    raise exception using message = 'only an edge function may ask for edge functions';
                end if;
                _job := null;
                _job.job_owner := 'pgqueue';
                _job.run_at := coalesce((_wish->>'run_at')::timestamptz, now());
                _job.job_type := coalesce(_wish->>'job_type', 'POST')::pgqueue.job_type;
                _job.url := _wish->>'url';
                _job.payload := nullif(_wish->'payload', 'null');
                _job.headers := nullif(_wish->'headers', 'null');
                _job.parent_job_id := _parent.job_id;
                _job.root_job_id := coalesce(_parent.root_job_id, _parent.job_id);
                _job.depth := coalesce(_parent.depth, 0) + 1;
                perform internal.check_job(_job);
                perform internal.check_job_secrets(_wish->>'jwt', null);
                perform internal.add_job(_job, nullif(_wish->>'jwt', ''), null, null, _run.task_id);
                created := created + 1;
            end loop;
        exception when others then
            created := 0;
            problem := sqlerrm;
        end;
        return next;
    end loop;
end
$$;
comment on function internal.follow_up(uuid, bigint[], integer[], jsonb[]) is 'Makes the jobs that answers ask for.';
