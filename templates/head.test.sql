-- Test of {{full}} for psql.  Everything happens in one transaction that is rolled back, with a clock that the test moves:
-- hours pass in a moment, no worker is needed, nobody outside is called, and nothing stays.  Apply {{stem}}.sql first.
--   psql -f {{stem}}.test.sql
-- Run it as a superuser, or on a test server as a member of queues_owner and worker_service_user.
\set ON_ERROR_STOP on
\set QUIET on
begin;
set local plpgsql.check_asserts = on;
do $$ begin perform queues.set_test_clock('2030-01-01 09:00+00'); end $$;

