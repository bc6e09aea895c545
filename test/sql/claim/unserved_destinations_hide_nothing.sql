begin;
select plan(3);
select queues.enqueue('http', '{}', _priority => p) from generate_series(1, 4) as p;
update queues.ready set destination = 'dead.example' where priority < 4;
select is((select priority from queues.claim(test.worker(), _skip_destinations => array['dead.example'])), 4::bigint, 'the open one behind three closed ones');
select is((select count(*) from queues.claim(test.worker(), _skip_destinations => array['dead.example'])), 0::bigint, 'the closed ones are left');
select is((select count(*) from queues.claim(test.worker(), _limit => 9)), 3::bigint, 'until they are open again');
select * from finish();
rollback;
