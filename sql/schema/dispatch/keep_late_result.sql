-- internal.keep_late_result(_worker_id, _task_id, _lease_no, _outcome, _result, _error)
-- For a lease that is no longer the newest.  It answers "duplicate" if this lease has already ended, otherwise "fenced", and keeps
-- its result as evidence.
create or replace function internal.keep_late_result(_worker_id uuid, _task_id bigint, _lease_no integer, _outcome text,
        _result jsonb, _error text) returns text
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _known text;
begin
    -- A quarantined task has both ends: the one that its lease brought is the answer.
    select coalesce((select coalesce(e.outcome, e.how) from queues.task_lease_ended as e
                     where e.task_id = _task_id and e.lease_no = _lease_no and e.how in ('retry', 'handler_failed')),
                    (select c.outcome from queues.task_completed as c
                     where c.task_id = _task_id and c.lease_no = _lease_no))
    into _known;
    if (_outcome = 'unsent' and exists (select 1 from queues.task_lease_ended as e
                                        where e.task_id = _task_id and e.lease_no = _lease_no and e.how = 'released'))
       or _known = _outcome or (_known is not null and _outcome in ('stored', 'answered'))
       or (_known = 'retry' and _outcome = 'transient') or (_known = 'failed' and _outcome in ('in_doubt', 'transient')) then
        return 'duplicate';
    end if;
    -- Evidence is kept only for leases that this worker held, and only for results.
    if _outcome not in ('transient', 'stored', 'unsent') then
        insert into queues.late_result (task_id, lease_no, received_at, outcome, result, error_message)
        select _task_id, _lease_no, queues.clock(),
               case when _outcome <> 'answered' then _outcome
                    when (_result->>'status') ~ '^2[0-9][0-9]$' then 'succeeded' else 'failed' end,
               internal.bounded(_result), left(_error, 8192)
        from queues.task_lease as l join queues.holder as h on h.holder_id = l.holder_id
        where l.task_id = _task_id and l.lease_no = _lease_no and h.worker_id = _worker_id
        on conflict (task_id, lease_no) do nothing;
    end if;
    return 'fenced';
end
$$;
comment on function internal.keep_late_result(uuid, bigint, integer, text, jsonb, text) is
    'Keeps the result of a superseded lease as evidence.';
