begin;
select plan(4);
select worker.enqueue('act', '{"info": {"own": true, "note": "parent"}, "children": [{"info": {"rows": 1, "note": "a", "at": 5}}, {"info": {"rows": 2, "note": "b", "at": "x"}}, {"info": {"rows": 4.5}}, {"n": 1}]}') as id \gset
select test.run_command(:id);
select is(test.info(:id), '{"own": true, "note": "parent"}', 'while it waits, what is known');
select test.run_command((test.children(:id))[1]), test.run_command((test.children(:id))[2]);
select is(test.info(:id)->'rows', '3', 'which grows');
select test.run_command((test.children(:id))[3]), test.run_command((test.children(:id))[4]);
select is(test.info(:id), '{"own": true, "note": "parent", "rows": 7.5, "at": "x"}', 'numbers are added up, else the youngest counts, and its own keys win');
select worker.enqueue('act', '{"children": [{"children": [{"info": {"rows": 1}}, {"info": {"rows": 1}}]}, {"info": {"rows": 5}}]}') as id \gset
call worker.process_tasks();
select is(test.info(:id), '{"rows": 7}', 'through every generation');
select * from finish();
rollback;
