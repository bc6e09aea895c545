-- internal.unsealed_secrets(_worker_id), internal.seal_secret(_worker_id, _id, _name, _plain, _sealed)
-- unsealed_secrets: secrets of our own vault that were written by SQL, for a worker that has the key.  seal_secret stores the
-- sealed value.  A secret that was changed or renamed meanwhile is left alone: a sealed value opens only under the name that it
-- was sealed for.
create or replace function internal.unsealed_secrets(_worker_id uuid) returns table (id uuid, name text, secret text)
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    if _worker_id = internal.test_worker_id()
       or not exists (select 1 from queues.worker_started as w where w.worker_id = _worker_id)
       or exists (select 1 from queues.worker_stopped as w where w.worker_id = _worker_id)
       or not exists (select 1 from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
                      where n.nspname = 'vault' and c.relname = 'secrets' and pg_get_userbyid(c.relowner) = 'queues_owner') then
        return;
    end if;
    return query select s.id, s.name, s.secret from vault.secrets as s
                 where s.secret not like 'reeve:v1:%' and s.name is not null limit 100;
end
$$;
comment on function internal.unsealed_secrets(uuid) is 'Secrets that are still to be sealed.';

create or replace function internal.seal_secret(_worker_id uuid, _id uuid, _name text, _plain text, _sealed text) returns boolean
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    if _sealed not like 'reeve:v1:%' or _worker_id = internal.test_worker_id()
       or not exists (select 1 from queues.worker_started as w where w.worker_id = _worker_id)
       or exists (select 1 from queues.worker_stopped as w where w.worker_id = _worker_id) then
        return false;
    end if;
    update vault.secrets as s set secret = _sealed where s.id = _id and s.name = _name and s.secret = _plain;
    return found;
end
$$;
comment on function internal.seal_secret(uuid, uuid, text, text, text) is 'Replaces a plain secret by the sealed one.';
