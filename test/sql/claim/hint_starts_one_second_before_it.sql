begin;
select plan(2);
select test.enqueue(_at => now() - interval '10 s') as early \gset
select test.enqueue(_at => now() - interval '1.5 s') as late \gset
select is((select task_id from queues.claim(test.worker(), _hints => jsonb_build_object('default', jsonb_build_object('0', now() - interval '1 s')))),
          :late, 'what lies before the hint is passed over, with an overlap of a second');
select is((select task_id from queues.claim(test.worker())), :early, 'and found by a claim from the front');
select * from finish();
rollback;
