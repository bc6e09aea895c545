begin;
select plan(5);
select throws_ok($$select worker.enqueue('merged', '{"kind": "a", "ids": 5}')$$, '22023', 'payload key "ids" must be an array: its merge rule is union', 'a union of no array');
select throws_ok($$select worker.enqueue('merged', '{"kind": "a", "n": "many"}')$$, '22023', 'payload key "n" must be a number: its merge rule is sum', 'a sum of no number');
select lives_ok($$select worker.enqueue('merged', '{"kind": "a", "ids": null, "n": null}')$$, 'null is nothing to fold');
select lives_ok($$select worker.enqueue('merged', '{"kind": "a", "until": {"any": "thing"}}')$$, 'anything can be compared');
select is((select count(*) from queues.ready), 1::bigint, 'what was refused left nothing');
select * from finish();
rollback;
