-- internal.run_job(_worker_id, _task_id, _lease_no)
-- Runs a leased FUNC job in a subtransaction, and returns its end; internal.end_runs records it.
create or replace function internal.run_job(_worker_id uuid, _task_id bigint, _lease_no integer) returns internal.run_end
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _end internal.run_end;
begin
    _end.task_id := _task_id;
    _end.lease_no := _lease_no;
    perform set_config('reeve.task_id', _task_id::text, true);
    begin
        _end.result := jsonb_build_object('body', left(coalesce(internal.run_leased(_worker_id, _task_id, _lease_no, 'job') #>> '{}', ''), 65536));
        _end.outcome := 'succeeded';
        _end.status := 'completed';
    exception when assert_failure or others then
        get stacked diagnostics _end.error = message_text, _end.error_sqlstate = returned_sqlstate;
        _end.outcome := case when internal.is_passing(_end.error_sqlstate) then 'transient' else 'failed' end;
        _end.status := 'failed';
    end;
    return _end;
end
$$;
comment on function internal.run_job(uuid, bigint, integer) is 'Runs a leased FUNC job in a subtransaction.';
