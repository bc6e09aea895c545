-- The whole path of a worker, under its own rights.
begin;
select plan(8);
select queues.schema_version() as version, test.enqueue() as fn, test.enqueue_email() as mail \gset
set local role worker_service_user;
select queues.start_worker('22222222-2222-4222-8222-222222222222', 'w', '0', :version) is not null as started \gset
select count(*) as claimed from queues.claim('22222222-2222-4222-8222-222222222222', _limit => 10) \gset
select outcome as executed from queues.execute('22222222-2222-4222-8222-222222222222', :fn, 1) \gset
select state as renewed from queues.renew('22222222-2222-4222-8222-222222222222', array[:mail]::bigint[], array[1]) \gset
select decision as decided from queues.begin_dispatch('22222222-2222-4222-8222-222222222222', :mail, 1) \gset
select queues.finish('22222222-2222-4222-8222-222222222222', :mail, 1, 'succeeded', '{}') as finished \gset
select queues.worker_alive('22222222-2222-4222-8222-222222222222') is null as alive \gset
select queues.sweep_processes() as swept, queues.prune() as pruned, queues.next_due() as due \gset
select queues.stop_worker('22222222-2222-4222-8222-222222222222', 'done');
reset role;
select ok(:'started', 'start_worker');
select is(:claimed, 2, 'claim');
select is(:'executed'::text, 'succeeded', 'execute');
select is(:'renewed'::text, 'renewed', 'renew');
select is(:'decided'::text, 'send', 'begin_dispatch');
select is(:'finished'::text, 'completed', 'finish');
select ok(:'alive', 'worker_alive');
select is(:swept + :pruned, 0, 'sweep_processes and prune');
select * from finish();
rollback;
