-- queues.list_tasks(filter ..., _cursor, _limit)
-- A page of tasks, newest first (internal.list_answer).  The filters are those of queues.preview_bulk.  A pattern for errors would
-- tell what they say, so it is for operators.  It reads one snapshot and changes nothing, so it works on a standby.
create or replace function queues.list_tasks(_state text default null, _outcome text default null, _task_type text default null, _queue text default null,
        _since timestamptz default null, _until timestamptz default null, _error_like text default null, _cursor text default null, _limit integer default 50)
    returns jsonb
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _bounds constant record := internal.look_bounds(_limit);
    _began timestamptz;
    _is_ended constant boolean := _outcome is not null or coalesce(_state = 'completed', false);
    _before bigint;
    _open bigint[];
    _scan integer;
    _look record;
    _ids bigint[] := array[]::bigint[];
    _scanned bigint := 0;
begin
    perform internal.check_text('state', _state, 64), internal.check_text('outcome', _outcome, 64), internal.check_text('type', _task_type, 256),
            internal.check_text('queue', _queue, 256), internal.check_text('pattern', _error_like, 1024), internal.check_text('cursor', _cursor, 64);
    perform internal.check_word('state', _state, array['ready', 'scheduled', 'waiting', 'blocked', 'handler_pending', 'running', 'executing', 'completed']),
            internal.check_word('outcome', _outcome, array['succeeded', 'non_success', 'failed', 'cancelled', 'quarantined', 'in_doubt', 'superseded']);
    _before := internal.check_look(_since, _until, _limit, _cursor);
    if _error_like is not null and not internal.is_operator() then
        raise exception using errcode = '42501', message = 'a pattern for errors is for members of queues_operator';
    end if;
    if _outcome is not null and _state <> 'completed' then
        return internal.list_answer('[]', null, 0, null); -- open tasks have no outcome
    end if;
    if _state is not null and not _is_ended then
        _open := internal.open_tasks(_state, _queue, _task_type, 5000);
    end if;
    _scan := least(_limit + 1, 1000);
    _began := clock_timestamp();
    loop
        if _is_ended then
            _look := internal.look_at_ended(_outcome, _task_type, _queue, _since, _until, _error_like, _before, _scan);
        else
            _look := internal.look_at_tasks(_open, _state, _task_type, _queue, _since, _until, _error_like, _before, _scan);
        end if;
        _ids := _ids || _look.ids;
        _scanned := _scanned + _look.scanned;
        _before := coalesce(_look.oldest_id, _before);
        if cardinality(_ids) > _limit then
            _before := _ids[_limit];
            exit;
        elsif _look.scanned < _scan then
            _before := null;
            exit;
        end if;
        exit when _scanned >= _bounds.most or _scanned >= 1000 and clock_timestamp() - _began > _bounds.longest;
        _scan := least(4 * _scan, 1000);
    end loop;
    return internal.list_answer(internal.task_rows(_ids[1:_limit]), _before, _scanned,
        coalesce((select c.completed_at from queues.task_completed as c where c.task_id = _before), (select t.enqueued_at from queues.task as t where t.task_id = _before)));
end
$$;
comment on function queues.list_tasks(text, text, text, text, timestamptz, timestamptz, text, text, integer) is 'A page of tasks, newest first.';
