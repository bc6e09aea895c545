-- Fact: one bounded look for the things that the filter of an act finds, from the newest backwards.
create table queues.bulk_scan (
    act_id      bigint not null,
    scan_no     integer not null,
    scanned_at  timestamptz not null,
    scanned     bigint not null,
    found       bigint not null,
    oldest_id   bigint,
    oldest_at   timestamptz,
    is_end      boolean not null,
    constraint bulk_scan_pkey primary key (act_id, scan_no)
);
comment on table queues.bulk_scan is 'How far back the search of an act looked.';
comment on column queues.bulk_scan.scan_no is '1, 2, 3 ... per act.';
comment on column queues.bulk_scan.scanned is 'Things that were looked at.';
comment on column queues.bulk_scan.found is 'Things among them that the filter fits: these are in queues.bulk_target.';
comment on column queues.bulk_scan.oldest_id is 'Smallest id that was looked at; the next look goes on below it. Null: none.';
comment on column queues.bulk_scan.oldest_at is 'Time of that thing: its end, or its enqueue if it is open.';
comment on column queues.bulk_scan.is_end is 'True: there is nothing older.';
