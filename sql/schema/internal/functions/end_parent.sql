-- internal.end_parent(_task_id, _error, _sqlstate)
-- The after hook of a parent has run: its error, if any, becomes a fact, and the parent is
-- completed.  Returns the parent's own parent; null: none, or one more child came.
create or replace function internal.end_parent(_task_id bigint, _error text, _sqlstate text) returns bigint
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    if _error is not null and exists (select 1 from worker.handler_done as h where h.task_id = _task_id) then
        perform internal.note_error(_task_id, (select h.lease_no from worker.handler_done as h where h.task_id = _task_id),
                                    _error, _sqlstate, 'after_procedure', 'handler');
    end if;
    return internal.complete_parent(_task_id);
end
$$;
comment on function internal.end_parent(bigint, text, text) is 'Completes a parent whose after hook has run.';
