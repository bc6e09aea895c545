begin;
select plan(22);
create function pg_temp.trace(_id bigint) returns text language sql as $$ select traceparent from queues.task_trace where task_id = _id $$;
\set a '00-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-1111111111111111-01'
\set b '00-bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb-2222222222222222-00'
create table public.row_of_mine (id integer);
create trigger hook after insert on public.row_of_mine for each row execute function pgqueue.trigger_webhook('https://example.org/hook');
create table public.rows_of_mine (id integer);
create trigger hooks after insert on public.rows_of_mine referencing new table as new_rows
    for each statement execute function pgqueue.trigger_webhook('https://example.org/hook');

select is(pg_temp.trace(test.enqueue()), null, 'nobody gave one');
select is(pg_temp.trace(test.enqueue(_more => jsonb_build_object('traceparent', :'a'))), :'a', 'the field');
select is(pg_temp.trace(queues.enqueue('noop', jsonb_build_object('traceparent', :'a'), _timeout => '5 s')), :'a', 'the field, of a task with extras');
select is(pg_temp.trace(worker.enqueue('plain', jsonb_build_object('traceparent', :'a'))), :'a', 'the field, of a command');
select is(pg_temp.trace(worker.enqueue('merged', jsonb_build_object('kind', 'x', 'traceparent', :'a'))), :'a', 'the field, of a command with a key');
insert into pgqueue.job_queue (job_type, url, payload) values ('POST', 'https://example.org/', jsonb_build_object('traceparent', :'a'));
select is((select pg_temp.trace(max(task_id)) from queues.task), :'a', 'the field, of a job');
select is((select array_agg(pg_temp.trace(id) order by id)::text from queues.enqueue_many('noop',
    array[jsonb_build_object('traceparent', :'a'), '{}', jsonb_build_object('traceparent', :'b')]) as id), format('{%s,NULL,%s}', :'a', :'b'), 'the field of each of many');
select is((select count(*) from queues.task_trace where follows is not null), 0::bigint, 'these follow no task');

select set_config('reeve.traceparent', :'b', true);
select is(pg_temp.trace(test.enqueue()), :'b', 'the setting');
select is(pg_temp.trace(test.enqueue(_more => jsonb_build_object('traceparent', :'a'))), :'a', 'the field wins');
select is(pg_temp.trace(queues.enqueue('noop', '{}', _max_attempts => 3)), :'b', 'the setting, with extras');
select is(pg_temp.trace(queues.enqueue('noop', '{}', _dedup_key => 'k')), :'b', 'the setting, with a key');
select is(pg_temp.trace(worker.enqueue('act')), :'b', 'the setting, for a command');
select is(pg_temp.trace(worker.spawn('act', '{}', worker.enqueue('tree'))), :'b', 'the setting, for a child');
select test.job() as job \gset
select is((select pg_temp.trace(task_id) from pgqueue.job_run where job_id = :job), :'b', 'the setting, for a job');
select is(array(select pg_temp.trace(id) from queues.enqueue_many('noop', '{"{}", "{}"}') as id), array[:'b', :'b'], 'the setting, for many');
insert into public.row_of_mine values (1);
select is((select pg_temp.trace(max(task_id)) from queues.task), :'b', 'the setting, for a webhook');
insert into public.rows_of_mine select generate_series(1, 3);
select is((select count(*) from (select task_id from queues.task order by task_id desc limit 3) as t where pg_temp.trace(t.task_id) = :'b'), 3::bigint,
          'the setting, for webhooks of a statement');
select is(pg_temp.trace(queues.enqueue('noop', '{}', _dedup_key => 'k')), :'b', 'a duplicate changes no trace');

select set_config('reeve.traceparent', '', true);
select queues.enqueue('noop', '{}') as other \gset
select is(queues.enqueue('noop', '{}', _queue => 'default') - :other, 1::bigint, 'an empty setting is none');
select is((select count(*) from queues.task_trace where task_id >= :other), 0::bigint, 'and leaves nothing');
select is(test.violations(), '', 'the facts agree');
select * from finish();
rollback;
