-- internal.was_renewed_until(_task_id, _lease_no, _end)
-- Did a renewal of this lease give it this end?  After the server's clock was set back, this need not be its latest end.
create or replace function internal.was_renewed_until(_task_id bigint, _lease_no integer, _end timestamptz) returns boolean
    language sql stable
    set search_path = pg_catalog, pg_temp
as $$
    select exists (select 1 from queues.task_lease_renewed as r
                   where r.task_id = _task_id and r.lease_no = _lease_no and r.expires_at = _end)
$$;
comment on function internal.was_renewed_until(bigint, integer, timestamptz) is 'Whether a renewal gave a lease this end.';
