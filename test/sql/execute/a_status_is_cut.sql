-- A status is a word.  A text of megabytes is cut, wherever a function puts it.
begin;
select plan(5);
select test.enqueue('test.answer', jsonb_build_object('answer', jsonb_build_object('status', repeat('x', 200000)))) as plain,
       test.enqueue('test.answer', jsonb_build_object('answer', jsonb_build_object('status', repeat('x', 200000), 'error', 'e'))) as error,
       test.enqueue('test.answer', jsonb_build_object('answer', jsonb_build_object('status', repeat('x', 200000), 'success', false))) as success \gset
select test.run(:plain), test.run(:error), test.run(:success);
select is(test.outcome(:plain), 'non_success', 'any other status than succeeded');
select is(length(test.status(:plain)), 1024, 'is cut');
select is(length(test.status(:error)), 1024, 'beside an error');
select is(length(test.status(:success)), 1024, 'beside success');
select is(test.violations(), '', 'the facts agree');
select * from finish();
rollback;
