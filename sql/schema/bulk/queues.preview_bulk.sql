-- queues.preview_bulk(_kind, filter ..., _all, _reason, _ids, _scan), queues.extend_bulk(_act_id, _scan)
-- preview_bulk prepares an act on many things: it looks for what the filter fits, freezes the ids, and shows their number and some
-- examples.  Nothing is done to them before queues.run_bulk.  It looks at the newest _scan things of history; extend_bulk looks
-- further back.  With _ids nothing is searched.
create or replace function queues.preview_bulk(_kind text, _outcome text default null, _type text default null, _queue text default null,
        _state text default null, _since timestamptz default null, _until timestamptz default null, _error_like text default null,
        _url text default null, _all boolean default false, _reason text default null, _ids bigint[] default null, _scan integer default 200000)
    returns table (act_id bigint, counted bigint, scanned bigint, oldest_id bigint, oldest_at timestamptz, cursor bigint, examples jsonb)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _act queues.bulk_act;
begin
    _act := row(0, _kind, _outcome, _type, _queue, _state, _since, _until, _error_like, _url, coalesce(_all, false), _ids is not null, _reason,
                queues.clock(), internal.actor())::queues.bulk_act;
    perform internal.check_bulk(_act);
    if _act.queue is not null then
        perform internal.require_queue(_act.queue);
    end if;
    if cardinality(_ids) > 100000 then
        raise exception using errcode = '54000', message = format('%s ids are over the limit of 100000', cardinality(_ids)), hint = 'Use a filter.';
    end if;
    if _act.by_ids and num_nonnulls(_outcome, _type, _queue, _state, _since, _until, _error_like, _url) > 0 then
        raise exception using errcode = '22023', message = 'ids and a filter exclude each other';
    end if;
    insert into queues.bulk_act as b (kind, outcome, type, queue, state, since, until, error_like, url, is_all, by_ids, reason, made_at, made_by)
    values (_act.kind, _act.outcome, _act.type, _act.queue, _act.state, _act.since, _act.until, _act.error_like, _act.url, _act.is_all, _act.by_ids,
            _act.reason, _act.made_at, _act.made_by)
    returning b.act_id into _act.act_id;
    if _act.by_ids then
        insert into queues.bulk_target (act_id, target_id) select distinct _act.act_id, i from unnest(_ids) as i where i is not null;
        insert into queues.bulk_scan (act_id, scan_no, scanned_at, scanned, found, is_end)
        select _act.act_id, 1, clock_timestamp(), count(*), count(*), true from queues.bulk_target as t where t.act_id = _act.act_id;
    else
        perform internal.scan_bulk(_act, _scan);
    end if;
    return query select * from internal.bulk_preview(_act.act_id);
end
$$;
comment on function queues.preview_bulk(text, text, text, text, text, timestamptz, timestamptz, text, text, boolean, text, bigint[], integer) is
    'Prepares an act on many things, and counts them.';

create or replace function queues.extend_bulk(_act_id bigint, _scan integer default 200000)
    returns table (act_id bigint, counted bigint, scanned bigint, oldest_id bigint, oldest_at timestamptz, cursor bigint, examples jsonb)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _act constant queues.bulk_act := internal.lock_bulk(_act_id);
begin
    if exists (select 1 from queues.bulk_started as s where s.act_id = _act_id) then
        raise exception using errcode = '55000', message = format('act %s has begun', _act_id), hint = 'Make another act for what is left.';
    end if;
    if not exists (select 1 from queues.bulk_scan as s where s.act_id = _act_id and s.is_end) then
        perform internal.scan_bulk(_act, _scan);
    end if;
    return query select * from internal.bulk_preview(_act_id);
end
$$;
comment on function queues.extend_bulk(bigint, integer) is 'Looks further back for the things of an act.';
