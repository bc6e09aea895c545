begin;
select plan(17);
create temp table written (url text, host text);
insert into written values
    ('https://example.com', 'example.com'), ('HTTPS://example.com/x', 'example.com'), ('hTTp://EXAMPLE.com', 'example.com'),
    ('https://example.com.', 'example.com'), ('https://example.com:443/', 'example.com'), ('https://example.com:0443', 'example.com'),
    ('https://example.com:/x', 'example.com'), ('http://example.com:80?q', 'example.com'), ('https://u:p@example.com#f', 'example.com'),
    ('https://u@v@example.com', 'example.com'), ('https://example.com:80', 'example.com:80'), ('HTTP://example.com:443', 'example.com:443'),
    ('https://[2001:DB8::1]/', '[2001:db8::1]'), ('https://[2001:db8::1]:8443/', '[2001:db8::1]:8443'), ('/name', '/'),
    ('https:///x', null);
select is(internal.job_host(url), host, url) from written;
select test.job(_url => 'HTTPS://Example.com:443/a') as id \gset
select is((select destination from queues.ready where task_id = (select max(task_id) from queues.task)), 'example.com', 'and so the job waits for its place');
select * from finish();
rollback;
