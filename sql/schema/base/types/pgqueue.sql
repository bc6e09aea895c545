-- Types of jobs and of their signatures.
create type pgqueue.job_type as enum ('GET', 'POST', 'DELETE', 'FUNC', 'PUT', 'PATCH');
comment on type pgqueue.job_type is 'The action of a job: a request with this method, or a call of a function.';
create type pgqueue.job_status as enum ('new', 'failed', 'processing', 'completed', 'redirected', 'server_error', 'too_many', 'other');
comment on type pgqueue.job_status is 'State of a job; new, failed and processing are open, the others final.';
create type pgqueue.signing_styles as enum ('HMAC', 'HMAC_WITH_PREFIX', 'STANDARD_WEBHOOKS');
comment on type pgqueue.signing_styles is 'Form of a signature.';
create type pgqueue.signing_algs as enum ('md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512');
comment on type pgqueue.signing_algs is 'Hash of a signature.';
create type pgqueue.signing_encs as enum ('hex', 'base64');
comment on type pgqueue.signing_encs is 'Encoding of the bytes of a signature.';
