begin;
select plan(13);
select throws_ok($$select queues.claim(test.worker(), _limit => 0)$$, '22023', null, 'limit 0');
select throws_ok($$select queues.claim(test.worker(), _limit => 1001)$$, '22023', null, 'limit 1001');
select throws_ok($$select queues.claim(test.worker(), _limit => null)$$, '22023', null, 'limit null');
select throws_ok($$select queues.claim(test.worker(), _lease => '0.5 s')$$, '22023', null, 'lease below a second');
select throws_ok($$select queues.claim(test.worker(), _lease => '25 hours')$$, '22023', null, 'lease over a day');
select throws_ok($$select queues.claim(null)$$, '22004', null, 'no worker');
select throws_ok($$select queues.claim(gen_random_uuid())$$, 'QU006', null, 'a worker that was not started');
select throws_ok(format('select * from queues.renew(test.worker(), ''{1}'', ''{1}'', %L)', l), '22023', null, 'renewal for ' || coalesce(l, 'null'))
from unnest(array['0.5 s', '25 hours', null]) as l;
select throws_ok(format('select queues.release(test.worker(), ''{1}'', ''{1}'', %L)', d), '22023', null, 'release after ' || coalesce(d, 'null'))
from unnest(array['-1 s', null]) as d;
select queues.stop_worker(test.worker(), 'done');
select throws_ok($$select queues.claim(test.worker())$$, 'QU006', null, 'a worker that has stopped');
select * from finish();
rollback;
