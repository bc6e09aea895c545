-- pgqueue.webhooks
-- The webhooks, without their secrets.
create or replace view pgqueue.webhooks as
select w.webhook_id, w.name, w.table_schema, w.table_name, w.events,
       case when pg_has_role('queues_operator', 'member') then w.url else internal.shown_url(w.url) end as url, w.enabled, w.disabled_reason, w.columns, w.changed_only,
       w.condition, w.jwt_source, w.has_secret, w.signing_vault, w.signing_header, w.signing_style, w.signing_alg, w.signing_enc,
       w.retry_limit, w.retry_5xx, w.created_at, w.created_by
from pgqueue.webhook as w;
comment on view pgqueue.webhooks is 'Webhooks on tables.';
