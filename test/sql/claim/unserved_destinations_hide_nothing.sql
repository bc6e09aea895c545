begin;
select plan(4);
select queues.enqueue('http', '{}', _priority => p) from generate_series(1, 4) as p;
update queues.ready set destination = 'dead.example' where priority < 4;
select is((select priority from queues.claim(test.worker(), _skip_destinations => array['dead.example'])), 4::bigint, 'the open one behind three closed ones');
select is((select count(*) from queues.claim(test.worker(), _skip_destinations => array['dead.example'])), 0::bigint, 'the closed ones are left');
select is((select count(*) from queues.claim(test.worker(), _limit => 9)), 3::bigint, 'until they are open again');
-- Nor do retries that their destination has no room for.
select queues.enqueue('http', '{}', _priority => p) from generate_series(1, 4) as p;
update queues.ready set destination = 'slow.example', is_retry = case when priority < 4 then true end;
select is((select priority from queues.claim_batch(test.worker(), _destinations => '{slow.example}', _rooms => '{9}', _retry_rooms => '{0}')),
    4::bigint, 'the new call behind three retries');
select * from finish();
rollback;
