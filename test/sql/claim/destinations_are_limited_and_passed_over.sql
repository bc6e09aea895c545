begin;
select plan(9);
insert into pgqueue.job_queue (url) select format('https://%s.example/', h) from unnest(array['a', 'a', 'a', 'a', 'b', 'b', 'b', 'c', 'd']) as h;
create function pg_temp.claimed(_limits text[]) returns text language plpgsql as $$
declare
    _got text;
begin
    begin
        select string_agg(left(replace(c.destination, 'retry ', ''), 1), '' order by c.task_id) into _got
        from queues.claim(test.worker(), _types => '{job_http}', _limit => 100, _skip_destinations => _limits) as c;
        raise exception using errcode = 'T0001';
    exception when sqlstate 'T0001' then
        return _got;
    end;
end $$;
select is(pg_temp.claimed(null), 'aaaabbbcd', 'no limit');
select is(pg_temp.claimed('{a.example}'), 'bbbcd', 'a host that is passed over');
select is(pg_temp.claimed('{a.example,"b.example=2"}'), 'bbcd', 'one that may get two');
select is(pg_temp.claimed('{"a.example=3","*=1"}'), 'aaabcd', 'and all others one');
select is((select count(*) from queues.ready), 9::bigint, 'what was left out still waits');
select is(pg_temp.claimed('{"a=b=c","a.example=0x"}'), 'aaaabbbcd', 'a host of an odd name limits nobody');
update queues.ready set destination = 'retry a.example' where task_id in (select task_id from queues.ready where destination = 'a.example' order by task_id limit 2);
select is(pg_temp.claimed('{"a.example=4","retry a.example=1"}'), 'aaabbbcd', 'retries have a limit of their own');
select is(pg_temp.claimed('{"a.example=2","retry a.example=2"}'), 'aabbbcd', 'within that of their host');
select is(pg_temp.claimed('{"retry *=1","*=2"}'), 'aabbcd', 'also where nothing is known of it');
select * from finish();
rollback;
