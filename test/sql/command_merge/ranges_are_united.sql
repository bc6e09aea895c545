begin;
select plan(6);
set local client_min_messages = error;
select case when current_setting('server_version_num')::integer < 140000 then 13 else 14 end as version \gset
\if `test :version -ge 14 && echo true || echo false`
select is(internal.fold_payload('{"r": "range_union"}', array['{"r": "[1,3)"}', '{"r": "{[3,5),[9,10)}"}', '{"r": "empty"}']::jsonb[]), '{"r": "{[1,5),[9,10)}"}', 'ranges and multiranges');
select is(internal.fold_payload('{"r": "range_union"}', array['{"r": "empty"}', '{"r": "{}"}']::jsonb[]), '{"r": "{}"}', 'nothing and nothing');
select is(internal.fold_payload('{"r": "range_union:datemultirange"}', array['{"r": "[2026-01-01,2026-01-03]"}', '{"r": "[2026-01-04,2026-01-05]"}']::jsonb[]), '{"r": "{[2026-01-01,2026-01-06)}"}', 'of days');
select worker.register_command('x', 'test.plain', 'default', p_dedup_keys => '{}', p_merge_rules => '{"r": "range_union"}');
select throws_ok($$select worker.enqueue('x', '{"r": "from here"}')$$, '22023', null, 'what is no range is refused when it is enqueued');
select throws_ok($$select worker.enqueue('x', '{"r": 5}')$$, '22023', null, 'also a number');
select lives_ok($$select worker.enqueue('x', '{"r": "[1,2)"}')$$, 'a range is taken');
\else
select throws_ok($$select worker.register_command('x', 'test.plain', 'default', p_merge_rules => '{"r": "range_union"}')$$, '0A000', null, 'this server has no multiranges');
select pass('') from generate_series(1, 5);
\endif
select * from finish();
rollback;
