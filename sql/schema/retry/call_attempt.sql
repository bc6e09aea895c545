-- internal.call_attempt(_task_id, _lease_no, _step)
-- The end of an attempt that was a call, or that failed outside its run.  The status of an HTTP answer counts as its status, and
-- a Retry-After of a 429 or 503 is heard.  A program may say that a failure is final, or ask for a wait; the worker checks both and
-- builds the result of a failure itself.
create or replace function internal.call_attempt(_task_id bigint, _lease_no integer, _step internal.finish_step)
    returns internal.attempt_end
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _status constant text := case when jsonb_typeof(_step.result->'status') = 'number' then _step.result->>'status' end;
    _header constant text := case when _status in ('429', '503') then _step.result #>> '{headers,retry-after}' end;
begin
    return row(_task_id, _lease_no, _step.status, coalesce(_status, _step.status), coalesce(_step.error_class in ('validation', 'final'), false),
               case when _header is not null then internal.retry_after(_header, queues.clock())
                    else internal.asked_wait(_step.result) end)::internal.attempt_end;
end
$$;
comment on function internal.call_attempt(bigint, integer, internal.finish_step) is 'The end of an attempt that was a call.';
