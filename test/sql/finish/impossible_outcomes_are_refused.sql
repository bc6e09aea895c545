begin;
select plan(9);
select test.enqueue() as fn \gset
select test.enqueue_email() as mail \gset
select test.lease(:fn), test.lease(:mail);
select throws_ok(format('select queues.finish(test.worker(), %s, 1, %L)', :fn, o), '22023', null, 'function: ' || o)
from unnest(array['succeeded', 'answered', 'in_doubt', 'stored', 'nonsense']) as o;
select throws_ok(format('select queues.finish(test.worker(), %s, 1, %L)', :mail, o), '22023', null, 'e-mail: ' || o)
from unnest(array['answered', 'stored', 'completed']) as o;
select throws_ok(format('select queues.finish(test.worker(), %s, 1, null)', :mail), '22023', null, 'null');
select * from finish();
rollback;
