-- worker.pause(p_seconds), worker.pause(p_for), worker.pause(), worker.resume()
-- Stops and resumes claims from all queues.  A pause is stored, so it survives a restart.  With a time it ends by itself; without
-- one it lasts until worker.resume.  Running tasks finish.  A queue with a pause without end keeps it.
create or replace function worker.pause(p_for interval) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    if p_for is null or p_for < interval '0' then
        raise exception using errcode = '22023', message = 'length of a pause must not be null or negative';
    end if;
    update queues.queue as q set paused_until = queues.clock() + p_for
    where q.paused_until is null or isfinite(q.paused_until);
    perform internal.audit('pause', 'all queues', jsonb_build_object('for', p_for));
    perform pg_notify('worker_control', 'pause:' || ceil(extract(epoch from p_for))::bigint);
end
$$;
comment on function worker.pause(interval) is 'Stops claims from all queues for a while.';

create or replace function worker.pause(p_seconds bigint) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    if p_seconds is null or p_seconds < 0 or p_seconds > 3153600000 then
        raise exception using errcode = '22023', message = 'length of a pause must be between 0 s and 100 years';
    end if;
    perform worker.pause(make_interval(secs => p_seconds));
end
$$;
comment on function worker.pause(bigint) is 'Stops claims from all queues for this number of seconds.';

create or replace function worker.pause() returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    update queues.queue as q set paused_until = 'infinity';
    perform internal.audit('pause', 'all queues');
    perform pg_notify('worker_control', 'pause');
end
$$;
comment on function worker.pause() is 'Stops claims from all queues until they are resumed.';

create or replace function worker.resume() returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    update queues.queue as q set paused_until = null where q.paused_until is not null;
    perform internal.audit('resume', 'all queues');
    perform pg_notify('worker_control', 'resume');
end
$$;
comment on function worker.resume() is 'Lets all queues be claimed again.';
