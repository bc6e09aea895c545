/*
 * The pages of the dashboard as two tables, and their HTML.  A page is one SQL statement that answers with one JSON document:
 * the document itself is the page's twin under /api, and page_write makes HTML of it.  An act is one SQL statement
 * that changes something.  This folder knows neither HTTP nor the database: the server (src/serve) finds the row, checks the
 * right, runs the statement under the viewer's role, and sends what these functions write.
 */
#ifndef PAGES_PAGE_H
#define PAGES_PAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/buf.h"

/* What a viewer may do.  Each right includes those before it; they are the roles queues_observer, queues_operator and
 * queues_admin. */
enum page_right { PAGE_OBSERVER, PAGE_OPERATOR, PAGE_ADMIN };

/* Largest numbers of query arguments of a page, and of fields of a form. */
enum { PAGE_ARGUMENTS = 16, PAGE_FIELDS = 16 };

/* Fields that each form has besides those of its act.  The server takes them away before it calls the statement of the act. */
#define PAGE_FIELD_TOKEN "token" /* secret of the session */
#define PAGE_FIELD_KEY "key"     /* name of this form: it is carried out once */
#define PAGE_FIELD_BACK "back"   /* path and query of the page that the viewer came from, without the prefix */

/* Who looks, at what.  The server fills it for one request; all texts are valid during the call. */
struct page_viewer {
    const char *person; /* name shown, and kept by the audit; "" on the page of the login */
    enum page_right right;
    bool is_read_only;    /* nobody may change anything here: no buttons */
    const char *token;    /* secret of this session, a hidden field of each form */
    const char *prefix;   /* path before all our paths, behind a proxy; "": none */
    const char *path;     /* path of this request, without the prefix: "/tasks/4711" */
    const char *query;    /* its query as it came, without the question mark; "": none */
    const char *notice;   /* what the last act answered, shown once; "": nothing */
    bool is_notice_bad;   /* the act was refused */
    const char *database; /* name of the database, for the head of the page */
    double data_age_s;    /* on a standby: how old the data is, in seconds; otherwise negative */
    const char *operand;  /* what stands for {} or {#} in the path; NULL: the path has none */
    const char *back;     /* on a confirmation: the value of PAGE_FIELD_BACK; "": none */
    /* Values of the page's arguments, or of the act's fields, in the order of the row; NULL: not given. */
    const char *const *values;
};

struct html;
typedef struct json_t json_t;

/* A page.  Two rows may have one path: then the one with the greater right comes first, and a viewer gets the first that is
 * allowed (page_find). */
struct page {
    const char *path;  /* "/tasks"; {} in it is one segment, a name, and {#} is one segment, a number: "/tasks/{#}" */
    const char *title; /* title and heading; a page with an operand adds it */
    enum page_right right;
    /* One statement with one row and one field, a JSON document; null or no row: there is no such thing.  Its parameters are
     * the operand, if the path has one, and then the values of the arguments; one that is not given, or empty, is null. */
    const char *sql;
    const char *arguments[PAGE_ARGUMENTS]; /* names of the query arguments; ends with NULL */
    const char *module; /* schema of a module that the statement reads; if it is missing, the document is {"missing": MODULE} */
    int refresh_s;      /* seconds between two live updates; 0: none */
    /* Writes the content of the page: what stands between head and foot. */
    void (*write)(struct html *html, const json_t *data, const struct page_viewer *viewer);
};

/* Something that a viewer can do: POST does it, and GET asks for a confirmation in a page of its own. */
struct page_act {
    const char *path;  /* as in struct page: "/tasks/{#}/cancel" */
    const char *title; /* what it does, as a heading of the confirmation: "Cancel task" */
    enum page_right right;
    /* One statement with the same rules for parameters as that of a page.  Its row has the fields notice (text) and path (text,
     * where the viewer goes next; null: back to the page that had the form). */
    const char *sql;
    const char *fields[PAGE_FIELDS]; /* names of the form's fields; ends with NULL */
    const char *ask; /* statement for the confirmation: a JSON document, as that of a page; NULL: no question needed */
    /* Writes the content of the confirmation, inside its form; NULL: one sentence with the title and the operand. */
    void (*write_question)(struct html *html, const json_t *data, const struct page_viewer *viewer);
};

/* A file that the program carries: style sheet, scripts, icon. */
struct page_asset {
    const char *path; /* "/assets/reeve.css" */
    const char *type; /* media type */
    const char *text;
    size_t length;
    const char *hash; /* hex digits of its SHA-256, for ETag and for the address that pages use (?v=) */
};

extern const struct page pages[];
extern const int page_count;
extern const struct page_act page_acts[];
extern const int page_act_count;
extern const struct page_asset page_assets[];
extern const int page_asset_count;

/* Does a path, as it came and not decoded, fit the pattern of a row?  *ret_operand, of `size` bytes, is what stands for {}
 * or {#}, decoded; "" if the pattern has none.  An operand that is empty, too long or no UTF-8 does not match. */
NODISCARD bool page_path_fits(const char *pattern, const char *path, char *ret_operand, size_t size);

/* The page, or the act, of a path for a viewer with this right.  NULL: there is none; *ret_is_refused says whether a viewer
 * with a greater right would find one. */
const struct page *page_find(const char *path, enum page_right right, char *ret_operand, size_t size, bool *ret_is_refused);
const struct page_act *page_find_act(
    const char *path, enum page_right right, char *ret_operand, size_t size, bool *ret_is_refused);

/* Writes a whole HTML document: the page with the document `json` of its statement. */
void page_write(const struct page *page, const char *json, const struct page_viewer *viewer, struct buf *out);

/* Writes the confirmation of an act; `json` is the document of its question, NULL if it has none. */
void page_write_question(const struct page_act *act, const char *json, const struct page_viewer *viewer, struct buf *out);

/* Writes a page that says what went wrong: the HTTP status, a short title, a sentence, and what to do next (may be ""). */
void page_write_problem(
    int status, const char *title, const char *text, const char *hint, const struct page_viewer *viewer, struct buf *out);

/* How a viewer may log in. */
enum page_login { PAGE_LOGIN_PASSWORD, PAGE_LOGIN_TOKEN };

/* Writes the page on which one logs in.  `problem` says why the last try failed; "": this is the first.  `back` is the path to
 * go to afterwards. */
void page_write_login(
    enum page_login login, const char *problem, const char *back, const struct page_viewer *viewer, struct buf *out);

#endif
