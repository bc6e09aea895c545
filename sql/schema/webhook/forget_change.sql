-- internal.forget_change(_change_id)
-- Removes the kept rows of a large statement: their jobs are there, or nobody wants them.
create or replace function internal.forget_change(_change_id bigint) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
begin
    delete from pgqueue.webhook_change_column as c where c.change_id = _change_id;
    delete from pgqueue.webhook_change as c where c.change_id = _change_id;
end
$$;
comment on function internal.forget_change(bigint) is 'Removes the kept rows of a large statement.';
