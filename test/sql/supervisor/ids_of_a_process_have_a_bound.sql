begin;
select plan(2);
select lives_ok($$select test.process(1, 'end')$$, 'ids of ordinary length');
select throws_ok($$select internal.new_process('test.business', jsonb_build_object('id', repeat('x', 1024)))$$, '54000', null, 'longer ones are refused');
select * from finish();
rollback;
