begin;
select plan(32);
create function pg_temp.refused(_columns text, _values text) returns text language plpgsql as $$
begin
    execute format('insert into pgqueue.job_queue (%s) values (%s)', _columns, _values);
    return '00000';
exception when others then
    return sqlstate || ' ' || sqlerrm;
end $$;
select is(pg_temp.refused('payload', '''{}'''), '22004 url must not be null', 'no url');
select is(pg_temp.refused('url', quote_literal(u)), format('22023 url "%s" is not of a known form', u), u)
from unnest(array['ftp://example.com/', 'example.com', '', 'https:///x', 'http://', 'javascript:alert(1)', 'https://exa mple.com/', E'https://x/\ny']) as u;
select is(left(pg_temp.refused('url, headers', quote_literal('/x') || ', ' || quote_literal(h)), 5), '22023', 'headers ' || h)
from unnest(array['[]', '"a"', '{"a b": "c"}', '{"": "c"}', '{"a": "c\r\nd"}', '{"a": "c\u0001"}', '{"a": "\u009b"}', '{"a": "c\u007fd"}', '{"a": {}}', '{"a": null}', '{"Host": "x"}', '{"a:b": "x"}']) as h;
select is(pg_temp.refused('url, retry_limit', '''/x'', -1'), '22023 retry_limit -1 is not between 0 and 100', 'retry_limit below 0');
select is(pg_temp.refused('url, retry_limit', '''/x'', 101'), '22023 retry_limit 101 is not between 0 and 100', 'or over 100');
select is(left(pg_temp.refused('url, job_type', '''/x'', ''TRACE'''), 5), '22P02', 'unknown job type');
select is(left(pg_temp.refused('url, signing_alg', '''/x'', ''sha3'''), 5), '22P02', 'unknown algorithm');
select is(left(pg_temp.refused('url, signing_style, signing_alg', '''/x'', ''STANDARD_WEBHOOKS'', ''sha512'''), 5), '22023', 'another algorithm than the scheme has');
select is(left(pg_temp.refused('url, run_at', '''/x'', ''infinity'''), 5), '22008', 'a time that never comes');
select is(left(pg_temp.refused('url, payload', format('%L, to_jsonb(repeat(%L, 1100000))', '/x', 'a')), 5), '54000', 'payload over the limit');
select is(left(pg_temp.refused('url, job_type', '''no_such'', ''FUNC'''), 5), '42501', 'a function that is not registered');
select is(pg_temp.refused('url, job_jwt', '''/x'', ''from_session'''), '22023 authorization header not found in the request', 'no session');
select is(left(pg_temp.refused('url, job_id', '''/x'', 7'), 5), '0A000', 'an id of its own');
select is(left(pg_temp.refused('url, job_status', '''/x'', ''completed'''), 5), '0A000', 'a status of its own');
select * from finish();
rollback;
