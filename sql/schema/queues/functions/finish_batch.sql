-- queues.finish_batch(_worker_id, _task_ids, _lease_nos, _outcomes, _results, _errors, _error_classes)
-- Several results in one transaction, each in its own subtransaction: an error in one
-- leaves the others alone.
create or replace function queues.finish_batch(_worker_id uuid, _task_ids bigint[], _lease_nos integer[], _outcomes text[],
        _results jsonb[] default null, _errors text[] default null, _error_classes text[] default null)
    returns table (task_id bigint, result text, error text, sqlstate text)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _answer text;
    _message text;
    _state text;
begin
    perform internal.check_pairs(_task_ids, _lease_nos);
    if cardinality(_outcomes) is distinct from cardinality(_task_ids)
       or cardinality(coalesce(_results, array_fill(null::jsonb, array[cardinality(_task_ids)]))) <> cardinality(_task_ids)
       or cardinality(coalesce(_errors, array_fill(null::text, array[cardinality(_task_ids)]))) <> cardinality(_task_ids)
       or cardinality(coalesce(_error_classes, array_fill(null::text, array[cardinality(_task_ids)]))) <> cardinality(_task_ids) then
        raise exception using errcode = '22023', message = 'arrays are of different length';
    end if;
    for _i in 1 .. cardinality(_task_ids) loop
        begin
            _answer := queues.finish(_worker_id, _task_ids[_i], _lease_nos[_i], _outcomes[_i], _results[_i],
                                     _errors[_i], _error_classes[_i]);
            return query select _task_ids[_i], _answer, null::text, null::text;
        exception when assert_failure or others then
            get stacked diagnostics _message = message_text, _state = returned_sqlstate;
            return query select _task_ids[_i], null::text, _message, _state;
        end;
    end loop;
end
$$;
comment on function queues.finish_batch(uuid, bigint[], integer[], text[], jsonb[], text[], text[]) is
    'Records the results of several leases in one transaction.';
