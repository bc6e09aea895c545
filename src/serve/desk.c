/*
 * The loop owns the jobs in line and the desks; a thread owns a desk from loop_work to its end.  The connection of a desk is
 * closed only by the loop, when no thread has the desk, so that the loop may cut it under the thread.
 */
#include "serve/desk.h"

#include <ctype.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "base/bounds.h"
#include "base/log.h"
#include "base/parse.h"
#include "db/db_once.h"

enum { DESKS = 3, LOGIN_DESK = DESKS, ALL_DESKS };

/* What each session is told at its begin. */
static const char begin_session[] =
    "set statement_timeout = '2s'; set lock_timeout = '1s';"
    " set idle_in_transaction_session_timeout = '10s'; set default_transaction_isolation = 'read committed';"
    " set search_path = pg_catalog, pg_temp; set jit = off";

static const char ask_facts[] =
    "select current_database(), session_user, pg_is_in_recovery(), queues.schema_version(),"
    " (select max(case r.rolname when 'queues_admin' then 2 when 'queues_operator' then 1 else 0 end) from pg_catalog.pg_roles "
    "as r"
    "  where r.rolname in ('queues_admin', 'queues_operator', 'queues_observer') and pg_has_role(r.oid, 'member')),"
    /* Modules: a schema of this name with nothing of ours in it is somebody else's. */
    " (select coalesce(string_agg(n.nspname, ' '), '') from pg_catalog.pg_namespace as n where n.nspname in ('comms', 'files')"
    "  and exists (select 1 from pg_catalog.pg_class as c where c.relnamespace = n.oid and c.relkind = 'r'"
    "              and pg_get_userbyid(c.relowner) = 'queues_owner')),"
    " coalesce((select pg_has_role(r.oid, 'member') from pg_catalog.pg_roles as r where r.rolname = 'queues_dashboard'), false)";

static const char take_role[] = "select set_config('reeve.person', $2, true), set_config('role', $1, true), pg_is_in_recovery(),"
                                " extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())";

static const char ask_right[] =
    "select (select max(case t.rolname when 'queues_admin' then 2 when 'queues_operator' then 1 else 0 end)"
    " from pg_catalog.pg_roles as t"
    " where t.rolname in ('queues_admin', 'queues_operator', 'queues_observer') and pg_has_role(r.oid, t.oid, 'member'))"
    " from pg_catalog.pg_roles as r where r.rolname = $1"
    " and ($2 <> 'login' or (r.rolcanlogin and (r.rolvaliduntil is null or r.rolvaliduntil > clock_timestamp())))";

static const char *const roles[] = {"queues_observer", "queues_operator", "queues_admin"};

/* A session, and its job while a thread has it. */
struct desk {
    struct desks *desks;
    struct db_once *_Atomic db; /* NULL: not connected */
    struct desk_job *job;
    int64_t began_ms;
    bool is_lost; /* the connection is of no use any more */
    bool is_cut;
    struct desk_facts facts; /* filled by the thread after it has connected */
    bool has_facts;
};

struct desks {
    struct loop *loop;
    struct timer *timer; /* jobs wait: look for free sessions */
    char *conninfo;
    struct desk desks[ALL_DESKS];
    struct list line;   /* jobs that wait for a session */
    struct list logins; /* the same for the session of logins */
    int waiting;
    int64_t asked;
    int busy;
    int64_t away_until_ms; /* the database is away: until then no session tries to connect */
    struct err away_err;
    bool is_read_only;
    bool is_up;
    bool was_away; /* the log says so */
    bool is_ending;
    struct desk_facts facts;
};

int
desk_count_params(const char *sql)
{
    int most = 0;

    while ((sql = strchr(sql, '$')) != NULL) {
        int number = 0;

        for (sql++; isdigit((unsigned char)*sql) && number < 1000; sql++)
            number = number * 10 + (*sql - '0');
        if (number > most && number <= DESK_PARAMS)
            most = number;
    }
    return most;
}

/* --- in the thread --------------------------------------------------------------------------- */

