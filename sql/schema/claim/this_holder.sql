-- internal.this_holder(_worker_id)
-- This session as a holder, made on first use.  Security invoker: see internal.add_holder.
create or replace function internal.this_holder(_worker_id uuid) returns integer
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _holder integer := internal.holder_of(_worker_id);
begin
    if _holder is null then
        _holder := internal.add_holder(_worker_id,
            (select a.backend_start from pg_stat_get_activity(pg_backend_pid()) as a));
    end if;
    return _holder;
end
$$;
comment on function internal.this_holder(uuid) is 'This session as a holder of leases, made on first use.';
