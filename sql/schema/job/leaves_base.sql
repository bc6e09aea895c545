-- internal.leaves_base(_path)
-- Could the path of an edge function lead out of the base URL, for any reader on its way?  It could with a dot segment in any
-- spelling, a backslash, an empty first segment, a control character, or an escape that is broken, stands for another escape, or
-- is no UTF-8.  The query does not matter.
create or replace function internal.leaves_base(_path text) returns boolean
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _plain constant text := lower(substring(_path from '^[^?#]*'));
begin
    return _plain !~ '^/'
        or _plain ~ '^/(/|%2f)'
        or _plain ~ '[\\[:cntrl:]]'
        or _plain ~ '%(?![0-9a-f]{2})'
        or _plain ~ '%([01][0-9a-f]|5c|7f|c[01])'
        or _plain ~ '%25([0-9a-f]|%3[0-9]|%[46][1-6]){2}'
        or _plain ~ '(^|/|%2f)(\.|%2e){1,2}(/|%2f|;|%3b|$)';
end
$$;
comment on function internal.leaves_base(text) is 'Could a path lead out of its base URL?';
