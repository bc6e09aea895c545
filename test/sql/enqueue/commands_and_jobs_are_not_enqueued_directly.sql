begin;
select plan(6);
select throws_ok(format('select queues.enqueue(%L, %L)', t, '{}'), '22023', null, t)
from unnest(array['command', 'job_http', 'job_func']) as t;
select throws_ok(format('select queues.enqueue_many(%L, %L)', t, '{"{}"}'), '22023', null, t || ', many')
from unnest(array['command', 'job_http', 'job_func']) as t;
select * from finish();
rollback;
