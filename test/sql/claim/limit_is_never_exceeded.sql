begin;
select plan(3);
select count(*) from queues.enqueue_many('http', array_fill('{}'::jsonb, array[20]));
select is((select count(*) from queues.claim(test.worker(), _limit => 7)), 7::bigint, 'seven asked, seven given');
select is((select count(*) from queues.claim(test.worker(), _limit => 1000)), 13::bigint, 'the rest');
select is((select count(*) from queues.claim(test.worker(), _limit => 1000)), 0::bigint, 'then none');
select * from finish();
rollback;
