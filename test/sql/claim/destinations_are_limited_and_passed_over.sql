begin;
select plan(17);
insert into pgqueue.job_queue (url) select format('https://%s.example/', h) from unnest(array['a', 'a', 'a', 'a', 'b', 'b', 'b', 'c', 'd']) as h;
create function pg_temp.claimed(_destinations text[] default null, _rooms integer[] default null, _retries integer[] default null,
        _other integer default null, _other_retries integer default null, _shared integer default null) returns text
    language plpgsql as $$
declare
    _got text;
begin
    begin
        select string_agg(case when c.is_retry then upper(left(c.destination, 1)) else coalesce(left(c.destination, 1), '?') end, '' order by i.id)
        into _got
        from queues.claim_batch(test.worker(), _types => '{job_http,http}', _limit => 100, _destinations => _destinations,
            _rooms => _rooms, _retry_rooms => coalesce(_retries, _rooms), _other_room => _other, _other_retry_room => _other_retries,
            _shared_room => _shared) as c
        cross join lateral unnest(c.task_ids) as i(id);
        raise exception using errcode = 'T0001';
    exception when sqlstate 'T0001' then
        return _got;
    end;
end $$;
select is(pg_temp.claimed(), 'aaaabbbcd', 'no limit');
select is(pg_temp.claimed('{a.example}', '{0}'), 'bbbcd', 'a host that may get nothing');
select is(pg_temp.claimed('{a.example,b.example}', '{0,2}'), 'bbcd', 'one that may get two');
select is(pg_temp.claimed('{a.example}', '{3}', _other => 1), 'aaabcd', 'and all others one');
select is((select count(*) from queues.ready), 9::bigint, 'what was left out still waits');
select is(pg_temp.claimed('{a=b=c,*,retry a.example}', '{0,0,0}'), 'aaaabbbcd', 'a host of an odd name limits nobody');
select throws_ok('select pg_temp.claimed(''{a,b}'', ''{1}'')', '22023', null, 'each has a room');
-- Two of the tasks have failed before.
update queues.ready set is_retry = true where task_id in (select task_id from queues.ready where destination = 'a.example' order by task_id limit 2);
select is(pg_temp.claimed('{a.example}', '{4}', '{1}'), 'Aaabbbcd', 'retries have a limit of their own');
select is(pg_temp.claimed('{a.example}', '{4}', '{0}'), 'aabbbcd', 'which may be none');
select is(pg_temp.claimed('{a.example}', '{2}', '{2}'), 'AAbbbcd', 'within that of their host');
select is(pg_temp.claimed(_other => 2, _other_retries => 1), 'Aabbcd', 'also where nothing is known of it');
-- Behind those that take all they can get there is room for others.
select is(pg_temp.claimed(_other => 4, _shared => 2), 'AAabcd', 'the first of each host, and two more');
select is(pg_temp.claimed('{a.example}', '{4}', '{4}', _other => 4, _shared => 0), 'bcd', 'a host that has something gets no more');
-- Where the calls go is said by their before handlers.
select queues.enqueue('http', '{"before_handler": "test.before"}') from generate_series(1, 3);
select is(pg_temp.claimed('{null}', '{0}'), 'AAaabbbcd', 'calls whose destination is not known are passed over');
select is(pg_temp.claimed('{null}', '{2}'), 'AAaabbbcd??', 'or limited');
select is(pg_temp.claimed('{null,a.example}', '{3,0}', _other => 1, _shared => 1), 'bcd??', 'their first goes before what is shared');
select is((select count(*) from queues.claim(test.worker(), _types => '{job_http}', _limit => 100,
    _skip_destinations => '{a.example,b.example}')), 2::bigint, 'a claim by single rows passes over names');
select * from finish();
rollback;
