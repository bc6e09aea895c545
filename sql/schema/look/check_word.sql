-- internal.check_word(_what, _value, _words)
-- Refuses a value that is not among these words, and shows them.
create or replace function internal.check_word(_what text, _value text, _words text[]) returns void
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $$
begin
    if _value <> all(_words) then
        raise exception using errcode = '22023', message = format('%s "%s" is not one of %s', _what, left(_value, 64), array_to_string(_words, ', '));
    end if;
end
$$;
comment on function internal.check_word(text, text, text[]) is 'Refuses a value that is not among these words.';
