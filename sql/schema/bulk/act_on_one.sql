-- internal.act_on_one(_act, _target_id)
-- Carries an act out for one of its ids, by the function that acts on one thing.  skipped: the thing has moved on since the preview.  A passing error
-- (deadlock, lock timeout) ends the batch; it is repeated.
create or replace function internal.act_on_one(_act queues.bulk_act, _target_id bigint, out result text, out new_task_id bigint, out message text)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _answer text;
    _code text;
begin
    result := 'done';
    if _act.kind = 'task_retry' then
        select r.new_task_id, r.code, r.message into new_task_id, _code, message from internal.repeat_tasks(array[_target_id], queues.clock(), null, true) as r;
    elsif _act.kind = 'task_cancel' then
        _answer := internal.cancel_work(_target_id, _act.reason, false);
    elsif _act.kind = 'process_revive' then
        new_task_id := queues.revive_process(_target_id, queues.clock());
    elsif _act.kind = 'job_retry' then
        if not exists (select 1 from pgqueue.job_ended as e where e.job_id = _target_id
                       and e.job_run >= (select max(r.job_run) from pgqueue.job_run as r where r.job_id = _target_id)) then
            _code := '55000';
            message := format('job %s is open', _target_id);
        else
            new_task_id := internal.restart_job(_target_id, queues.clock(), false);
        end if;
    else
        _answer := internal.cancel_job(_target_id, false);
    end if;
    if _answer = 'completed' then
        result := 'skipped';
        message := 'it had ended';
        if exists (select 1 from queues.task as t join queues.bulk_done as d on d.act_id = _act.act_id and d.target_id = t.parent_id and d.result = 'done'
                   join queues.task_completed as c on c.task_id = t.task_id and c.outcome = 'cancelled'
                   where t.task_id = _target_id and _act.kind = 'task_cancel') then
            result := 'done';
            message := 'cancelled with its parent';
        end if;
    elsif _answer is not null then
        message := _answer;
    elsif _code is not null then
        result := case when _code in ('55000', 'P0002') then 'skipped' else 'refused' end;
    end if;
exception when others then
    if internal.is_passing(sqlstate) then
        raise;
    end if;
    result := case when sqlstate in ('55000', 'P0002') then 'skipped' else 'refused' end;
    new_task_id := null;
    message := left(sqlerrm, 1000);
end
$$;
comment on function internal.act_on_one(queues.bulk_act, bigint) is 'Carries an act out for one of its ids.';
