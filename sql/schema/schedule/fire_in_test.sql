-- internal.next_fire_in_test(_only_mine), internal.fire_in_test(_only_mine)
-- The next decision about a schedule, and the decisions that are due, for runs in the caller's transaction.  _only_mine: only
-- schedules that this transaction made or changed.
create or replace function internal.next_fire_in_test(_only_mine boolean) returns timestamptz
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
begin
    return (select d.fire_at from queues.schedule_due as d where d.fire_at < 'infinity' and (not _only_mine or internal.is_ours(d.xmin))
            order by d.fire_at limit 1);
end
$$;
comment on function internal.next_fire_in_test(boolean) is 'Time of the next decision about a schedule, for a run in this transaction.';

create or replace function internal.fire_in_test(_only_mine boolean) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _now constant timestamptz := queues.clock();
    _id bigint;
begin
    for _id in
        select d.schedule_id from queues.schedule_due as d
        where d.fire_at <= _now and (not _only_mine or internal.is_ours(d.xmin))
        order by d.fire_at, d.schedule_id for update skip locked
    loop
        perform internal.decide_alone(_id, _now);
    end loop;
    perform internal.end_acting();
end
$$;
comment on function internal.fire_in_test(boolean) is 'Decides about the schedules that are due, for a run in this transaction.';
