begin;
select plan(2);
select lives_ok($$select queues.enqueue('db_function', '{}')$$, 'a task without db_function');
select lives_ok($$select queues.enqueue('email', '{}')$$, 'an e-mail without before_handler');
select * from finish();
rollback;
