-- queues.pause_schedule(_name, _reason), queues.resume_schedule(_name)
-- A paused schedule fires nothing.  When it is resumed, the slots of the pause are decided about as its catch-up policy says.
create or replace function queues.pause_schedule(_name text, _reason text default null) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _schedule queues.schedule := internal.lock_schedule(_name, false);
begin
    perform internal.check_text('reason', _reason, 1024);
    update queues.schedule as s
    set paused_at = coalesce(s.paused_at, queues.clock()), paused_by = internal.actor(), pause_reason = coalesce(_reason, 'by hand')
    where s.schedule_id = _schedule.schedule_id;
    update queues.schedule_due as d set fire_at = 'infinity' where d.schedule_id = _schedule.schedule_id;
    perform internal.audit('pause_schedule', _name, jsonb_build_object('reason', _reason));
end
$$;
comment on function queues.pause_schedule(text, text) is 'Stops a schedule until it is resumed.';

create or replace function queues.resume_schedule(_name text) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _schedule queues.schedule := internal.lock_schedule(_name, false);
begin
    if _schedule.paused_at is null then
        return;
    end if;
    update queues.schedule as s set paused_at = null, paused_by = null, pause_reason = null where s.schedule_id = _schedule.schedule_id;
    update queues.schedule_due as d set failures = 0, refusals = 0, open_tasks = (internal.settle_open(d)).open_tasks
    where d.schedule_id = _schedule.schedule_id;
    perform internal.audit('resume_schedule', _name, jsonb_build_object('paused_at', _schedule.paused_at, 'reason', _schedule.pause_reason));
    perform internal.decide_alone(_schedule.schedule_id, queues.clock(), 'paused');
    perform internal.end_acting();
    perform pg_notify('worker_control', 'schedule');
end
$$;
comment on function queues.resume_schedule(text) is 'Lets a paused schedule go on.';
