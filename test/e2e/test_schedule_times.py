"""The times of schedules: expressions against croniter, and zones against a slow and obvious second implementation.

EXPRESSIONS and ZONES say how much is tried; `make check-schedule-times` tries everything.

Decided differences from croniter:
- Seconds come first here, last there.
- Here, as in cron, a day field that begins with a star (*/2, too) does not count as restricted; there every field does that leaves out a value.
- Here, as in cron, a field that names all its values is restricted; there it counts as a star.
- Here 5/2 in the day of week ends with Saturday; there with the Sunday after it.  In cron it is an error.
- Here a list may mix weekdays and MON#2, or days and L; there it may not.
- Here "L" or "MON#2" beside another restricted day means either of them, as always; there both must match.
- There, from the end of a short month, the first day of the next month is passed over if a list has a day that the short month lacks
  (*/10 on February 26).  Its own match() finds that day, and so do we.
"""
import datetime
import os
import random
import zoneinfo

import pytest

croniter = pytest.importorskip("croniter").croniter
UTC = datetime.timezone.utc
FIELDS = {"minute": (0, 59), "hour": (0, 23), "day": (1, 31), "month": (1, 12), "weekday": (0, 6)}
MONTHS = "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split()
WEEKDAYS = "SUN MON TUE WED THU FRI SAT".split()


def random_item(rng, name, low, high):
    a, b = sorted((rng.randint(low, high), rng.randint(low, high)))

    def show(value):
        names = {"month": MONTHS, "weekday": WEEKDAYS}.get(name)
        if names and rng.random() < 0.3:
            return rng.choice((str.upper, str.lower))(names[value - low])
        return str(value)

    kind = rng.random()
    if kind < 0.45:
        return show(a)
    if kind < 0.75:
        return f"{show(a)}-{show(b)}"
    if kind < 0.9:
        return f"{show(a)}-{show(b)}/{rng.randint(1, high - low + 1)}"
    return f"{a}/{rng.randint(1, high - low + 1)}" if name != "weekday" else show(b)


def random_field(rng, name, low, high, wild):
    if rng.random() < wild:
        return "*"
    if rng.random() < 0.2:
        return f"*/{rng.randint(1, high - low + 1)}"
    if name == "day" and rng.random() < 0.1:
        return "L"
    if name == "weekday" and rng.random() < 0.1:
        return f"{rng.choice(WEEKDAYS)}#{rng.randint(1, 5)}"
    return ",".join(random_item(rng, name, low, high) for _ in range(rng.choice((1, 1, 1, 2, 3))))


def random_expression(rng):
    wild = rng.choice((0.2, 0.5, 0.8))
    fields = [random_field(rng, name, low, high, wild) for name, (low, high) in FIELDS.items()]
    if rng.random() < 0.25:
        fields.insert(0, random_field(rng, "second", 0, 59, wild))
    return fields


def names_all(field, low, high):
    """Does a field without a star name all values?  croniter takes it for a star then."""
    values = set()
    for item in field.upper().split(","):
        if "#" in item or item == "L":
            return False
        span, _, step = item.partition("/")
        for i, name in enumerate(MONTHS if high == 12 else WEEKDAYS):
            span = span.replace(name, str(i + low))
        first, _, last = span.partition("-")
        last = last or (str(high) if step else first)
        values.update(range(int(first), int(last) + 1, int(step or 1)))
    return len(values) == high - low + 1


def reference(fields, start, count):
    """The next times by croniter, with our decisions put in its words.  None: it cannot say."""
    *seconds, minute, hour, day, month, weekday = fields
    day_or = True
    if ("#" in weekday and day != "*") or (day == "L" and weekday != "*"):
        return None
    if day.startswith("*") or weekday.startswith("*"):
        day_or = False  # */2 and a weekday: both must match
    else:
        full_day, full_weekday = names_all(day, 1, 31), names_all(weekday, 0, 6)
        if full_day or full_weekday:
            day = weekday = "*"  # one of the two always matches
    expression = " ".join([minute, hour, day, month, weekday, *seconds])
    try:
        times = croniter(expression, start, day_or=day_or)
        return [times.get_next(datetime.datetime) for _ in range(count)], lambda at: croniter.match(expression, at, day_or)
    except Exception:  # its errors have many types; "never within 50 years" is among them
        return None


