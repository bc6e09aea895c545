-- internal.scan_bulk(_act, _scan)
-- Looks once more for the things of an act, from where the last look ended, and freezes what it finds.  The caller holds the row of
-- the act, or has just made it.  _scan: the most things to look at; an act of open tasks freezes at most a million at a time.
create or replace function internal.scan_bulk(_act queues.bulk_act, _scan integer) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _most constant integer := 1000000;
    _last queues.bulk_scan;
    _before bigint;
    _look record;
begin
    if _scan is null or _scan < 1 or _scan > _most then
        raise exception using errcode = '22023', message = format('scan %s is not between 1 and %s', coalesce(_scan::text, 'null'), _most);
    end if;
    select s.* into _last from queues.bulk_scan as s where s.act_id = _act.act_id order by s.scan_no desc limit 1;
    _before := coalesce(_last.oldest_id, 9223372036854775807);
    if _act.kind = 'task_retry' then
        _look := internal.scan_ended_tasks(_act, _before, _scan);
    elsif _act.kind = 'task_cancel' then
        _look := internal.scan_open_tasks(_act, _before, _most);
    elsif _act.kind = 'process_revive' then
        _look := internal.scan_processes(_act, _before, _scan);
    else
        _look := internal.scan_jobs(_act, _before, _scan);
    end if;
    insert into queues.bulk_target (act_id, target_id) select _act.act_id, i from unnest(_look.ids) as i order by i;
    insert into queues.bulk_scan (act_id, scan_no, scanned_at, scanned, found, oldest_id, oldest_at, is_end)
    values (_act.act_id, coalesce(_last.scan_no, 0) + 1, clock_timestamp(), _look.scanned, coalesce(cardinality(_look.ids), 0),
            coalesce(_look.oldest_id, _last.oldest_id), coalesce(_look.oldest_at, _last.oldest_at),
            case when _act.kind = 'task_cancel' then _look.oldest_id is null else _look.scanned < _scan end);
end
$$;
comment on function internal.scan_bulk(queues.bulk_act, integer) is 'Looks for the things of an act, and freezes them.';
