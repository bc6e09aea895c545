-- internal.begin_runs(_worker_id, _task_ids, _lease_nos)
-- The engine's own before step of HTTP jobs, for a batch: requests, dispatch facts, renewed leases.  Tasks that are no run of an
-- HTTP job are left out.  So is a lease that has run out or was superseded, or whose task is to be cancelled or has a result
-- already: queues.begin_dispatch handles it.
-- Secrets given by value and secrets of the vault leave the database here, for these leases only.
create or replace function internal.begin_runs(_worker_id uuid, _task_ids bigint[], _lease_nos integer[])
    returns setof internal.begun_run
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
    set plan_cache_mode = force_generic_plan
as $$
declare
    _now constant timestamptz := queues.clock();
    _timeout constant interval := internal.text_setting('pgqueue_timeout')::interval;
    _type_id constant smallint := (select t.type_id from queues.registered_task_type as t where t.task_type = 'job_http');
    _expired bigint[];
    _expired_nos integer[];
    _count bigint;
begin
    if not exists (select 1 from queues.running as r where r.task_id = any(_task_ids) and r.type_id = _type_id) then
        return;
    end if;
    return query
        with held as (
            select r.task_id, r.lease_no, r.expires_at, r.lease,
                   internal.lease_end(r.since, r.expires_at, _now, r.lease) as next_end
            from unnest(_task_ids, _lease_nos) as w(task_id, lease_no)
            cross join lateral (
                select x.task_id, x.lease_no, x.expires_at, coalesce(x.renewed_at, x.leased_at) as since,
                       (select l.expires_at - l.leased_at from queues.task_lease as l
                        where l.task_id = x.task_id and l.lease_no = x.lease_no) as lease
                from queues.running as x
                where x.task_id = w.task_id and x.lease_no = w.lease_no
                  and x.type_id = _type_id and x.phase is null and x.expires_at >= _now
                  and (select h.worker_id from queues.holder as h where h.holder_id = x.holder_id) = _worker_id
                  and (select true from queues.task_cancel_requested as c where c.task_id = x.task_id limit 1) is null
                  and (x.lease_no = 1 or (select s.outcome is null from internal.stored_result(x.task_id) as s))
                for update) as r
        ), run as (
            select m.task_id, m.lease_no, j.job_uuid, j.job_type, j.url, j.url like '/%' as is_edge,
                   case when j.job_type in ('GET', 'DELETE') then null else j.payload::text end as body,
                   case when j.headers is null or not jsonb_path_exists(j.headers, '$.* ? (@.type() != "string")') then j.headers
                        else (select jsonb_object_agg(h.key, h.value) from jsonb_each_text(j.headers) as h) end as headers,
                   coalesce(s.job_jwt, x.jwt) as token, coalesce(s.signing_secret, x.signing_secret) as secret,
                   coalesce(j.has_secret or x.signing_secret is not null, false) as has_secret,
                   j.url like '/%' and not exists (select 1 from jsonb_object_keys(j.headers) as h where lower(h) = 'authorization')
                       as needs_auth,
                   j.signing_vault, j.signing_header, j.signing_style, j.signing_alg, j.signing_enc, j.timeout
            from held as m
            join queues.task as t on t.task_id = m.task_id
            join pgqueue.job as j on j.job_id = (t.payload->>'job_id')::bigint
            left join pgqueue.job_secret as s on s.job_id = j.job_id and (j.has_token or j.has_secret)
            left join pgqueue.webhook_secret as x on x.webhook_id = j.webhook_id
            where j.url not like '/%'
               or (case when s.job_jwt is not null then s.jwt_expires_at when x.jwt is not null then internal.token_expiry(x.jwt) end <= _now) is not true
        ), fact as (
            insert into queues.task_dispatched (task_id, lease_no, dispatched_at, adapter, idempotency_key)
            select r.task_id, r.lease_no, _now, 'http', r.job_uuid::text from run as r
            -- After a lost connection the same lease asks again: the fact exists.
            on conflict on constraint task_dispatched_pkey do nothing
        ), moved as (
            -- The lease is renewed if it waited long, or if it lasts too long.
            update queues.running as r
            set expires_at = (select h.next_end from held as h where h.task_id = r.task_id), renewed_at = _now
            where r.task_id = any(array(select h.task_id from held as h
                                        where h.next_end not between h.expires_at and h.expires_at + h.lease / 3))
            returning r.task_id, r.lease_no, r.expires_at
        ), renewed as (
            insert into queues.task_lease_renewed (task_id, lease_no, renewed_at, expires_at)
            select m.task_id, m.lease_no, _now, m.expires_at from moved as m
        )
        select r.task_id, 'send'::text,
               jsonb_build_object('method', r.job_type, 'url', r.url)
               || case when r.headers is not null then jsonb_build_object('headers', r.headers) else '{}' end
               || case when r.has_secret or r.signing_vault is not null then jsonb_build_object('sign', jsonb_build_object(
                      'header', coalesce(r.signing_header, 'X-HMAC-Signature'), 'style', coalesce(r.signing_style, 'HMAC'),
                      'alg', coalesce(r.signing_alg, 'sha256'), 'enc', coalesce(r.signing_enc, 'hex'),
                      'secret', case when not r.has_secret then r.signing_vault end,
                      'id', r.job_uuid, 'timestamp', floor(extract(epoch from _now))::bigint)) else '{}' end,
               r.body,
               -- Fields that only the engine sets, and no payload can.
               '{"job": true}'::jsonb
               || case when r.is_edge then '{"edge": true}'::jsonb else '{}' end
               || case when r.needs_auth and r.token is not null then jsonb_build_object('token', r.token) else '{}' end
               || case when r.secret is not null then jsonb_build_object('signing', encode(r.secret, 'hex')) else '{}' end
               || case when r.is_edge or r.signing_vault is not null
                       then internal.job_secrets(case when not r.has_secret then r.signing_vault end, r.url,
                                                 r.needs_auth and r.token is null) else '{}' end,
               r.job_uuid::text, coalesce(r.timeout, _timeout),
               (select x.traceparent from queues.task_trace as x where x.task_id = r.task_id)
        from run as r;
    get diagnostics _count = row_count;
    if _count = cardinality(_task_ids) then
        return;
    end if;
    -- A receiver would refuse a token that has run out: such a job is not sent.
    select array_agg(r.task_id), array_agg(r.lease_no) into _expired, _expired_nos
    from unnest(_task_ids, _lease_nos) as w(task_id, lease_no)
    join queues.running as r on r.task_id = w.task_id and r.lease_no = w.lease_no and r.type_id = _type_id
    join queues.task as t on t.task_id = w.task_id
    join pgqueue.job as j on j.job_id = (t.payload->>'job_id')::bigint
    left join pgqueue.job_secret as s on s.job_id = j.job_id
    left join pgqueue.webhook_secret as x on x.webhook_id = j.webhook_id
    where j.url like '/%' and coalesce(s.jwt_expires_at, internal.token_expiry(x.jwt)) <= _now;
    if _expired is not null then
        return query
            select e, 'completed'::text, null::jsonb, null::text, null::jsonb, null::text, null::interval, null::text
            from internal.end_runs(_worker_id, _expired, _expired_nos, array_fill('failed'::text, array[cardinality(_expired)]),
                                   array_fill(null::jsonb, array[cardinality(_expired)]),
                                   array_fill('token expired'::text, array[cardinality(_expired)]),
                                   array_fill('token'::text, array[cardinality(_expired)])) as e;
    end if;
end
$$;
comment on function internal.begin_runs(uuid, bigint[], integer[]) is 'Prepares and announces runs of HTTP jobs.';
