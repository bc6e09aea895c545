-- {{full}}: the handler of the command {{name}}.
-- While a command {{name}} waits, further ones are merged into it.
{{if retries}}
-- Up to {{attempts}} attempts: after a failure it waits about {{first_delay}}, then twice as long each time.
{{end}}
--
--   {{schema}}.enqueue_{{name}}  enqueues the command; applications call it
--   {{schema}}.{{name}}          the handler: write your work here
--
-- "reeve new command" wrote this file, and it is yours: nothing depends on the generator.  Apply it with
--   psql -q -1 -v ON_ERROR_STOP=1 -f {{stem}}.sql
{{if owner}}
-- as a member of {{owner}} and queues_admin.  It may be applied again.
{{else}}
-- as a superuser or a member of queues_admin.  It may be applied again.
{{end}}

do $$
begin
    if to_regnamespace('queues') is null then
        raise exception using message = 'Reeve is not installed in this database', hint = 'Run "reeve install" first.';
    end if;
    if to_regnamespace('{{schema}}') is null then
{{if owner}}
        create schema {{schema}} authorization {{owner}};
{{else}}
        create schema {{schema}};
{{end}}
    end if;
end
$$;
{{if owner}}
set role {{owner}};
{{end}}

-- The effects of the handler and the completion of its task commit together, so they happen exactly once.  If it raises an
-- exception, its effects are undone and the task has failed.
create or replace procedure {{schema}}.{{name}}(payload jsonb)
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
    -- CHANGE: your work.  payload->'ids' has the ids of all enqueues that were merged, without duplicates.
    null;
end
$$;
comment on procedure {{schema}}.{{name}}(jsonb) is 'Handler of the command {{name}}.';

-- Returns the id of the task.  Call it in the transaction of your own change: the task exists if and only if that commits.
create or replace function {{schema}}.enqueue_{{name}}(_ids bigint[], _scheduled_at timestamptz default null) returns bigint
    language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
{{if retries}}
    return worker.enqueue('{{name}}', jsonb_build_object('ids', coalesce(_ids, '{}')), coalesce(_scheduled_at, queues.clock()),
        p_max_attempts => {{attempts}}, p_backoff => '{"base": "{{first_delay}}"}');
{{else}}
    return worker.enqueue('{{name}}', jsonb_build_object('ids', coalesce(_ids, '{}')), coalesce(_scheduled_at, queues.clock()));
{{end}}
end
$$;
comment on function {{schema}}.enqueue_{{name}}(bigint[], timestamptz) is 'Enqueues the command {{name}}.';

-- Rights: nothing for PUBLIC.  Applications enqueue.
revoke all on procedure {{schema}}.{{name}}(jsonb) from public;
revoke all on function {{schema}}.enqueue_{{name}}(bigint[], timestamptz) from public;
grant usage on schema {{schema}} to queues_enqueuer;
grant execute on function {{schema}}.enqueue_{{name}}(bigint[], timestamptz) to queues_enqueuer;
{{if owner}}
reset role;
{{end}}

-- Registration, which also grants EXECUTE to the role of the worker.
do $$
begin
    if exists (select 1 from worker.command_registry as c where c.command = '{{name}}' and c.handler_procedure <> '{{full}}') then
        raise exception using errcode = '42710', message = 'there is another command {{name}}',
            detail = (select format('Its handler is %s.', c.handler_procedure) from worker.command_registry as c where c.command = '{{name}}'),
            hint = 'Give one of them another name.';
    end if;
{{if queue}}
    if not exists (select 1 from worker.queue_registry as q where q.queue = '{{queue}}') then
        perform queues.create_queue('{{queue}}', _description => 'command {{name}}');
    end if;
{{end}}
    perform worker.register_command('{{name}}', '{{full}}', '{{queue}}',
        p_dedup_keys => '{}',                            -- one task waits at a time; null: never merge; {kind}: one for each kind
        p_merge_rules => '{"ids": "union"}',             -- what becomes of the payloads of merged commands
        p_timeout => '10 minutes');
end
$$;
