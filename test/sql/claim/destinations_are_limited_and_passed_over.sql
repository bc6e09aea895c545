begin;
select plan(5);
insert into pgqueue.job_queue (url) select format('https://%s.example/', h) from unnest(array['a', 'a', 'a', 'a', 'b', 'b', 'b', 'c', 'd']) as h;
create function pg_temp.claimed(_limits text[]) returns text language plpgsql as $$
declare
    _got text;
begin
    begin
        select string_agg(left(c.destination, 1), '' order by c.task_id) into _got
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
select * from finish();
rollback;
