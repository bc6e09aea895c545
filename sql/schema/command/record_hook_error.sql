-- internal.record_hook_error(_worker_id, _task_id, _lease_no, _error, _sqlstate, _source)
-- Records an error around a run that does not change its end.  Fenced.
create or replace function internal.record_hook_error(_worker_id uuid, _task_id bigint, _lease_no integer, _error text,
        _sqlstate text, _source text default 'after_procedure') returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    if (internal.lock_running(_worker_id, _task_id, _lease_no)).task_id is not null then
        perform internal.record_error(_task_id, _lease_no, _error, _sqlstate, _source, 'handler');
    end if;
end
$$;
comment on function internal.record_hook_error(uuid, bigint, integer, text, text, text) is 'Records an error of a hook.';
