-- internal.waiting_command(_queue_id, _type_id, _key)
-- The task of a command that waits under this dedup key and was never claimed, as far as it can
-- be seen; neither locked nor waited for.
create or replace function internal.waiting_command(_queue_id integer, _type_id smallint, _key text,
        out task_id bigint, out available_at timestamptz, out priority bigint)
    language sql volatile
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_bitmapscan = off
as $$
    select r.task_id, r.available_at, r.priority from queues.ready as r
    where r.queue_id = _queue_id and r.type_id = _type_id and r.lease_no = 0 and r.dedup_key is not null
      and r.dedup_key in (_key, internal.dedup_slot(_key, 2), internal.dedup_slot(_key, 3), internal.dedup_slot(_key, 4))
    order by r.dedup_key limit 1
$$;
comment on function internal.waiting_command(integer, smallint, text) is 'The waiting command of a dedup key.';
