begin;
select plan(10);
create schema shop;
create table shop.t (id integer primary key);
select pgqueue.create_webhook('t', 'shop.t', '{INSERT}', 'https://t/') as hook \gset
insert into shop.t select i from generate_series(1, 150) as i;
select pgqueue.enable_webhook('t', false);
insert into shop.t select i from generate_series(1001, 1150) as i;
call worker.process_tasks();
select is((select count(*) from pgqueue.job), 0::bigint, 'no jobs are made during a pause');
select is((select count(*) from pgqueue.webhook_change), 1::bigint, 'what was changed before waits');
select pgqueue.enable_webhook('t', true);
call worker.process_tasks();
select is((select array_agg((j.payload #>> '{record,id}')::integer order by j.job_id) from pgqueue.job as j), array(select generate_series(1, 150)),
          'and is delivered after it, in its order, but nothing that was changed meanwhile');
select is((select count(*) from pgqueue.webhook_change) + (select count(*) from pgqueue.webhook_change_column), 0::bigint, 'nothing stays');
select pgqueue.enable_webhook('t', true);
call worker.process_tasks();
select is((select count(*) from pgqueue.job), 150::bigint, 'to resume twice sends nothing twice');
-- A receiver that wants no more switches it off by itself.
insert into shop.t select i from generate_series(2001, 2150) as i;
update pgqueue.webhook set enabled = false, disabled_reason = 'answered 410: the receiver wants no more';
call worker.process_tasks();
select is((select count(*) from pgqueue.webhook_change), 1::bigint, 'what was changed before a 410 waits');
select pgqueue.enable_webhook('t', true);
call worker.process_tasks();
select is((select count(*) from pgqueue.job), 300::bigint, 'until somebody resumes');
-- One that is dropped is forgotten.
insert into shop.t select i from generate_series(3001, 3150) as i;
select pgqueue.enable_webhook('t', false);
call worker.process_tasks();
select pgqueue.drop_webhook('t');
select is((select count(*) from pgqueue.webhook_change) + (select count(*) from pgqueue.webhook_change_column), 0::bigint, 'a dropped one leaves no rows');
call worker.process_tasks();
select is((select count(*) from pgqueue.job), 300::bigint, 'and no jobs');
select is(test.violations(), '', 'healthy');
select * from finish();
rollback;
