-- internal.require_queue(_queue)
-- The number of a queue.  An unknown name is refused.
create or replace function internal.require_queue(_queue text) returns integer
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _id integer;
begin
    if _queue is null then
        raise exception using errcode = '22004', message = 'queue must not be null';
    end if;
    select q.queue_id into _id from queues.queue as q where q.queue = _queue;
    if _id is null then
        raise exception using errcode = '23503', message = format('queue "%s" does not exist', left(_queue, 128)),
            hint = format('select queues.create_queue(%L);', left(_queue, 128));
    end if;
    return _id;
end
$$;
comment on function internal.require_queue(text) is 'Number of a queue.';
