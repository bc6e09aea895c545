begin;
select plan(18);
create function pg_temp.says(_max integer, _backoff jsonb) returns text language plpgsql as $$
begin
    perform queues.enqueue('db_function', '{"db_function": "test.ok"}', _max_attempts => _max, _backoff => _backoff);
    return 'accepted';
exception when others then
    return sqlerrm;
end $$;
select is(pg_temp.says(0, null), 'max_attempts 0 is not between 1 and 1000', 'none');
select is(pg_temp.says(-3, null), 'max_attempts -3 is not between 1 and 1000', 'negative');
select is(pg_temp.says(1000000, null), 'max_attempts 1000000 is not between 1 and 1000', 'a million');
select is(pg_temp.says(3, '{"base": 60, "ceiling": 10}'), 'ceiling 10 s of backoff is below its base 60 s', 'a ceiling below the base');
select is(pg_temp.says(3, '{"base": "1 minute", "ceiling": "10 minutes"}'), 'accepted', 'intervals are texts');
select is(pg_temp.says(3, '{"base": "soon"}'), 'base of backoff "soon" is not an interval', 'no interval');
select is(pg_temp.says(3, '{"base": -1}'), 'base of backoff -1 s is not between 0 and 30 days', 'a negative wait');
select is(pg_temp.says(3, '{"kind": "cubic"}'), 'kind "cubic" of backoff is not one of constant, linear, exponential', 'an unknown kind');
select is(pg_temp.says(3, '{"jitter": 2}'), 'jitter 2 of backoff is not a number between 0 and 1', 'jitter over the whole');
select is(pg_temp.says(3, '{"jitter": "much"}'), 'jitter much of backoff is not a number between 0 and 1', 'jitter as a text');
select is(pg_temp.says(3, '{"cieling": 3}'), 'backoff has no field "cieling"', 'a field that does not exist');
select is(pg_temp.says(3, '[]'), 'backoff has 0 waits, not between 1 and 999', 'no wait');
select is(pg_temp.says(3, '[1, null]'), 'backoff is a JSON null, not seconds or an interval', 'a wait that is null');
select is(pg_temp.says(3, '5'), 'backoff is a JSON number', 'a number');
select is(pg_temp.says(null, '{"base": 5}'), 'max_attempts must not be null, unless backoff is a list of waits', 'waits without a number');
select throws_ok($$select queues.enqueue('db_function', '{"db_function": "test.supervise", "id": 1}', _max_attempts => 3)$$, '22023', 'a supervisor has no policy of retries', 'a supervisor');
select throws_ok($$select queues.set_retry_policy('type', 'job_http', 3)$$, '0A000', null, 'HTTP jobs keep their own rules');
select throws_ok($$select queues.set_retry_policy('function', 'test.nowhere', 3)$$, '42704', null, 'an unknown function');
select * from finish();
rollback;