static bool
learn_facts(struct desk *desk, struct err *err)
{
    const struct db_result *result;

    if (!db_once_script(desk->db, begin_session, err) || !db_once_query(desk->db, ask_facts, 0, NULL, &result, err))
        return false;
    desk->facts = (struct desk_facts){
        .is_known = true,
        .right = (int)db_result_i64(result, 0, 4, DESK_NOBODY),
        .may_name = db_result_is_true(result, 0, 6),
        .has_comms = strstr(db_result_shown(result, 0, 5), "comms") != NULL,
        .has_files = strstr(db_result_shown(result, 0, 5), "files") != NULL,
        .is_standby = db_result_is_true(result, 0, 2),
        .schema_version = (int)db_result_i64(result, 0, 3, 0),
    };
    (void)snprintf(desk->facts.database, sizeof(desk->facts.database), "%s", db_result_shown(result, 0, 0));
    (void)snprintf(desk->facts.login, sizeof(desk->facts.login), "%s", db_result_shown(result, 0, 1));
    desk->has_facts = true;
    return true;
}

static bool
connect_desk(struct desk *desk, struct err *err)
{
    struct db_once_login login = {.conninfo = desk->desks->conninfo, .application_name = "reeve serve"};

    struct db_once *db;

    if (desk->db != NULL)
        return true;
    if (!db_once_open_as(&login, &db, err))
        return false;
    desk->db = db;
    return learn_facts(desk, err);
}

/* The transaction goes on in this role, for the viewer. */
static bool
act_as(const struct desk *desk, struct desk_job *job, const char *role, struct err *err)
{
    const char *params[] = {role, job->person};
    const struct db_result *result;

    if (!db_once_query(desk->db, take_role, 2, params, &result, err))
        return false;
    job->is_standby = db_result_is_true(result, 0, 2);
    job->data_age_s = job->is_standby ? db_result_number(result, 0, 3) : -1;
    return true;
}

static bool
read_document(struct desk *desk, struct desk_job *job, struct err *err)
{
    const struct db_result *result;
    const char *text;

    /* Not read only, unless asked for: counts that were costly are kept for other readers (queues.open_counts). */
    if (!db_once_script(desk->db, desk->desks->is_read_only ? "begin read only" : "begin", err)
        || !act_as(desk, job, roles[job->right], err)
        || !db_once_query(desk->db, job->sql, desk_count_params(job->sql), job->params, &result, err))
        return false;
    text = db_result_rows(result) == 0 ? NULL : db_result_text(result, 0, 0);
    job->is_found = text != NULL;
    buf_puts(&job->text, text == NULL ? "" : text);
    if (job->text.overflowed)
        return err_set(err, ERR_LIMIT, "54000", "the page is larger than %d bytes", BOUND_DOCUMENT_BYTES);
    return db_once_script(desk->db, "commit", err);
}

static void
take_act(struct desk_job *job, const struct db_result *result, int row_offset)
{
    buf_clear(&job->text);
    buf_clear(&job->path);
    if (db_result_rows(result) == 0)
        return;
    buf_puts(&job->text, db_result_shown(result, 0, row_offset));
    if (db_result_columns(result) > row_offset + 1)
        buf_puts(&job->path, db_result_shown(result, 0, row_offset + 1));
}

/* What the key of a form is good for: the address of the act, and a digest of its values.  With other values it is another act.
 */
static bool
name_act(const struct desk_job *job, struct buf *name, struct err *err)
{
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned int size = 0;
    struct buf values;
    bool is_done;

    buf_init(&values, BOUND_FORM_BYTES + BOUND_VISIT_BYTES);
    for (int i = 0; i < DESK_PARAMS; i++) {
        if (job->params[i] == NULL)
            buf_puts(&values, "-");
        else
            buf_printf(&values, "%zu:%s", strlen(job->params[i]), job->params[i]);
    }
    is_done = !values.overflowed && EVP_Digest(values.text, values.length, digest, &size, EVP_sha256(), NULL) == 1;
    buf_release(&values);
    buf_printf(name, "%s ", job->act);
    for (unsigned int i = 0; i < size; i++)
        buf_printf(name, "%02x", digest[i]);
    return is_done || err_set(err, ERR_REFUSED, "54000", "the values of the form are too large");
}

