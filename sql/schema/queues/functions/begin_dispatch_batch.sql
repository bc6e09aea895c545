-- queues.begin_dispatch_batch(_worker_id, _task_ids, _lease_nos)
-- Several dispatches in one transaction, each in its own subtransaction.
create or replace function queues.begin_dispatch_batch(_worker_id uuid, _task_ids bigint[], _lease_nos integer[])
    returns table (task_id bigint, decision text, adapter text, request jsonb, body text, secrets jsonb,
                   idempotency_key text, timeout interval, error text, sqlstate text)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _message text;
    _state text;
begin
    perform internal.check_pairs(_task_ids, _lease_nos);
    for _i in 1 .. cardinality(_task_ids) loop
        begin
            return query select _task_ids[_i], d.decision, d.adapter, d.request, d.body, d.secrets, d.idempotency_key,
                                d.timeout, null::text, null::text
                         from queues.begin_dispatch(_worker_id, _task_ids[_i], _lease_nos[_i]) as d;
        exception when assert_failure or others then
            get stacked diagnostics _message = message_text, _state = returned_sqlstate;
            return query select _task_ids[_i], null::text, null::text, null::jsonb, null::text, null::jsonb, null::text,
                                null::interval, _message, _state;
        end;
    end loop;
end
$$;
comment on function queues.begin_dispatch_batch(uuid, bigint[], integer[]) is 'Prepares several outside effects.';
