-- queues.advise()
-- Advice for operators about settings and set-up, not about data.
create or replace function queues.advise() returns table (area text, problem text, hint text)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    return query
    -- Functions are found in the catalog: the owner need not have USAGE on the schemas of the application.
    with registered as (
        select f.function_name, f.signature, p.oid::regprocedure as oid, p.prosecdef, p.proconfig
        from internal.allowed_function as f
        left join (pg_proc as p join pg_namespace as n on n.oid = p.pronamespace)
            on format('%s.%s(%s)', n.nspname, p.proname, oidvectortypes(p.proargtypes)) = f.signature
        where f.enabled
    )
    select 'schema', 'a migration has begun and not ended', 'Run: reeve migrate'
    where exists (select 1 from internal.config as c where c.key = 'migrating')
    union all
    select 'workers', format('task type %s has waiting tasks that no live worker serves', t.task_type),
           case t.adapter when 'email' then 'Set RESEND_API_KEY, SMTP_URL or REEVE_EMAIL_PROVIDER=log, and start reeve work.'
                          when 'sms' then 'Set TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM_NUMBER, or REEVE_SMS_PROVIDER=log,'
                                          ' and start reeve work.'
                          when 'file_delete' then 'Set FILE_SERVICE_URL and FILE_SERVICE_API_KEY, and start reeve work.'
                          else 'Start reeve work for its queue and type.' end
    from queues.registered_task_type as t
    where not internal.is_served(t.task_type, null) and t.type_id in (select r.type_id from queues.ready as r)
    union all
    select 'functions', format('registered function %s does not exist any more', f.signature),
           format('select internal.revoke_function(%L);', f.function_name)
    from registered as f where f.oid is null
    union all
    select 'functions', format('registered function %s cannot be executed by %s', f.signature, internal.runner_role()),
           format('grant execute on function %s to %I;', f.oid, internal.runner_role())
    from registered as f where not has_function_privilege(internal.runner_role(), f.oid, 'execute')
    union all
    select 'security', format('registered function %s is security definer without a search_path', f.signature),
           format('alter function %s set search_path = pg_catalog, pg_temp;', f.oid)
    from registered as f where f.prosecdef and coalesce(f.proconfig::text not like '%search_path=%', true)
    union all
    select 'security', format('registered function %s can be executed by everybody', f.signature),
           format('revoke execute on function %s from public;', f.oid)
    from registered as f where has_function_privilege('public', f.oid, 'execute')
    union all
    select 'security', 'everybody may create objects in schema public', 'revoke create on schema public from public;'
    where exists (select 1 from pg_namespace as n, aclexplode(n.nspacl) as a
                  where n.nspname = 'public' and a.grantee = 0 and a.privilege_type = 'CREATE')
    union all
    select 'secrets', format('secret "%s" is not sealed', s.name),
           'Give a worker REEVE_VAULT_KEY (openssl rand -hex 32), or set it again with reeve secret set.'
    from internal.unsealed_names() as s
    union all
    select 'secrets', format('trigger %s on %s has a secret in its arguments, which everybody can read', t.tgname, t.tgrelid::regclass),
           'Use _signing_vault, or pgqueue.create_webhook.'
    from pg_trigger as t
    where t.tgfoid = to_regproc('pgqueue.trigger_webhook') and internal.has_secret_argument(t.tgargs, t.tgnargs)
    union all
    select 'snapshot', format('session %s of %s has held a snapshot for %s', a.pid, a.usename,
                              date_trunc('second', clock_timestamp() - a.xact_start)),
           'Dead rows cannot be removed while it lasts; end the transaction if it is not needed.'
    from pg_stat_activity as a
    where a.backend_xmin is not null and a.xact_start < clock_timestamp() - interval '10 minutes'
      and a.datname = current_database()
    union all
    -- Leases restart by themselves; a time that a person chose is kept.
    select 'clock', format('the server''s clock was set back, and %s task(s) that were due at once wait until it has caught up', count(*)),
           format('select queues.reschedule_task(%s, now()); and so on, if they are not to wait.', min(t.task_id))
    -- Among the first ten thousand that wait for a time.
    from (select x.task_id, x.available_at from queues.ready as x where x.available_at > now() + interval '1 minute' limit 10000) as r
    cross join lateral (select y.task_id from queues.task as y
                        where y.task_id = r.task_id and y.scheduled_at = r.available_at and y.scheduled_at <= y.enqueued_at offset 0) as t
    having count(*) > 0
    union all
    select 'durability', format('%s is %s', s.name, s.setting), 'Acknowledged work may be lost in a crash; set it to on.'
    from pg_settings as s
    where (s.name = 'synchronous_commit' and s.setting = 'off') or (s.name in ('fsync', 'full_page_writes') and s.setting = 'off')
    union all
    select 'processes', format('process %s (%s) ended as %s: %s', e.process_id, p.supervisor, e.reason, coalesce(e.message, '')),
           format('select queues.revive_process(%s);', e.process_id)
    from queues.process_ended as e join queues.process as p on p.process_id = e.process_id
    where e.reason in ('supervisor_failed', 'run_limit') and not internal.is_live(e.process_id)
      and e.run_no = (select max(r.run_no) from queues.process_run as r where r.process_id = e.process_id)
      and e.ended_at > clock_timestamp() - interval '7 days'
    union all
    select 'schedules', format('schedule %s is paused: %s', s.schedule_name, s.pause_reason), format('select queues.resume_schedule(%L);', s.schedule_name)
    from queues.schedule as s where s.pause_reason like '% failures in a row'
    union all
    select 'schedules', format('schedule %s is refused: %s', s.schedule_name, coalesce(d.skip_detail, 'its definition cannot be read')),
           'Mend the cause; the schedule is looked at again within an hour, or at once if it is scheduled again.'
    from queues.schedule as s join queues.schedule_due as d on d.schedule_id = s.schedule_id where d.refusals > 1
    union all
    select 'schedules', format('%s schedule(s) are overdue, schedule %s by %s', count(*), min(s.schedule_name), date_trunc('second', max(clock_timestamp() - d.fire_at))),
           'Start a worker: every worker fires schedules.'
    from queues.schedule as s join queues.schedule_due as d on d.schedule_id = s.schedule_id
    where d.fire_at < clock_timestamp() - interval '5 minutes'
    having count(*) > 0;
end
$$;
comment on function queues.advise() is 'Problems of settings and set-up, with a remedy for each.';
