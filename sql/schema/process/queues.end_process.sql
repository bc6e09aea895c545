-- queues.end_process(_process_id, _reason)
-- Cancels the open runs of a process; true if it was live.
create or replace function queues.end_process(_process_id bigint, _reason text) returns boolean
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _ids bigint[];
begin
    perform internal.check_text('reason', _reason, 1024);
    if not exists (select 1 from queues.process as p where p.process_id = _process_id) then
        raise exception using errcode = 'P0002', message = format('process %s does not exist', _process_id);
    end if;
    select array_agg(x.task_id order by x.task_id) into _ids
    from (select r.task_id from queues.ready as r where r.process_id = _process_id and r.is_supervisor_run
          union all
          select r.task_id from queues.running as r where r.process_id = _process_id and r.is_supervisor_run) as x;
    perform queues.cancel_task(i.task_id, _reason) from unnest(_ids) as i(task_id);
    perform internal.audit('end_process', _process_id::text, jsonb_build_object('reason', _reason));
    return _ids is not null;
end
$$;
comment on function queues.end_process(bigint, text) is 'Cancels the open runs of a process.';