/* An act and its key are one transaction.  The key belongs to our own login, the act to the role of the viewer. */
static bool
do_named(struct desk *desk, struct desk_job *job, const char *act, struct err *err)
{
    const char *claim[] = {job->key, act};
    const char *end[] = {job->key, NULL, NULL};
    const struct db_result *result;

    if (!db_once_script(desk->db, "begin", err) || !act_as(desk, job, "none", err)
        || !db_once_query(desk->db, "select is_new, notice, path from queues.claim_act($1::uuid, $2)", 2, claim, &result, err))
        return false;
    if (!db_result_is_true(result, 0, 0)) {
        take_act(job, result, 1);
        return db_once_script(desk->db, "commit", err);
    }
    if (!act_as(desk, job, roles[job->right], err)
        || !db_once_query(desk->db, job->sql, desk_count_params(job->sql), job->params, &result, err))
        return false;
    take_act(job, result, 0);
    end[1] = job->text.text;
    end[2] = job->path.length == 0 ? NULL : job->path.text;
    return act_as(desk, job, "none", err) && db_once_query(desk->db, "select queues.end_act($1::uuid, $2, $3)", 3, end, NULL, err)
           && db_once_script(desk->db, "commit", err);
}

static bool
do_act(struct desk *desk, struct desk_job *job, struct err *err)
{
    struct buf name;
    bool is_done;

    buf_init(&name, BOUND_VISIT_BYTES);
    is_done = name_act(job, &name, err) && do_named(desk, job, name.text, err);
    buf_release(&name);
    return is_done;
}

/* Code of users may have run in the act: nothing of the session that it changed stays. */
static bool
clean_session(const struct desk *desk)
{
    return db_once_script(desk->db, "discard all", NULL) && db_once_script(desk->db, begin_session, NULL);
}

static bool
find_right(struct db_once *db, struct desk_job *job, bool must_log_in, struct err *err)
{
    const char *params[] = {job->person, must_log_in ? "login" : ""};
    const struct db_result *result;

    if (!db_once_query(db, ask_right, 2, params, &result, err))
        return false;
    job->found_right = (int)db_result_i64(result, 0, 0, DESK_NOBODY);
    return true;
}

/* A connection of the person, which is closed at once.  It counts only if the server asked for the password: there are rules that
 * let everybody in who uses a local socket.  It begins with the settings of the person's role, such as a search_path with
 * functions of theirs, so ours come before the question. */
static bool
log_in(const struct desk *desk, struct desk_job *job, struct err *err)
{
    struct db_once_login login = {.conninfo = desk->desks->conninfo,
        .application_name = "reeve serve login",
        .user = job->person,
        .password = job->password};
    struct db_once *db = NULL;
    char mode[32];
    bool is_done = false;

    if (!db_once_open_as(&login, &db, err))
        return false;
    if (!db_once_used_password(db))
        (void)err_set(err, ERR_REFUSED, "28000", "the database does not ask for passwords, so they prove nothing");
    else if (db_once_is_exposed(db, mode, sizeof(mode)))
        (void)err_set(err, ERR_REFUSED, "28000", "the connection to the database is not encrypted (sslmode=%s)", mode);
    else
        is_done = db_once_script(db, begin_session, err) && find_right(db, job, true, err);
    db_once_close(db);
    return is_done;
}

static bool
run_job(struct desk *desk, struct desk_job *job, struct err *err)
{
    if (job->errand == DESK_LOGIN)
        return log_in(desk, job, err);
    if (!connect_desk(desk, err))
        return false;
    switch (job->errand) {
    case DESK_READ:
        return read_document(desk, job, err);
    case DESK_ACT:
        return do_act(desk, job, err);
    case DESK_RIGHT:
        return find_right(desk->db, job, job->must_log_in, err);
    case DESK_LOGIN:
        break;
    }
    return false;
}

/* A connection that was lost before this job is found out by it.  A read is asked again, and so is an act: it has a key. */
static void
on_work(void *cookie)
{
    struct desk *desk = cookie;
    struct desk_job *job = desk->job;
    bool was_connected = desk->db != NULL;

    job->is_done = run_job(desk, job, &job->err);
    if (desk->db == NULL)
        return;
    if (!job->is_done)
        desk->is_lost = !db_once_is_up(desk->db) || !db_once_script(desk->db, "rollback", NULL) || !desk->facts.is_known;
    if (desk->is_lost && was_connected && desk->facts.is_known)
        job->given_ms = -job->given_ms; /* The loop gives it once more. */
    if (job->errand == DESK_ACT && !desk->is_lost)
        desk->is_lost = !clean_session(desk);
}

