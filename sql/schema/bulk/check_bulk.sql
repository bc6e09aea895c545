-- internal.check_bulk(_act)
-- Refuses a filter that is unknown, too long, or has no meaning for the kind of the act; and an act without any filter that does not say so.
create or replace function internal.check_bulk(_act queues.bulk_act) returns void
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _useless text;
    _words text[];
begin
    if _act.kind is null or _act.kind not in ('task_retry', 'task_cancel', 'process_revive', 'job_retry', 'job_cancel') then
        raise exception using errcode = '22023', message = format('kind "%s" is not one of task_retry, task_cancel, process_revive, job_retry, job_cancel',
            coalesce(left(_act.kind, 64), 'null'));
    end if;
    perform internal.check_text('outcome', _act.outcome, 256), internal.check_text('type', _act.type, 256), internal.check_text('queue', _act.queue, 256),
            internal.check_text('state', _act.state, 64), internal.check_text('pattern', _act.error_like, 1024), internal.check_text('url', _act.url, 2048),
            internal.check_text('reason', _act.reason, 1024);
    _useless := case
        when _act.outcome is not null and _act.kind in ('task_cancel', 'job_cancel') then 'outcome'
        when _act.state is not null and _act.kind not in ('task_cancel', 'job_cancel') then 'state'
        when _act.queue is not null and _act.kind not in ('task_retry', 'task_cancel') then 'queue'
        when _act.url is not null and _act.kind not in ('job_retry', 'job_cancel') then 'url'
        when _act.reason is not null and _act.kind <> 'task_cancel' then 'reason' end;
    if _useless is not null then
        raise exception using errcode = '22023', message = format('%s has no meaning for %s', _useless, _act.kind);
    end if;
    _words := case when _act.outcome is not null and _act.kind = 'task_retry' then array['failed', 'cancelled', 'quarantined', 'in_doubt', 'succeeded', 'non_success', 'superseded']
                   when _act.outcome is not null and _act.kind = 'job_retry' then array['completed', 'redirected', 'server_error', 'too_many', 'other']
                   when _act.state is not null and _act.kind = 'task_cancel' then array['ready', 'scheduled', 'running', 'executing', 'waiting', 'blocked', 'handler_pending']
                   when _act.state is not null and _act.kind = 'job_cancel' then array['new', 'failed', 'processing'] end;
    if coalesce(_act.outcome, _act.state) <> all(_words) then
        raise exception using errcode = '22023', message = format('"%s" is not one of %s', left(coalesce(_act.outcome, _act.state), 64), array_to_string(_words, ', '));
    end if;
    if not isfinite(_act.since) or not isfinite(_act.until) or _act.since >= _act.until then
        raise exception using errcode = '22008', message = 'since and until must be finite, and since must come first';
    end if;
    if not _act.is_all and not _act.by_ids
       and num_nonnulls(_act.outcome, _act.type, _act.queue, _act.state, _act.since, _act.until, _act.error_like, _act.url) = 0 then
        raise exception using errcode = '22023', message = format('%s has no filter', _act.kind), hint = 'Give a filter, or say that all are meant (_all => true, --all).';
    end if;
end
$$;
comment on function internal.check_bulk(queues.bulk_act) is 'Refuses a filter without a meaning.';
