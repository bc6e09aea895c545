-- queues.adopt_database(_cancel_open)
-- Lets a copied or restored database work.  If asked, it cancels every open channel task first, so that no old call is made
-- again.
create or replace function queues.adopt_database(_cancel_open boolean default false) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    if _cancel_open then
        perform queues.cancel_task(t.task_id, 'database adopted')
        from queues.task as t
        join queues.registered_task_type as y on y.task_type = t.task_type
        where y.kind = 'call'
          and not exists (select 1 from queues.task_completed as c where c.task_id = t.task_id);
    end if;
    -- The newest row counts, even if the clock was set back since the last one or belongs to another server.
    insert into internal.installation (system_identifier, database_oid, database_name, adopted_at)
    select internal.system_identifier(), d.oid, d.datname,
           greatest(clock_timestamp(), (select max(i.adopted_at) from internal.installation as i) + interval '1 microsecond')
    from pg_database as d where d.datname = current_database();
    perform internal.audit('adopt_database', current_database(), jsonb_build_object('cancel_open', _cancel_open));
end
$$;
comment on function queues.adopt_database(boolean) is 'Lets a copied database work.';
