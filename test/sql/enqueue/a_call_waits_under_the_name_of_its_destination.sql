-- slow: make check leaves this file out
begin;
select plan(24);
create function pg_temp.destination(_task bigint) returns text language sql as $$
    select r.destination from queues.ready as r where r.task_id = _task $$;
select is(pg_temp.destination(queues.enqueue('http', '{"request": {"url": "https://Example.com/a?b"}}')), 'example.com', 'a request in the payload');
select is(pg_temp.destination(queues.enqueue('http', '{"request": {"url": "https://example.com/"}}', _dedup_key => 'k')), 'example.com', 'with a key');
select is(pg_temp.destination(queues.enqueue('http', '{"request": {"url": "https://other.example/"}}', _dedup_key => 'k', _dedup_policy => 'merge')),
          'other.example', 'which a merge may change');
select is(pg_temp.destination(queues.enqueue_many('http', array['{"request": {"url": "http://many.example:8080/"}}'::jsonb])), 'many.example:8080', 'one of many');
select is(pg_temp.destination(queues.enqueue('http', '{"before_handler": "test.before", "request": {"url": "https://example.com/"}}')), null,
          'only its before handler knows');
select is(pg_temp.destination(queues.enqueue('http', '{}')), null, 'no request');
select is(pg_temp.destination(queues.enqueue('http', '{"request": "odd"}')), null, 'a request that is none');
select is(pg_temp.destination(test.enqueue_email()), '/email', 'the provider of e-mail');
select is(pg_temp.destination(queues.enqueue('sms', '{"before_handler": "test.before"}')), '/sms', 'of SMS');
select is(pg_temp.destination(queues.enqueue('file_delete', '{"before_handler": "test.before"}')), '/file_delete', 'of files');
select is(pg_temp.destination(test.enqueue()), null, 'a function goes nowhere');

select is(internal.job_host(u.url), 'example.com', u.url)
from unnest(array['https://example.com', 'HTTPS://EXAMPLE.COM/', 'https://example.com:443/x', 'http://example.com:80?x', 'https://u:p@example.com/',
                  'https://example.com./', 'https://example.com:0443/']) with ordinality as u(url, n) order by u.n;
select is(internal.job_host('https://example.com:80/'), 'example.com:80', 'a port that is not the usual one');
select is(internal.job_host('https://[2001:DB8::1]:8443/'), '[2001:db8::1]:8443', 'an address');
select is(internal.job_host('nonsense'), null, 'no URL');
select is(length(internal.job_host('https://' || repeat('x', 100000) || '/')), 253, 'a name has a bound');

select is((select count(*) from internal.expected_ready as e join queues.ready as r using (task_id)
           where e.destination is distinct from r.destination), 0::bigint, 'the facts say the same');
update queues.ready set destination = 'lost.example';
delete from queues.ready;
select queues.rebuild_working_set();
select is((select string_agg(distinct coalesce(r.destination, '-'), ' ' order by coalesce(r.destination, '-')) from queues.ready as r),
          '- /email /file_delete /sms example.com many.example:8080 other.example', 'and can be asked');
select * from finish();
rollback;
