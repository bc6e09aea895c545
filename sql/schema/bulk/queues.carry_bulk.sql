-- queues.carry_bulk(_payload)
-- The function of the task that carries an act out in the background: it does batches for a fifth of a second and enqueues its
-- successor, in the transaction that ends its task.  So a worker that dies takes back this part and nothing else.  Only the run of the
-- task that internal.bulk_carrier names does something.
create or replace function queues.carry_bulk(_payload jsonb) returns jsonb
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _act_id constant bigint := case when _payload->>'act_id' ~ '^[0-9]{1,18}$' then (_payload->>'act_id')::bigint end;
    _run constant record := internal.current_run();
    _began constant timestamptz := clock_timestamp();
    _act queues.bulk_act;
    _carrier internal.bulk_carrier;
    _batch record;
    _sum integer[] := array[0, 0, 0];
    _next bigint;
begin
    perform internal.require_own_run(_payload);
    begin
        _act := internal.lock_bulk(_act_id);
    exception when object_not_in_prerequisite_state or no_data_found then
        return jsonb_build_object('status', 'succeeded', 'payload', jsonb_build_object('note', sqlerrm));
    end;
    select c.* into _carrier from internal.bulk_carrier as c where c.act_id = _act_id;
    if _run.task_id is null or _carrier.task_id is distinct from _run.task_id then
        return jsonb_build_object('status', 'succeeded', 'payload', jsonb_build_object('note', format('act %s is not carried out by this task', _act_id)));
    end if;
    if not exists (select 1 from pg_roles as r where r.rolname = _carrier.role and pg_has_role(r.oid, 'queues_operator', 'member')) then
        raise exception using errcode = '42501', message = format('role "%s", who started act %s, is no operator any more', _carrier.role, _act_id),
            hint = format('select queues.start_bulk(%s);', _act_id);
    end if;
    perform internal.act_as(_carrier.role, _carrier.actor);
    loop
        _batch := internal.act_on_batch(_act, 1000);
        _sum := array[_sum[1] + _batch.done, _sum[2] + _batch.skipped, _sum[3] + _batch.refused];
        exit when _batch.is_finished or clock_timestamp() - _began > interval '200 milliseconds';
    end loop;
    if not _batch.is_finished then
        _next := internal.add_carrier(_act_id, _carrier.role, _carrier.actor);
    end if;
    perform internal.end_acting();
    return jsonb_build_object('status', 'succeeded',
        'payload', jsonb_build_object('done', _sum[1], 'skipped', _sum[2], 'refused', _sum[3], 'next_task_id', _next));
end
$$;
comment on function queues.carry_bulk(jsonb) is 'Carries a part of an act out, as a task.';
