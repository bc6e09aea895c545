-- queues.worker_settings()
-- Settings for a worker program: types with the channel of each (null: database work), queues and settings.  The program reads
-- them again after the notification worker_queue_change.
create or replace function queues.worker_settings() returns jsonb
    language sql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
    select jsonb_build_object(
        'schema_version', queues.schema_version(),
        'installation_id', (select i.installation_id from internal.installation as i order by i.adopted_at desc limit 1),
        'types', (select jsonb_object_agg(t.task_type, case when t.kind = 'call' then t.adapter end) from queues.registered_task_type as t),
        'queues', (select jsonb_object_agg(q.queue, jsonb_build_object('max_running', q.max_running, 'top_level_limit', q.top_level_limit,
                       'paused', coalesce(q.paused_until > clock_timestamp(), false))) from queues.queue as q),
        'notify', internal.text_setting('notify'))
$$;
comment on function queues.worker_settings() is 'Types, queues and settings for a worker program.';
