-- internal.retry_batch(_act_id, _target_ids)
-- Repeats the tasks of one batch, with one statement for those that are alike, and records the result of each.  Retries of two acts
-- wait for each other, so a task that is in both is repeated by the first.
create or replace function internal.retry_batch(_act_id bigint, _target_ids bigint[]) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
begin
    perform pg_advisory_xact_lock(20549, 1);
    -- failpoint: bulk.before_retry
    insert into queues.bulk_done (act_id, target_id, done_at, result, new_task_id, message)
    select _act_id, r.task_id, clock_timestamp(), case when r.code is null then 'done' when r.code in ('55000', 'P0002') then 'skipped' else 'refused' end,
           r.new_task_id, left(r.message, 1000)
    from internal.repeat_tasks(_target_ids, queues.clock(), null, true) as r;
end
$$;
comment on function internal.retry_batch(bigint, bigint[]) is 'Repeats the tasks of one batch of an act.';
