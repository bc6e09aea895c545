-- internal.give_back(_row, _reason)
-- Puts back a task whose call was announced and not sent.  The lease ends as released, which counts neither as a crash nor as a
-- retry.
create or replace function internal.give_back(_row queues.running, _reason text) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _now constant timestamptz := queues.clock();
    _at constant timestamptz := _now + interval '100 milliseconds' + interval '100 milliseconds' * random();
begin
    perform internal.record_lease_end(_row, 'released', _now, _at, null, null, left(_reason, 1024));
    perform internal.move_to_ready(_row, _at);
end
$$;
comment on function internal.give_back(queues.running, text) is 'Puts a task back whose call was not sent.';
