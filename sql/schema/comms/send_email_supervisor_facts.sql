-- comms.send_email_supervisor_facts(_send_email_task_id)
-- All that the supervisor of an e-mail decides by, in one query.  Lost: an attempt without an
-- outcome whose task has ended or is gone.  Written with inner selects by key: their plan stays
-- right while the tables grow.
create or replace function comms.send_email_supervisor_facts(_send_email_task_id bigint, out has_success boolean,
        out num_failures integer, out num_attempts integer, out num_scheduled integer, out num_lost integer,
        out num_in_doubt integer)
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp set enable_seqscan = off
as $$
declare
    _out bigint[]; -- tasks of attempts without an outcome
begin
    select coalesce(bool_or(o.has_success), false), count(o.in_doubt), count(*), count(*), count(*) filter (where o.in_doubt), 0,
           array_agg(o.task_id) filter (where o.has_success is null and o.in_doubt is null)
    into has_success, num_failures, num_attempts, num_scheduled, num_in_doubt, num_lost, _out
    from (select a.task_id,
                 (select true from comms.send_email_attempt_succeeded as s
                  where s.send_email_attempt_id = a.send_email_attempt_id) as has_success,
                 (select f.in_doubt from comms.send_email_attempt_failed as f
                  where f.send_email_attempt_id = a.send_email_attempt_id) as in_doubt
          from comms.send_email_attempt as a
          where a.send_email_task_id = _send_email_task_id offset 0) as o;
    if _out is not null then
        num_lost := internal.count_ended_tasks(_out);
    end if;
end
$$;
comment on function comms.send_email_supervisor_facts(bigint) is 'Facts by which the supervisor of an e-mail decides.';
