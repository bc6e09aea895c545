-- internal.check_pairs(_task_ids, _lease_nos)
-- Arrays that name leases must be of one length.
create or replace function internal.check_pairs(_task_ids bigint[], _lease_nos integer[]) returns void
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $$
begin
    if _task_ids is null or _lease_nos is null then
        raise exception using errcode = '22004', message = 'task ids and lease numbers must not be null';
    end if;
    if cardinality(_task_ids) <> cardinality(_lease_nos) then
        raise exception using errcode = '22023',
            message = format('%s task ids but %s lease numbers', cardinality(_task_ids), cardinality(_lease_nos));
    end if;
end
$$;
comment on function internal.check_pairs(bigint[], integer[]) is 'Refuses arrays of different length.';
