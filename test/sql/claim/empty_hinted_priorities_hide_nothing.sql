begin;
select plan(1);
select test.enqueue(_priority => 3) as id \gset
select is((select task_id from queues.claim(test.worker(), _hints => jsonb_build_object('default',
    jsonb_build_object('0', now(), '1', now(), '2', now(), '3', now() - interval '1 hour')))), :id, 'due work behind empty hints, limit 1');
select * from finish();
rollback;