NEXT = """
select x.n, case when t.times is null then null else t.times end
from unnest(%s::text[], %s::timestamptz[]) with ordinality as x(expression, start, n)
cross join lateral t.next_times(x.expression, x.start) as t(times) order by x.n
"""
HELPER = """
create or replace function t.next_times(_expression text, _at timestamptz) returns timestamptz[] language plpgsql as $$
declare _cron internal.cron; _times timestamptz[] := '{}';
begin
    _cron := internal.parse_cron(_expression);
    for _i in 1 .. 3 loop
        _at := internal.next_cron_slot(_cron, 'UTC', _at);
        _times := _times || _at;
    end loop;
    return _times;
exception when sqlstate '22023' then return null;
end $$;
create or replace function t.slots(_expression text, _zone text, _from timestamptz, _to timestamptz,
                                   out slots timestamptz[], out counted bigint, out newest timestamptz) language plpgsql as $$
declare _plan internal.plan := internal.parse_when(_expression, _zone); _at timestamptz := _from;
begin
    slots := '{}';
    loop
        _at := internal.next_slot(_plan, _at);
        exit when _at is null or _at > _to;
        slots := slots || _at;
    end loop;
    counted := internal.count_slots(_plan, _from, _to);
    newest := internal.last_slot(_plan, _from, _to);
end $$;
"""


def test_expressions_agree_with_croniter(db):
    wanted = int(os.environ.get("EXPRESSIONS", 3000))
    rng = random.Random(int(os.environ.get("SEED", 17)))
    db.run(HELPER)
    compared, never, left_out, passed_over = 0, 0, 0, 0
    while compared < wanted:
        cases = []
        for _ in range(min(2000, wanted - compared + 50)):
            fields = random_expression(rng)
            start = datetime.datetime(2000, 1, 1, tzinfo=UTC) + datetime.timedelta(seconds=rng.randint(0, 60 * 365 * 86400))
            cases.append((fields, start))
        rows = db.rows(NEXT, [" ".join(f) for f, _ in cases], [s for _, s in cases])
        for (fields, start), (_, ours) in zip(cases, rows):
            theirs = reference(fields, start, 3)
            if ours is None or theirs is None:
                # We refuse what never comes; croniter finds nothing then.  It refuses some lists that we take.
                assert ours is not None or theirs is None, (fields, start, theirs)
                never += ours is None
                left_out += ours is not None
                continue
            compared += 1
            times, is_match = theirs
            if ours != times:
                at, other = next(pair for pair in zip(ours, times) if pair[0] != pair[1])
                assert at < other and is_match(at), (" ".join(fields), start, at, other)
                passed_over += 1
    print(f"{compared} expressions compared; {never} never come; {left_out} croniter cannot say;"
          f" {passed_over} times it passes over a match of its own")
    assert left_out < compared / 5 and passed_over < compared / 50


EXPRESSIONS = ["30 2 * * *", "*/20 * * * *", "15 */2 * * *", "0 0 * * *", "*/15 1,2 * * *", "0 3 * * *", "59 23 * * *", "10 0-5 * * *",
               "0 * * * 0", "30 0,1,2,3 * * SUN,FRI", "*/30 2-3 L,28-31 * *"]


def field_values(field, low, high):
    values = set()
    for item in field.split(","):
        span, _, step = item.partition("/")
        for i, name in enumerate(WEEKDAYS):
            span = span.replace(name, str(i))
        first, last = (low, high) if span == "*" else (int(x) for x in (span.split("-") * 2)[:2])
        values.update(range(first, last + 1, int(step or 1)))
    return values


def matches(expression, local):
    minute, hour, day, month, weekday = expression.split()
    is_last = (local + datetime.timedelta(days=1)).month != local.month and "L" in day
    day_ok = is_last or local.day in field_values(day.replace("L,", ""), 1, 31)
    weekday_ok = (local.weekday() + 1) % 7 in field_values(weekday, 0, 6)
    both = day_ok or weekday_ok if "*" not in day and "*" not in weekday else day_ok and weekday_ok
    return (local.minute in field_values(minute, 0, 59) and local.hour in field_values(hour, 0, 23)
            and local.month in field_values(month, 1, 12) and both)


