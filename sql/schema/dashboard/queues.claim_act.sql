-- queues.claim_act(_key, _act), queues.end_act(_key, _notice, _path)
-- A form is carried out once.  The first call with a key answers is_new, and the act follows in the same transaction, which keeps its
-- answer with end_act. A call with a key that was used answers with the answer of that time; while the first one runs, it waits.  A
-- key belongs to one person and one act: _act names its address and the values of its form.
create or replace function queues.claim_act(_key uuid, _act text, out is_new boolean, out notice text, out path text)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _actor constant text := internal.actor();
    _old internal.act_key;
begin
    perform internal.check_text('the address of the act', _act, 1024);
    if _key is null or _act is null then
        raise exception using errcode = '22004', message = 'an act needs a key and an address';
    end if;
    delete from internal.act_key as k where k.act_key = any(array(
        select o.act_key from internal.act_key as o where o.claimed_at < clock_timestamp() - interval '1 day'
        order by o.claimed_at limit 100 for update skip locked));
    insert into internal.act_key (act_key, act, actor, claimed_at) values (_key, _act, _actor, clock_timestamp()) on conflict (act_key) do nothing;
    is_new := found;
    if is_new then
        return;
    end if;
    select k.* into _old from internal.act_key as k where k.act_key = _key;
    if _old.act <> _act or _old.actor <> _actor then
        raise exception using errcode = '22023', message = 'this form belongs to another act', hint = 'Load the page again.';
    end if;
    notice := _old.notice;
    path := _old.path;
end
$$;
comment on function queues.claim_act(uuid, text) is 'Begins an act of the dashboard, once for each key.';

create or replace function queues.end_act(_key uuid, _notice text, _path text) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    update internal.act_key as k set notice = left(_notice, 1000), path = left(_path, 1000)
    where k.act_key = _key and k.actor = internal.actor() and k.notice is null;
end
$$;
comment on function queues.end_act(uuid, text, text) is 'Keeps the answer of an act of the dashboard.';
