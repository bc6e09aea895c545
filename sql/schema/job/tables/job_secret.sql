-- Secrets that were given by value, apart from all tables that others may read.  It is no fact: a row is removed when its job ends.
create table pgqueue.job_secret (
    job_id          bigint not null,
    job_jwt         text,
    jwt_expires_at  timestamptz,
    signing_secret  bytea,
    constraint job_secret_pkey primary key (job_id)
);
comment on table pgqueue.job_secret is 'Secrets of open jobs. No role but the owner reads them.';
comment on column pgqueue.job_secret.jwt_expires_at is 'End of the token, from the token itself; null: not given there.';
