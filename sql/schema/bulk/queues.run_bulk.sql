-- queues.run_bulk(_act_id, _limit)
-- Carries an act out for the next ids, at most _limit of them, and says how many; is_finished: none is left.  Anybody who may act calls it again until
-- then, in a transaction of its own each time.  A session that dies takes back its last call and nothing else.  The first call of each
-- login is an entry in the audit.
create or replace function queues.run_bulk(_act_id bigint, _limit integer default 1000,
        out done integer, out skipped integer, out refused integer, out is_finished boolean)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _act constant queues.bulk_act := internal.lock_bulk(_act_id);
    _last bigint;
    _ids bigint[];
begin
    if _limit is null or _limit < 1 or _limit > 10000 then
        raise exception using errcode = '22023', message = format('limit %s is not between 1 and 10000', coalesce(_limit::text, 'null'));
    end if;
    insert into queues.bulk_started (act_id, started_by, started_at) values (_act_id, session_user, clock_timestamp()) on conflict (act_id, started_by) do nothing;
    if found then
        perform internal.audit('bulk_' || _act.kind, _act_id::text, jsonb_strip_nulls(to_jsonb(_act) - array['act_id', 'kind', 'made_at'])
            || jsonb_build_object('counted', (select sum(s.found) from queues.bulk_scan as s where s.act_id = _act_id)));
    end if;
    -- In the order of the ids: what is retried keeps its order, and a parent is cancelled before its children could end it.  Acts that take locks have
    -- small batches.
    select coalesce(max(d.target_id), 0) into _last from queues.bulk_done as d where d.act_id = _act_id;
    _ids := array(select t.target_id from queues.bulk_target as t where t.act_id = _act_id and t.target_id > _last
                  order by t.target_id limit case when _act.kind = 'task_retry' then _limit else least(_limit, 100) end);
    if _act.kind = 'task_retry' and cardinality(_ids) > 0 then
        begin
            perform internal.retry_batch(_act_id, _ids);
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
    into done, skipped, refused from queues.bulk_done as d where d.act_id = _act_id and d.target_id = any(_ids);
    _last := coalesce(_ids[cardinality(_ids)], _last);
    is_finished := not exists (select 1 from queues.bulk_target as t where t.act_id = _act_id and t.target_id > _last);
end
$$;
comment on function queues.run_bulk(bigint, integer) is 'Carries an act out for the next of its ids.';
