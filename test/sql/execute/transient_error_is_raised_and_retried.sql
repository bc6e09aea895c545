begin;
select plan(6);
create temp table passing as select s, test.enqueue('test.raises', jsonb_build_object('sqlstate', s)) as id from unnest(array['40001', '40P01', '55P03']) as s;
select test.lease(id) from passing;
select throws_ok(format('select queues.execute(test.worker(), %s, 1)', id), s, null, s || ' passes through') from passing;
select is(queues.finish(test.worker(), id, 1, 'transient', null, 'boom'), 'retry', s || ': again later') from passing;
select * from finish();
rollback;
