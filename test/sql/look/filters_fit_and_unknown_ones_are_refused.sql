-- Every filter of the lists finds what it says.  What is unknown is refused, with the list of what is known.
begin;
select plan(21);
set local client_min_messages = error;
select internal.allow_function('test.raises'), queues.create_queue('other');
select test.enqueue('test.raises') as bad \gset
select test.run(:bad);
select queues.enqueue('noop', '{}', _queue => 'other') as other \gset
create function pg_temp.ids(_list jsonb, _key text default 'task_id') returns bigint[] language sql as
    $$ select coalesce(array_agg((r->>_key)::bigint order by n), '{}') from jsonb_array_elements(_list->'rows') with ordinality as r(r, n) $$;
select is(pg_temp.ids(queues.list_tasks(_task_type => 'noop')), array[:other]::bigint[], 'type');
select is(pg_temp.ids(queues.list_tasks(_queue => 'other')), array[:other]::bigint[], 'queue');
select is(pg_temp.ids(queues.list_tasks('ready', _queue => 'other', _task_type => 'noop')), array[:other]::bigint[], 'queue and type of open tasks');
select is(pg_temp.ids(queues.list_tasks('completed', _queue => 'other')), '{}', 'of completed ones');
select is(pg_temp.ids(queues.list_tasks('ready', _queue => 'none')), '{}', 'an unknown queue has none');
select is(pg_temp.ids(queues.list_tasks(_error_like => '%')), array[:bad]::bigint[], 'pattern');
select is(pg_temp.ids(queues.list_tasks(_outcome => 'failed', _error_like => '%no such words%')), '{}', 'of failures');
select is(pg_temp.ids(queues.list_tasks(_since => now() + interval '1 minute')), '{}', 'since');
select is(cardinality(pg_temp.ids(queues.list_tasks(_until => clock_timestamp() + interval '1 minute'))), 2, 'until');
select is(pg_temp.ids(queues.list_tasks(_outcome => 'failed', _since => now() - interval '1 day', _until => clock_timestamp())), array[:bad]::bigint[], 'both');
select throws_ok('select queues.list_tasks(''bogus'')', '22023', 'state "bogus" is not one of ready, scheduled, waiting, blocked, handler_pending, running, executing, completed');
select throws_ok('select queues.list_tasks(_outcome => ''bogus'')', '22023', 'outcome "bogus" is not one of succeeded, non_success, failed, cancelled, quarantined, in_doubt, superseded');
select throws_ok('select queues.list_processes(''bogus'')', '22023', 'state "bogus" is not one of live, ended');
select throws_ok('select pgqueue.list_jobs(''bogus'')', '22023', 'status "bogus" is not one of new, failed, processing, completed, redirected, server_error, too_many, other');
select throws_ok('select pgqueue.list_jobs(_job_type => ''bogus'')', '22023', 'type "bogus" is not one of GET, POST, DELETE, FUNC, PUT, PATCH');
select throws_ok('select queues.list_tasks(_cursor => ''1; drop'')', '22023', '"1; drop" is not a cursor');
select throws_ok('select queues.list_tasks(_limit => 0)', '22023', 'limit 0 is not between 1 and 100000');
select throws_ok('select queues.list_tasks(_limit => null)', '22023', 'limit null is not between 1 and 100000');
select throws_ok('select queues.list_tasks(_since => ''infinity'')', '22008', 'since and until must be finite, and since must come first');
-- The words of the states are those that the engine knows.
select is_empty($$select s.state from queues.task_state as s except select unnest(array['ready', 'scheduled', 'waiting', 'blocked', 'handler_pending', 'running', 'executing', 'completed'])$$, 'states');
select throws_ok(format('select queues.list_tasks(_cursor => %L)', repeat('9', 100)), '54000', 'cursor of 100 bytes is over the limit of 64 bytes');
select * from finish();
rollback;
