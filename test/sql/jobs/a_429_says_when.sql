begin;
select plan(13);
set local timezone = 'Pacific/Auckland'; -- a date without a zone is one of GMT, wherever the server stands
create temp table says (header text, now timestamptz, wait integer);
insert into says values ('7', now(), 7), ('0', now(), 1), ('-1', now(), 1), ('999999999', now(), 86400), (null, now(), 600), ('', now(), 600),
    ('soon', now(), 600), ('Wed, 21 Oct 2015 07:28:00 GMT', '2015-10-21T07:27:00Z', 60), ('Wed, 21 Oct 2015 07:28:00 GMT', '2015-10-21T08:00:00Z', 1),
    ('Wed Oct 21 07:28:00 2015', '2015-10-21T07:27:00Z', 60), ('Wed, 21 Oct 2115 07:28:00 GMT', '2015-10-21T07:27:00Z', 86400),
    ('Wed, 99 Oct 2015 07:28:00 GMT', '2015-10-21T07:27:00Z', 600);
select is(extract(epoch from internal.retry_after(header, now))::integer, wait, coalesce(header, 'nothing')) from says;
select test.job() as id \gset
select test.answer_job(:id, 429, '{"retry-after": "7"}');
select is(test.job_wait(:id), 7.000, 'and so the job waits');
select * from finish();
rollback;
