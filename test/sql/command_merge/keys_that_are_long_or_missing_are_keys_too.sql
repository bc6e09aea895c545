begin;
select plan(4);
select is(worker.enqueue('merged', '{}'), worker.enqueue('merged', '{"kind": null}'), 'missing and null are the same');
select isnt(worker.enqueue('merged', '{"kind": "null"}'), worker.enqueue('merged', '{}'), 'the text null is not');
select is(worker.enqueue('merged', jsonb_build_object('kind', repeat('x', 5000))), worker.enqueue('merged', jsonb_build_object('kind', repeat('x', 5000))), 'long ones are the same');
select isnt(worker.enqueue('merged', jsonb_build_object('kind', repeat('x', 5000))), worker.enqueue('merged', jsonb_build_object('kind', repeat('x', 5001))), 'or not');
select * from finish();
rollback;
