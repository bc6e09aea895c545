-- internal.record_late_success(_attempt_id)
-- Records that a success handler was called for an attempt that has failed already.  The handlers of our modules call it inside
-- their task.
create or replace function internal.record_late_success(_attempt_id bigint) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
begin
    perform internal.record_error(r.task_id, r.lease_no,
        format('attempt %s succeeded, but is recorded as failed; the success is not counted', _attempt_id), null,
        'success_handler')
    from internal.current_run() as r;
end
$$;
comment on function internal.record_late_success(bigint) is 'Records a success that came after a failure of the same attempt.';
