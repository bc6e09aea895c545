-- internal.import_lines(_text), queues.import_schedules(_text, _function, _zone, _is_dry_run)
-- Makes schedules from the lines of a crontab or, without a text, from pg_cron's table cron.job.  Each line is answered with the
-- schedule that it makes, or with the reason why it makes none.  A dry run makes none, but checks all.
-- Work: "select f()" or "call f()", alone or as psql -c "...", is the registered function f.  Any other command becomes a task of
-- _function, if it is given, with the command in its payload (command_line).
create or replace function internal.import_lines(_text text)
    returns table (line integer, name text, expression text, zone text, command text, is_active boolean)
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _line record;
    _part text[];
    _zone text;
    _name text;
begin
    for _line in select l.text, l.n from regexp_split_to_table(_text, E'\r?\n') with ordinality as l(text, n) loop
        _part := regexp_match(_line.text, '^\s*(?:CRON_TZ|TZ)\s*=\s*["'']?([^"''\s]+)');
        if _part is not null then
            _zone := _part[1];
            continue;
        end if;
        _part := regexp_match(_line.text, '^\s*#\s*name:\s*(\S+)');
        if _part is not null then
            _name := _part[1];
            continue;
        end if;
        continue when _line.text ~ '^\s*(#|$)' or _line.text ~ '^\s*[A-Za-z_][A-Za-z0-9_]*\s*=';
        _part := regexp_match(_line.text, '^\s*(@\S+|(?:\S+\s+){4}\S+)\s+(.*\S)\s*$');
        line := _line.n;
        name := coalesce(_name, 'crontab-' || _line.n);
        expression := coalesce(regexp_replace(_part[1], '\s+', ' ', 'g'), left(_line.text, 128));
        zone := _zone;
        command := _part[2];
        is_active := true;
        _name := null;
        return next;
    end loop;
end
$$;
comment on function internal.import_lines(text) is 'The lines of a crontab.';

create or replace function queues.import_schedules(_text text default null, _function text default null, _zone text default null,
        _is_dry_run boolean default true)
    returns table (line integer, schedule_name text, expression text, work text, words text, problem text)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _job record;
    _jobs refcursor;
    _part text[];
    _payload jsonb;
    _answer jsonb;
begin
    if octet_length(_text) > 1048576 then
        raise exception using errcode = '54000', message = format('crontab of %s bytes is over the limit of 1048576 bytes', octet_length(_text));
    end if;
    if octet_length(_function) > 256 or octet_length(_zone) > 128 then
        raise exception using errcode = '54000', message = 'function or time zone is longer than any name';
    end if;
    if _text is not null then
        open _jobs for select l.line, l.name, l.expression, l.zone, l.command, l.is_active from internal.import_lines(_text) as l;
    else
        -- With the rights of the caller.  pg_cron writes the last day of a month as $, and short intervals as "30 seconds".
        open _jobs for execute
            'select j.jobid::integer as line, coalesce(j.jobname, ''pg_cron-'' || j.jobid)::text as name, '
            'case when j.schedule ~* ''^[0-9]+ seconds?$'' then ''every '' || j.schedule else replace(j.schedule, ''$'', ''L'') end as expression, '
            'coalesce(nullif(current_setting(''cron.timezone'', true), ''''), ''GMT'') as zone, j.command, j.active as is_active '
            'from cron.job as j where j.database = current_database() order by j.jobid';
    end if;
    loop
        fetch _jobs into _job;
        exit when not found;
        line := _job.line;
        schedule_name := regexp_replace(regexp_replace(_job.name, '[^A-Za-z0-9_.:/-]+', '-', 'g'), '^[^A-Za-z0-9]+', '');
        expression := _job.expression;
        work := null;
        words := null;
        problem := null;
        _part := regexp_match(_job.command, '(?:^|\s)-c\s*(["''])(.*)\1');
        _part := regexp_match(coalesce(_part[2], _job.command), '^\s*(?:select|call|perform)\s+(?:\*\s+from\s+)?([A-Za-z_][A-Za-z0-9_.]*)\s*\(\s*\)\s*;?\s*$', 'i');
        if _part is not null then
            work := _part[1];
            _payload := '{}';
        elsif _function is not null then
            work := _function;
            _payload := jsonb_build_object('command_line', _job.command);
        else
            problem := 'the command is no call of a function without arguments; name a function that gets it as command_line';
            return next;
            continue;
        end if;
        begin
            _answer := queues.schedule(schedule_name, _job.expression, _function => work, _payload => _payload,
                                       _zone => coalesce(_job.zone, _zone));
            words := _answer->>'words';
            if not _job.is_active then
                perform queues.pause_schedule(schedule_name, 'not active when it was imported');
            end if;
            if _is_dry_run then
                raise exception using errcode = 'QU010', message = 'the trial ends here';
            end if;
        exception
            when sqlstate 'QU010' then null;
            when others then problem := sqlerrm;
        end;
        return next;
    end loop;
    close _jobs;
end
$$;
comment on function queues.import_schedules(text, text, text, boolean) is 'Makes schedules from a crontab or from pg_cron''s jobs.';
