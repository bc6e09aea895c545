-- internal.act_on_batch(_act, _limit)
-- Carries an act out for the next ids, at most _limit of them, and says how many; is_finished: none is left.  The caller has locked the act.
create or replace function internal.act_on_batch(_act queues.bulk_act, _limit integer,
        out done integer, out skipped integer, out refused integer, out is_finished boolean)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _last bigint;
    _ids bigint[];
begin
    -- In the order of the ids: what is retried keeps its order, and a parent is cancelled before its children could end it.  Acts that take locks have
    -- small batches.
    select coalesce(max(d.target_id), 0) into _last from queues.bulk_done as d where d.act_id = _act.act_id;
    _ids := array(select t.target_id from queues.bulk_target as t where t.act_id = _act.act_id and t.target_id > _last
                  order by t.target_id limit case when _act.kind = 'task_retry' then _limit else least(_limit, 100) end);
    if _act.kind = 'task_retry' and cardinality(_ids) > 0 then
        begin
            perform internal.retry_batch(_act.act_id, _ids);
        exception when others then
            -- One of them cannot be repeated in a way that was not foreseen: each is tried alone.
            if internal.is_passing(sqlstate) then
                raise;
            end if;
            perform internal.act_one_by_one(_act, _ids);
        end;
    else
        perform internal.act_one_by_one(_act, _ids);
    end if;
    select count(*) filter (where d.result = 'done'), count(*) filter (where d.result = 'skipped'), count(*) filter (where d.result = 'refused')
    into done, skipped, refused from queues.bulk_done as d where d.act_id = _act.act_id and d.target_id = any(_ids);
    _last := coalesce(_ids[cardinality(_ids)], _last);
    is_finished := not exists (select 1 from queues.bulk_target as t where t.act_id = _act.act_id and t.target_id > _last);
end
$$;
comment on function internal.act_on_batch(queues.bulk_act, integer) is 'Carries an act out for the next of its ids.';
