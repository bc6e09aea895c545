begin;
select plan(7);
select queues.create_queue('narrow', _max_running => 5);
select queues.create_queue('paused');
select test.enqueue(_at => now() - interval '10 s') as early \gset
select test.enqueue(_at => now() - interval '9 s', _priority => 7) as early_and_less_urgent \gset
select test.enqueue(_at => now() - interval '3 s') as late \gset
select test.enqueue(_at => now() - interval '10 s', _queue => 'narrow') as narrow \gset
select test.enqueue(_at => now() - interval '10 s', _queue => 'paused') as paused \gset
select set_eq($$select task_id from queues.claim(test.worker(), _queues => array['default'], _limit => 10, _hints => '{"*": 5}')$$,
              array[:late], 'of lanes without a hint, what was due so many seconds ago is passed over');
select is((select count(*) from queues.claim(test.worker(), _queues => array['default'], _limit => 10,
                                             _hints => jsonb_build_object('*', 5, 'default', jsonb_build_object('0', now() - interval '9.5 s')))),
          1::bigint, 'a hint of its own goes first');
select set_eq($$select task_id from queues.claim(test.worker(), _queues => array['narrow'], _limit => 10, _hints => '{"*": 5}')$$,
              array[:narrow], 'a queue with a limit may have had no room, so it is looked at from the front');
update queues.queue set paused_until = now() - interval '2 s' where queue = 'paused';
select set_eq($$select task_id from queues.claim(test.worker(), _queues => array['paused'], _limit => 10, _hints => '{"*": 5}')$$,
              array[:paused], 'so is one whose pause has ended since');
select set_eq($$select task_id from queues.claim(test.worker(), _queues => array['default'], _limit => 10)$$,
              array[:early_and_less_urgent], 'a claim from the front finds what is left');
select test.enqueue(_at => now() - interval '3 s') as first \gset
select test.enqueue(_at => now() - interval '3 s') as second \gset
select is((select task_id from queues.claim(test.worker(), _queues => array['default'], _limit => 10,
              _hints => jsonb_build_object('default', jsonb_build_object('0', jsonb_build_array(now() - interval '3 s', :first))))),
          :second, 'a hint with a task starts right behind it');
select is((select task_id from queues.claim(test.worker(), _queues => array['default'], _limit => 10)), :first, 'and no further');
select * from finish();
rollback;
