-- internal.logged_line(_error, _payloads)
-- The first line of an error for a log: without the texts and numbers of these payloads, an array, because payloads never reach a log.
-- Names of functions and commands are no data, and stay.
create or replace function internal.logged_line(_error text, _payloads jsonb) returns text
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _text text := left(_error, 8192);
    _payload jsonb;
    _found jsonb;
    _values text[] := array[]::text[];
    _value text;
begin
    for _i in 0 .. jsonb_array_length(_payloads) - 1 loop
        _payload := _payloads->_i;
        continue when jsonb_typeof(_payload) <> 'object';
        _payload := _payload - array['db_function', 'command', 'before_handler', 'success_handler', 'error_handler'];
        continue when _payload = '{}';
        _found := jsonb_path_query_array(_payload, 'strict $.** ? (@.type() == "string" || @.type() == "number")');
        if jsonb_array_length(_found) > 20 then
            _found := (select jsonb_agg(v) from (select distinct x.value as v from jsonb_array_elements(_found) as x(value) limit 1000) as x);
        end if;
        for _j in 0 .. jsonb_array_length(_found) - 1 loop
            if length(_found->>_j) between 3 and 1024 then
                _values := _values || (_found->>_j);
            end if;
        end loop;
    end loop;
    -- The longest first: a shorter one may be a part of it.
    if cardinality(_values) > 1 then
        _values := array(select v from unnest(_values) as v group by v order by length(v) desc);
    end if;
    foreach _value in array _values loop
        _text := replace(_text, _value, '...');
    end loop;
    return left(split_part(_text, E'\n', 1), 200);
end
$$;
comment on function internal.logged_line(text, jsonb) is 'The first line of an error, without values of the payloads.';

-- internal.ended_as(_worker_id, _task_id, _lease_no)
-- The end that this lease of this worker recorded, for the log and the figures of the worker, which does not see payloads: outcome, name of
-- the command or function of database work, SQLSTATE and first line of its last error.  One row of nulls if this lease did not end the task.
-- A provider or program may repeat personal data in its own words, so the line of a call is left out unless the words are ours.
create or replace function internal.ended_as(_worker_id uuid, _task_id bigint, _lease_no integer,
        out outcome text, out name text, out sqlstate text, out error text)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    outcome := (internal.recorded_end(_worker_id, _task_id, _lease_no)).outcome;
    if outcome is null then
        return;
    end if;
    select left(case when y.kind in ('run', 'prepared') then t.payload->>coalesce(y.variant_key, 'db_function') end, 128), e.sqlstate,
           case when y.kind in ('run', 'prepared') or e.error_class in ('network', 'timeout', 'policy', 'in_doubt', 'cancelled')
                then internal.logged_line(e.error_message, jsonb_build_array(t.payload, p.payload)) end
    into name, sqlstate, error
    from queues.task as t
    join queues.registered_task_type as y on y.task_type = t.task_type
    -- After a merge, the run had another payload than the task.
    cross join lateral (select coalesce(
        (select f.payload from queues.task_folded as f where f.task_id = _task_id order by f.lease_no desc limit 1),
        (select l.payload from queues.task_lease as l where l.task_id = _task_id and l.lease_no = _lease_no)) as payload) as p
    left join lateral (select x.* from queues.error as x where x.task_id = _task_id order by x.error_id desc limit 1) as e on true
    where t.task_id = _task_id;
end
$$;
comment on function internal.ended_as(uuid, bigint, integer) is 'The end that a lease recorded, for the log and the figures of its worker.';
