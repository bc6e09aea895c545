-- pgqueue.job_queue
-- Every job, its state and its answer.  The view takes inserts (internal.insert_job) and two kinds of updates
-- (internal.update_job).  It never shows secrets; bodies and headers are for operators.
create or replace view pgqueue.job_queue as
select j.job_id, j.job_owner, coalesce(c.available_at, t.scheduled_at, j.run_at) as run_at, j.job_type,
       case when o.sees_all then j.url else internal.shown_url(j.url) end as url,
       case when o.sees_all then j.payload end as payload, case when o.sees_all then j.headers end as headers,
       case when j.has_token then '[set]'::text end as job_jwt, null::bytea as signing_secret, j.signing_vault,
       coalesce(j.signing_header, 'X-HMAC-Signature') as signing_header,
       coalesce(j.signing_style, 'HMAC'::pgqueue.signing_styles) as signing_style,
       coalesce(j.signing_alg, 'sha256'::pgqueue.signing_algs) as signing_alg,
       coalesce(j.signing_enc, 'hex'::pgqueue.signing_encs) as signing_enc,
       coalesce(j.retry_limit::integer, 10) as retry_limit,
       case when e.job_id is not null then e.job_status
            when (select true from queues.running as w where w.task_id = r.task_id limit 1) then 'processing'::pgqueue.job_status
            when r.retry_count > 0 then 'failed'::pgqueue.job_status
            else 'new'::pgqueue.job_status end as job_status,
       j.created_at, l.leased_at as last_at, coalesce(e.retry_count, r.retry_count) as retry_count,
       case when e.response_status is not null or e.response_content is not null then e.response_status
            else f.response_status end as response_status,
       case when not o.sees_all then null
            when e.response_status is not null or e.response_content is not null then e.response_content
            else f.response_content end as response_content,
       case when not o.sees_all then null
            when e.response_status is not null or e.response_content is not null then e.response_headers
            else f.response_headers end as response_headers,
       j.retry_5xx, j.timeout, coalesce(j.priority, 0) as priority, j.job_uuid, j.parent_job_id, j.root_job_id,
       coalesce(j.depth::integer, 0) as depth, j.webhook_id, r.task_id
from pgqueue.job as j
cross join (select pg_has_role('queues_operator', 'member') as sees_all) as o
left join lateral (select k.job_run, k.task_id, k.retry_count from pgqueue.job_run as k where k.job_id = j.job_id
                   order by k.job_run desc limit 1) as r on true
left join lateral (select x.* from pgqueue.job_ended as x where x.job_id = j.job_id and x.job_run >= r.job_run
                   order by x.end_no desc limit 1) as e on true
left join queues.task as t on t.task_id = r.task_id
left join lateral (select x.available_at from queues.task_changed as x where x.task_id = r.task_id
                   order by x.change_no desc limit 1) as c on true
left join lateral (select x.leased_at from pgqueue.job_run as k join queues.task_lease as x on x.task_id = k.task_id
                   where k.job_id = j.job_id order by k.job_run desc, x.lease_no desc limit 1) as l on true
left join lateral (select x.response_status, x.response_content, x.response_headers from pgqueue.failed_log as x
                   where x.job_id = j.job_id order by x.job_run desc limit 1) as f on true;
comment on view pgqueue.job_queue is 'Jobs with their state and answer. Insert a row to run a job.';
