-- internal.record_error(_task_id, _lease_no, _message, _sqlstate, _source, _class)
-- Records an error fact, with its text cleaned and bounded.
create or replace function internal.record_error(_task_id bigint, _lease_no integer, _message text,
        _sqlstate text default null, _source text default 'engine', _class text default null) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
begin
    insert into queues.error (task_id, error_message, created_at, lease_no, sqlstate, source, error_class)
    values (_task_id, left(coalesce(_message, ''), 8192), queues.clock(), _lease_no, _sqlstate, _source, _class);
end
$$;
comment on function internal.record_error(bigint, integer, text, text, text, text) is 'Records an error fact.';