def slow_slots(expression, clock):
    """All slots, by looking at every minute.  clock: pairs of an instant and what the wall clock shows then, minute by minute."""
    hour = expression.split()[1]
    if hour == "*" or (hour.startswith("*/")):
        return [at for at, local in clock if matches(expression, local)]
    first_seen = {}
    for at, local in clock:
        first_seen.setdefault(local, at)
    slots, local, latest = set(), min(first_seen), max(first_seen)
    while local <= latest:
        if matches(expression, local):
            # A minute that the wall clock never shows fires at the first instant that shows a later one.
            slots.add(first_seen.get(local) or min(at for at, shown in clock if shown > local))
        local += datetime.timedelta(minutes=1)
    return sorted(slots)


def changes_of(zone, years):
    """Instants, to the hour, at which the offset of a zone changes."""
    at, end = datetime.datetime(years[0], 1, 1, tzinfo=UTC), datetime.datetime(years[1], 1, 1, tzinfo=UTC)
    step, before = datetime.timedelta(hours=12), None
    while at < end:
        offset = at.astimezone(zone).utcoffset()
        if before is not None and offset != before:
            yield at
        before, at = offset, at + step


def test_zones_agree_with_a_slow_implementation(db):
    db.run(HELPER)
    names = sorted(row[0] for row in db.rows("select name from pg_timezone_names where name not like 'posix%'"))
    rng = random.Random(int(os.environ.get("SEED", 17)))
    odd = ["Australia/Lord_Howe", "Pacific/Apia", "Africa/Casablanca", "America/Santiago", "Africa/Cairo", "Asia/Gaza", "Europe/Oslo",
           "Pacific/Chatham", "America/Havana", "Asia/Tehran"]
    zones = int(os.environ.get("ZONES", 0)) or len(odd) + 8
    chosen = names if zones >= len(names) else odd + rng.sample(names, zones - len(odd))
    years = (2020, 2031) if zones >= len(names) else (2024, 2027)
    seen, compared = {}, 0
    # "at time zone" takes abbreviations for offsets, so they are refused.
    abbreviations = {row[0] for row in db.rows("select abbrev from pg_timezone_abbrevs")} - {"UTC", "GMT", "UCT"}
    for name in chosen:
        if name in abbreviations:
            continue
        try:
            zone = zoneinfo.ZoneInfo(name)
        except Exception:
            continue  # Python has no such file
        for change in [*changes_of(zone, years), *(datetime.datetime(2011, 12, 30, tzinfo=UTC),) * (name == "Pacific/Apia")]:
            start = change - datetime.timedelta(hours=40)
            clock = []
            for minute in range(80 * 60 + 1):
                at = start + datetime.timedelta(minutes=minute)
                clock.append((at, at.astimezone(zone).replace(tzinfo=None)))
            # Zones with the same wall clock need one slow look, but each is asked for.
            key = (start, tuple(zip((local - clock[0][1] for _, local in clock[::15]))), clock[0][1])
            expressions = EXPRESSIONS if zones < len(names) or key not in seen else EXPRESSIONS[:2]
            seen.setdefault(key, {})
            # The edges of the window cannot be judged: a fixed hour may belong to what is outside.
            low, high = start + datetime.timedelta(hours=27), start + datetime.timedelta(hours=79)
            rows = db.rows("select e.expression, s.* from unnest(%s::text[]) as e(expression), t.slots(e.expression, %s, %s, %s) as s",
                           expressions, name, low, high)
            for expression, ours, counted, newest in rows:
                if expression not in seen[key]:
                    seen[key][expression] = [at for at in slow_slots(expression, clock) if low < at <= high]
                expected = seen[key][expression]
                assert ours == expected, (name, expression, change)
                assert counted == len(expected), (name, expression, change)
                assert newest == (expected[-1] if expected else None), (name, expression, change)
                compared += 1
    print(f"{compared} windows compared in {len(chosen)} zones")
    assert compared > 100
