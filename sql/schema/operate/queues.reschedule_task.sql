-- queues.reschedule_task(_task_id, _at)
-- Gives a waiting task another time; false if it runs or is completed.
create or replace function queues.reschedule_task(_task_id bigint, _at timestamptz) returns boolean
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _row queues.ready;
begin
    if _at is null then
        raise exception using errcode = '22004', message = 'time must not be null';
    end if;
    if not isfinite(_at) then
        raise exception using errcode = '22008', message = 'time must be finite';
    end if;
    perform internal.require_task(_task_id);
    _row := internal.lock_ready(_task_id);
    if _row.task_id is null or _row.phase in ('w', 'b') then
        return false;
    end if;
    perform internal.move_in_time(_row, _at, 'reschedule');
    return true;
end
$$;
comment on function queues.reschedule_task(bigint, timestamptz) is 'Gives a waiting task another time.';
