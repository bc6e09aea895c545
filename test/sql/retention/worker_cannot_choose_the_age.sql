begin;
select plan(2);
create function pg_temp.prune_as_worker(_age interval) returns bigint language plpgsql set role = worker_service_user
as $$ begin return queues.prune(_age); end $$;
select throws_ok($$select pg_temp.prune_as_worker('0')$$, '42501', null, 'an age of its own is refused');
select lives_ok($$select pg_temp.prune_as_worker(null)$$, 'the settings decide');
select * from finish();
rollback;
