-- internal.refuse_insert()
-- Default of queues.task.enqueued_at.  Our own writers always name that column.  An insert by hand would make a fact that no
-- worker claims, so the default refuses it with a hint.  It costs an enqueue nothing.
create or replace function internal.refuse_insert() returns timestamptz
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
begin
    raise exception using errcode = '0A000', message = 'a task is not made by an insert into queues.task',
        detail = 'A row of this table is a fact. Workers claim from another table.',
        hint = 'select queues.enqueue(task_type, payload); or worker.enqueue for commands.';
end
$$;
comment on function internal.refuse_insert() is 'Refuses inserts into queues.task that were written by hand.';
