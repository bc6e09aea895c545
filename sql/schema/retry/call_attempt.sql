-- internal.call_attempt(_task_id, _lease_no, _step)
-- The end of an attempt that was a call, or that failed outside its run.  The status of an HTTP answer counts as its status, and
-- a Retry-After of a 429 or 503 is heard.
create or replace function internal.call_attempt(_task_id bigint, _lease_no integer, _step internal.finish_step)
    returns internal.attempt_end
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _status constant text := case when jsonb_typeof(_step.result->'status') = 'number' then _step.result->>'status' end;
    _header constant text := case when _status in ('429', '503') then _step.result #>> '{headers,retry-after}' end;
begin
    return row(_task_id, _lease_no, _step.status, coalesce(_status, _step.status), _step.error_class is not distinct from 'validation',
               case when _header is not null then internal.retry_after(_header, queues.clock()) end)::internal.attempt_end;
end
$$;
comment on function internal.call_attempt(bigint, integer, internal.finish_step) is 'The end of an attempt that was a call.';