/* --- in the loop ------------------------------------------------------------------------------- */

static void
free_job(struct desk_job *job)
{
    list_remove(&job->node);
    for (size_t i = 0; i < LENGTH(job->copies); i++) {
        if (job->copies[i] != NULL)
            explicit_bzero(job->copies[i], strlen(job->copies[i]));
        free(job->copies[i]);
    }
    buf_release(&job->text);
    buf_release(&job->path);
    free(job);
}

static void
end_job(struct desk_job *job)
{
    if (job->cookie != NULL)
        job->done(job->cookie, job);
    free_job(job);
}

static void
note_state(struct desks *desks, const struct desk_job *job)
{
    bool is_away = !job->is_done && job->err.kind == ERR_RETRY && strcmp(job->err.code, "08006") == 0;

    if (job->errand == DESK_LOGIN)
        return;
    if (is_away) {
        desks->away_until_ms = loop_now_ms(desks->loop) + BOUND_DESK_AWAY_MS;
        desks->away_err = job->err;
        if (!desks->was_away)
            log_event(LOG_WARN, "no connection to the database, trying again", "error", job->err.message, NULL);
        desks->was_away = true;
    } else if (desks->was_away) {
        log_event(LOG_INFO, "the database answers again", NULL);
        desks->was_away = false;
    }
    desks->is_up = !is_away;
}

void
desks_renew(struct desks *desks)
{
    for (int i = 0; i < DESKS; i++) {
        struct desk *desk = &desks->desks[i];

        if (desk->job == NULL && desk->db != NULL) {
            db_once_close(desk->db);
            desk->db = NULL;
        }
    }
}

static void
on_worked(void *cookie)
{
    struct desk *desk = cookie;
    struct desks *desks = desk->desks;
    struct desk_job *job = desk->job;

    desk->job = NULL;
    desks->busy--;
    if (desk->is_lost) {
        db_once_close(desk->db);
        desk->db = NULL;
        desk->is_lost = false;
    }
    if (desks->is_ending) {
        free_job(job);
        return;
    }
    if (desk->has_facts)
        desks->facts = desk->facts;
    desk->has_facts = false;
    if (job->is_done && (job->errand == DESK_READ || job->errand == DESK_ACT))
        desks->facts.is_standby = job->is_standby;
    if (job->given_ms < 0 && !desk->is_cut) {
        job->given_ms = -job->given_ms;
        job->err = (struct err){0};
        desks_renew(desks); /* What ended this connection has probably ended the others. */
        list_prepend(&desks->line, &job->node);
        desks->waiting++;
    } else {
        note_state(desks, job);
        end_job(job);
    }
    timer_start(desks->timer, 0);
}

static void
seat(struct desk *desk, struct list *line)
{
    struct desks *desks = desk->desks;

    if (desk->job != NULL || list_is_empty(line))
        return;
    desk->job = LIST_OWNER(line->next, struct desk_job, node);
    list_remove(&desk->job->node);
    desks->waiting--;
    desks->busy++;
    desk->began_ms = loop_now_ms(desks->loop);
    desk->is_cut = false;
    loop_work(desks->loop, on_work, on_worked, desk);
}

/* Gives jobs to free sessions.  While the database is away, jobs that would need a new connection fail. */
static void
seat_jobs(void *cookie)
{
    struct desks *desks = cookie;
    bool is_away = loop_now_ms(desks->loop) < desks->away_until_ms;

    for (int i = 0; i < DESKS; i++) {
        if (!is_away || desks->desks[i].db != NULL)
            seat(&desks->desks[i], &desks->line);
    }
    seat(&desks->desks[LOGIN_DESK], &desks->logins);
    while (is_away && !list_is_empty(&desks->line)) {
        struct desk_job *job = LIST_OWNER(desks->line.next, struct desk_job, node);

        list_remove(&job->node);
        desks->waiting--;
        job->is_done = false;
        job->err = desks->away_err;
        end_job(job);
    }
}

