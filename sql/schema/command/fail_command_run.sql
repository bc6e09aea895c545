-- internal.fail_command_run(_worker_id, _task_id, _lease_no)
-- Hook `fail` of commands: a run has failed outside the transaction of its handler, and the error is recorded already.
create or replace function internal.fail_command_run(_worker_id uuid, _task_id bigint, _lease_no integer) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
begin
    perform internal.fail_command(_worker_id, _task_id, _lease_no, null, null, 'function', null, false);
end
$$;
comment on function internal.fail_command_run(uuid, bigint, integer) is 'Ends a command whose run has failed.';
