-- queues.stop_worker(_worker_id, _reason)
-- Records that a worker program has ended.  It claims nothing afterwards.  A claim whose answer was lost has leased tasks that the
-- program did not know of: they are given back, and need not wait for the end of their leases.
create or replace function queues.stop_worker(_worker_id uuid, _reason text) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    if _worker_id = internal.test_worker_id() then
        raise exception using errcode = '42501', message = 'the worker of runs inside a transaction cannot be stopped';
    end if;
    insert into queues.worker_stopped (worker_id, stopped_at, reason)
    select s.worker_id, clock_timestamp(), left(_reason, 256) from queues.worker_started as s where s.worker_id = _worker_id
    on conflict (worker_id) do nothing;
    delete from queues.worker_seen as w where w.worker_id = _worker_id;
    perform queues.release(_worker_id, h.task_ids, h.lease_nos)
    from (select array_agg(r.task_id) as task_ids, array_agg(r.lease_no) as lease_nos from queues.running as r
          where r.holder_id in (select x.holder_id from queues.holder as x where x.worker_id = _worker_id)) as h
    where h.task_ids is not null;
end
$$;
comment on function queues.stop_worker(uuid, text) is 'Records the regular end of a worker program.';
