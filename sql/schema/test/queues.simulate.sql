-- queues.simulate(_task_id, _outcome, _result, _error)
-- Plays one channel task in this transaction, without a network: the before handler, then finish with the given answer.  It is for
-- tests of supervised processes.
create or replace function queues.simulate(_task_id bigint, _outcome text default 'succeeded',
        _result jsonb default '{}', _error text default null) returns text
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _worker constant uuid := internal.test_worker();
    _lease_no constant integer := internal.lease_for_test(_task_id, _worker);
    _decision text;
begin
    select d.decision into _decision from queues.begin_dispatch(_worker, _task_id, _lease_no) as d;
    if _decision = 'send' then
        return queues.finish(_worker, _task_id, _lease_no, _outcome, _result, _error);
    elsif _decision = 'stored' then
        return queues.finish(_worker, _task_id, _lease_no, 'stored');
    end if;
    return _decision;
end
$$;
comment on function queues.simulate(bigint, text, jsonb, text) is 'Plays the answer of a provider, in this transaction.';