struct desks *
desks_new(struct loop *loop, const char *conninfo, bool is_read_only)
{
    struct desks *desks = must_alloc(sizeof(*desks));

    desks->loop = loop;
    desks->is_read_only = is_read_only;
    desks->timer = timer_new(loop, seat_jobs, desks);
    desks->conninfo = must_strdup(conninfo);
    list_init(&desks->line);
    list_init(&desks->logins);
    for (int i = 0; i < ALL_DESKS; i++)
        desks->desks[i].desks = desks;
    return desks;
}

static const char *
keep(struct desk_job *job, int place, const char *text)
{
    if (text != NULL)
        job->copies[place] = must_strdup(text);
    return job->copies[place];
}

/* Are so many jobs in line?  Strangers who log in wait in a line of their own, which takes no places from viewers. */
static bool
is_full(const struct list *line, int most)
{
    int count = 0;

    for (const struct list *node = line->next; node != line; node = node->next)
        count++;
    return count >= most;
}

struct desk_job *
desk_give(struct desks *desks, const struct desk_job *wanted)
{
    bool is_login = wanted->errand == DESK_LOGIN;
    struct desk_job *job;

    if (is_full(is_login ? &desks->logins : &desks->line, is_login ? BOUND_LOGIN_LINE : BOUND_DESK_LINE))
        return NULL;
    job = must_alloc(sizeof(*job));
    *job = *wanted;
    memset(job->copies, 0, sizeof(job->copies));
    for (int i = 0; i < DESK_PARAMS; i++)
        job->params[i] = keep(job, i, wanted->params[i]);
    job->person = keep(job, DESK_PARAMS, wanted->person);
    job->password = keep(job, DESK_PARAMS + 1, wanted->password);
    job->key = keep(job, DESK_PARAMS + 2, wanted->key);
    job->act = keep(job, DESK_PARAMS + 3, wanted->act);
    job->data_age_s = -1;
    job->found_right = DESK_NOBODY;
    job->given_ms = loop_now_ms(desks->loop) + 1;
    buf_init(&job->text, BOUND_DOCUMENT_BYTES);
    buf_init(&job->path, BOUND_VISIT_BYTES);
    list_init(&job->node);
    list_append(is_login ? &desks->logins : &desks->line, &job->node);
    desks->waiting++;
    desks->asked++;
    timer_start(desks->timer, 0);
    return job;
}

const struct desk_facts *
desks_facts(const struct desks *desks)
{
    return &desks->facts;
}

int64_t
desks_asked(const struct desks *desks)
{
    return desks->asked;
}

bool
desks_are_up(const struct desks *desks)
{
    return desks->is_up;
}

void
desks_sweep(struct desks *desks)
{
    int64_t now_ms = loop_now_ms(desks->loop);

    for (int i = 0; i < ALL_DESKS; i++) {
        struct desk *desk = &desks->desks[i];

        if (desk->job != NULL && desk->db != NULL && !desk->is_cut && now_ms - desk->began_ms >= BOUND_DESK_CUT_MS) {
            desk->is_cut = true;
            db_once_cut(desk->db);
        }
    }
    seat_jobs(desks);
}

static void
drop_line(struct list *line)
{
    while (!list_is_empty(line))
        free_job(LIST_OWNER(line->next, struct desk_job, node));
}

void
desks_stop(struct desks *desks)
{
    desks->is_ending = true;
    drop_line(&desks->line);
    drop_line(&desks->logins);
    timer_close(desks->timer);
    desks->timer = NULL;
    for (int i = 0; i < ALL_DESKS; i++) {
        if (desks->desks[i].job != NULL && desks->desks[i].db != NULL)
            db_once_cut(desks->desks[i].db);
    }
}

void
desks_free(struct desks *desks)
{
    if (desks == NULL || desks->busy > 0)
        return; /* A thread still has a part of it, and the process ends. */
    for (int i = 0; i < ALL_DESKS; i++)
        db_once_close(desks->desks[i].db);
    free(desks->conninfo);
    free(desks);
}
