begin;
select plan(2);
set local client_min_messages = error;
insert into worker.command_registry (command, handler_procedure, queue, handler_call, after_call) values ('x', 'test.plain', 'default', 'drop table test.effect', 'drop table test.effect');
select results_eq($$select handler_call, after_call from worker.command_registry where command = 'x'$$, $$values ('call test.plain($1)', null::text)$$, 'when inserted');
update worker.command_registry set handler_call = 'drop table test.effect' where command = 'x';
select is((select handler_call from worker.command_registry where command = 'x'), 'call test.plain($1)', 'or updated');
select * from finish();
rollback;
