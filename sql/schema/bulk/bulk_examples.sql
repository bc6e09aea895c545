-- internal.bulk_examples(_act_id, _limit)
-- Some things of an act, newest first, as people know them.  Texts of errors, and URLs with a path, are for operators.
create or replace function internal.bulk_examples(_act_id bigint, _limit integer) returns jsonb
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _kind constant text := (select a.kind from queues.bulk_act as a where a.act_id = _act_id);
begin
    return (select coalesce(jsonb_agg(jsonb_strip_nulls(case
            when _kind like 'task%' then (select jsonb_build_object('task_id', t.task_id, 'type', t.task_type, 'queue', t.queue, 'outcome', c.outcome,
                    'enqueued_at', t.enqueued_at, 'completed_at', c.completed_at, 'error', left((select e.words from internal.last_error_words(t.task_id) as e), 200))
                from queues.task as t left join queues.task_completed as c on c.task_id = t.task_id where t.task_id = x.target_id)
            when _kind like 'process%' then (select jsonb_build_object('process_id', p.process_id, 'supervisor', p.supervisor, 'ids', p.ids, 'ended_at', p.ended_at,
                    'end_reason', p.end_reason, 'message', case when internal.is_operator() then left(p.end_message, 200) end)
                from queues.process_state as p where p.process_id = x.target_id)
            else (select jsonb_build_object('job_id', j.job_id, 'type', j.job_type, 'url', internal.shown_url(j.url), 'created_at', j.created_at,
                    'status', (select e.job_status from pgqueue.job_ended as e where e.job_id = j.job_id order by e.end_no desc limit 1))
                from pgqueue.job as j where j.job_id = x.target_id) end) order by x.target_id desc), '[]')
            from (select b.target_id from queues.bulk_target as b where b.act_id = _act_id order by b.target_id desc limit _limit) as x);
end
$$;
comment on function internal.bulk_examples(bigint, integer) is 'Some things of an act, newest first.';
