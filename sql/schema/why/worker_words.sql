-- internal.worker_words(_worker_id)
-- A worker in a sentence, with its state: live, silent (no sign of life for a minute), stopped, or client (a session without a worker).
create or replace function internal.worker_words(_worker_id uuid, out words text, out state text, out seen_at timestamptz)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
begin
    select format('worker %s', w.worker_name), w.state, coalesce(w.seen_at, w.started_at) into words, state, seen_at
    from queues.worker_state as w where w.worker_id = _worker_id;
    if not found then
        words := 'a client session';
        state := 'client';
    end if;
end
$$;
comment on function internal.worker_words(uuid) is 'A worker in a sentence, with its state.';
