-- Hints say where the worker last was; a priority without one starts at the front.
begin;
select plan(4);
select test.enqueue(_priority => 5) as five \gset
select is((select task_id from queues.claim(test.worker(), _hints => jsonb_build_object('default', jsonb_build_object('0', now(), '9', now())))),
          :five, 'between two hints');
select test.enqueue(_priority => -3) as low \gset
select is((select task_id from queues.claim(test.worker(), _hints => jsonb_build_object('default', jsonb_build_object('0', now(), '9', now())))),
          :low, 'below all hints');
select test.enqueue(_priority => 9223372036854775807) as last \gset
select is((select task_id from queues.claim(test.worker(), _hints => jsonb_build_object('default', jsonb_build_object('0', now(), '9', now())))),
          :last, 'the largest priority');
select test.enqueue(_priority => (-9223372036854775808)) as first \gset
select is((select task_id from queues.claim(test.worker(), _hints => jsonb_build_object('default', jsonb_build_object('-9223372036854775808', now(), '9223372036854775807', now())))),
          :first, 'the smallest priority, hinted');
select * from finish();
rollback;
