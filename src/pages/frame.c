/*
 * What all pages have in common: head, navigation, notices and foot; confirmations, problems, and the page of the login.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "pages/document.h"
#include "pages/html.h"
#include "pages/page.h"
#include "pages/parts.h"

/* The pages of the navigation, in groups. */
static const struct {
    const char *path; /* NULL: the title of a group */
    const char *title;
    enum page_right right;
    const char *key; /* after g, it goes there */
} places[] = {
    {"/", "Home", PAGE_OBSERVER, "h"},
    {NULL, "Work", PAGE_OBSERVER, ""},
    {"/tasks", "Tasks", PAGE_OBSERVER, "t"},
    {"/processes", "Processes", PAGE_OBSERVER, "p"},
    {"/commands", "Commands", PAGE_OBSERVER, "c"},
    {"/jobs", "HTTP jobs", PAGE_OBSERVER, "j"},
    {"/messages", "Messages", PAGE_OPERATOR, "m"},
    {NULL, "Causes", PAGE_OBSERVER, ""},
    {"/schedules", "Schedules", PAGE_OBSERVER, "s"},
    {"/webhooks", "Webhooks", PAGE_OBSERVER, "e"},
    {NULL, "Machinery", PAGE_OBSERVER, ""},
    {"/queues", "Queues", PAGE_OBSERVER, "q"},
    {"/workers", "Workers", PAGE_OBSERVER, "w"},
    {"/doctor", "Doctor", PAGE_OPERATOR, "d"},
    {NULL, "Acts", PAGE_OBSERVER, ""},
    {"/bulk", "Bulk acts", PAGE_OBSERVER, "b"},
    {"/audit", "Audit", PAGE_OPERATOR, "a"},
};

static const char *
asset_hash(const char *path)
{
    for (int i = 0; i < page_asset_count; i++) {
        if (strcmp(page_assets[i].path, path) == 0)
            return page_assets[i].hash;
    }
    return "";
}

static void
put_head(struct html *html, const char *title)
{
    html_put(html,
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>%s \xc2\xb7 %s \xc2\xb7 Reeve</title>"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><meta name=\"color-scheme\" content=\"light "
        "dark\">",
        title, html->viewer->database);
    html_put(html, "<link rel=\"icon\" type=\"image/svg+xml\" href=\"~/assets/icon.svg?v=%s\">", asset_hash("/assets/icon.svg"));
    html_put(html, "<link rel=\"stylesheet\" href=\"~/assets/reeve.css?v=%s\">", asset_hash("/assets/reeve.css"));
    html_put(html, "<script src=\"~/assets/theme.js?v=%s\"></script>", asset_hash("/assets/theme.js"));
    html_put(html, "<script defer src=\"~/assets/reeve.js?v=%s\"></script></head>\n", asset_hash("/assets/reeve.js"));
}

/* Is the viewer on this page, or on one below it? */
static bool
is_at(const char *path, const char *place)
{
    size_t length = strlen(place);

    return strcmp(path, place) == 0 || (length > 1 && strncmp(path, place, length) == 0 && path[length] == '/');
}

static void
put_places(struct html *html)
{
    bool is_open = false;

    html_put(html, "<nav class=\"places\" aria-label=\"Pages\">");
    for (size_t i = 0; i < LENGTH(places); i++) {
        if (places[i].path == NULL) {
            html_put(html, is_open ? "</ul><h2>%s</h2><ul>" : "<h2>%s</h2><ul>", places[i].title);
            is_open = true;
            continue;
        }
        if (!is_open)
            html_put(html, "<ul>");
        is_open = true;
        if (html->viewer->right < places[i].right)
            continue;
        if (is_at(html->viewer->path, places[i].path))
            html_put(html, "<li><a aria-current=\"page\" data-go=\"%s\" href=\"%s\">%s</a></li>", places[i].key, places[i].path,
                places[i].title);
        else
            html_put(html, "<li><a data-go=\"%s\" href=\"%s\">%s</a></li>", places[i].key, places[i].path, places[i].title);
    }
    html_put(html, "</ul></nav>\n");
}

static void
put_viewer(struct html *html)
{
    static const char *const rights[] = {"observer", "operator", "admin"};
    const struct page_viewer *viewer = html->viewer;

    html_put(html, "<div class=\"who\"><button type=\"button\" class=\"quiet scripted\" id=\"theme\" title=\"Light, dark, or as "
                   "the system says\">"
                   "Theme</button><button type=\"button\" class=\"quiet scripted\" id=\"keys\" title=\"Keys (?)\">Keys</button>");
    if (viewer->person[0] != '\0') {
        html_put(html, "<span class=\"person\">%s <small>%s%s</small></span>", viewer->person, rights[viewer->right],
            viewer->is_read_only ? ", read only" : "");
        html_put(html,
            "<form method=\"post\" action=\"~/logout\"><input type=\"hidden\" name=\"token\" value=\"%s\">"
            "<button class=\"quiet\">Log out</button></form>",
            viewer->token);
    }
    html_put(html, "</div>");
}

static void
put_top(struct html *html)
{
    html_put(html,
        "<body><a class=\"skip\" href=\"#main\">To the content</a>\n<header><a class=\"brand\" href=\"~/\">Reeve</a>"
        "<span class=\"database\" title=\"Database\">%s</span>"
        "<form class=\"find\" method=\"get\" action=\"~/search\" role=\"search\" aria-label=\"Search\">"
        "<input type=\"search\" name=\"q\" id=\"find\" aria-label=\"Id or name of a task, process, job, worker, message, "
        "schedule\""
        " placeholder=\"Any id or name\" autocomplete=\"off\" spellcheck=\"false\"></form>",
        html->viewer->database);
    put_viewer(html);
    html_put(html, "</header>\n<div class=\"body\">");
    put_places(html);
}

static void
put_notices(struct html *html)
{
    const struct page_viewer *viewer = html->viewer;

    if (viewer->notice[0] != '\0')
        html_put(html,
            viewer->is_notice_bad ? "<p class=\"notice bad\" role=\"alert\">%s</p>"
                                  : "<p class=\"notice good\" role=\"status\">%s</p>",
            viewer->notice);
    if (viewer->data_age_s >= 0)
        html_put(html, "<p class=\"notice warn\">This is a standby: nothing can be changed here, and its data is %lld s old.</p>",
            (long long)viewer->data_age_s);
}

/* Begins the document, up to its heading. */
static void
begin(struct html *html, const char *title, const char *operand, int refresh_s)
{
    struct buf whole;

    buf_init(&whole, 16384);
    buf_puts(&whole, title);
    if (operand[0] != '\0')
        buf_printf(&whole, " %.300s", operand);
    put_head(html, whole.text);
    buf_release(&whole);
    put_top(html);
    html_put(html, "<main id=\"main\" tabindex=\"-1\" data-refresh=\"%d\">", refresh_s);
    put_notices(html);
    html_put(html, "<div class=\"title\"><h1>%s", title);
    if (operand[0] != '\0') {
        html_put(html, " <span class=\"operand\">");
        (void)html_text_cut(html, operand, PART_CUT);
        html_put(html, "</span>");
    }
    html_put(html, "</h1>");
    if (refresh_s > 0)
        html_put(html, "<span class=\"live scripted\"><span id=\"live-word\" role=\"status\">live</span>"
                       "<button type=\"button\" class=\"quiet\" id=\"live\" aria-pressed=\"true\">Pause</button></span>");
    html_put(html, "</div>\n");
}

/* Ends a page that has no document. */
static void
end_plain(struct html *html)
{
    html_put(html, "</main></div>\n<footer>Reeve</footer></body></html>\n");
}

static void
end_page(struct html *html)
{
    struct buf path;

    buf_init(&path, 32768);
    buf_printf(&path, "/api%s", html->viewer->path);
    if (html->viewer->query[0] != '\0')
        buf_printf(&path, "?%s", html->viewer->query);
    html_put(html,
        "</main></div>\n<footer>Reeve \xc2\xb7 <a href=\"%s\">this page as JSON</a> \xc2\xb7 <a "
        "href=\"~/assets/openapi.json\">API</a>"
        "<noscript> \xc2\xb7 without scripts: times are those of the server, and the page does not refresh itself</noscript>"
        "</footer></body></html>\n",
        path.text);
    buf_release(&path);
}

static const char *
operand_of(const struct page_viewer *viewer)
{
    return viewer->operand == NULL ? "" : viewer->operand;
}

void
page_write(const struct page *page, const char *json, const struct page_viewer *viewer, struct buf *out)
{
    struct html html = {.out = out, .viewer = viewer, .argument_names = page->arguments};
    json_t *data = document_read(json);
    struct part_word word;

    begin(&html, page->title, operand_of(viewer), page->refresh_s);
    if (data == NULL)
        html_put(&html, "<p class=\"empty\">This document is too deep to be shown. As JSON it is whole: the link is at the foot "
                        "of the page.</p>");
    else if (part_has(data, "missing"))
        html_put(&html, "<p class=\"empty\">This database has no module %s. Install it: reeve migrate.</p>",
            part_text(data, "missing", &word));
    else
        page->write(&html, data, viewer);
    end_page(&html);
    json_decref(data);
}

void
page_write_question(const struct page_act *act, const char *json, const struct page_viewer *viewer, struct buf *out)
{
    struct html html = {.out = out, .viewer = viewer};
    json_t *data = json == NULL ? NULL : document_read(json);
    const char *back = viewer->back == NULL || viewer->back[0] == '\0' ? "/" : viewer->back;

    begin(&html, act->title, operand_of(viewer), 0);
    html_put(&html, "<form class=\"question\" method=\"post\" action=\"%s\">", viewer->path);
    part_hidden(&html, viewer->back == NULL ? "" : viewer->back);
    if (act->write_question != NULL)
        act->write_question(&html, data, viewer);
    html_put(&html,
        "<p class=\"answers\"><button class=\"main\">%s</button><a class=\"button quiet\" href=\"%s\">No, go back</a></p></form>",
        act->title, back);
    end_plain(&html);
    json_decref(data);
}

void
page_write_problem(
    int status, const char *title, const char *text, const char *hint, const struct page_viewer *viewer, struct buf *out)
{
    struct html html = {.out = out, .viewer = viewer};

    begin(&html, title, "", 0);
    html_put(&html, "<div class=\"problem\" role=\"alert\"><p class=\"status\">%d</p><p>", status);
    (void)html_text_cut(&html, text, PART_LONG_CUT);
    html_put(&html, "</p>");
    if (hint[0] != '\0')
        html_put(&html, "<p class=\"hint\">%s</p>", hint);
    html_put(&html, "<p>");
    if (status == 400 && viewer->query[0] != '\0')
        html_put(&html, "<a class=\"button quiet\" href=\"%s\">Without the filter</a> ", viewer->path);
    html_put(&html, "<a class=\"button quiet\" href=\"~/\">Home</a></p></div>");
    end_plain(&html);
}

void
page_write_login(enum page_login login, const char *problem, const char *back, const struct page_viewer *viewer, struct buf *out)
{
    struct html html = {.out = out, .viewer = viewer};

    put_head(&html, "Log in");
    html_put(&html, "<body class=\"alone\"><main id=\"main\" class=\"login\"><h1>Reeve</h1><p class=\"database\">%s</p>",
        viewer->database);
    if (problem[0] != '\0')
        html_put(&html, "<p class=\"notice bad\" role=\"alert\">%s</p>", problem);
    html_put(&html, "<form method=\"post\" action=\"~/login\"><input type=\"hidden\" name=\"back\" value=\"%s\">", back);
    if (login == PAGE_LOGIN_PASSWORD)
        html_put(&html, "<p class=\"field\"><label for=\"name\">Database role</label><input id=\"name\" name=\"name\" required"
                        " autocomplete=\"username\" autocapitalize=\"none\" spellcheck=\"false\"></p>"
                        "<p class=\"field\"><label for=\"password\">Password</label><input id=\"password\" name=\"password\""
                        " type=\"password\" autocomplete=\"current-password\"></p>"
                        "<p class=\"hint\">The role must be a member of queues_observer, queues_operator or queues_admin.</p>");
    else
        html_put(&html,
            "<p class=\"field\"><label for=\"secret\">Token</label><input id=\"secret\" name=\"secret\" type=\"password\""
            " autocomplete=\"off\" required></p><p class=\"hint\">reeve serve has printed an address with a token."
            " It can be used once. Each time that somebody has logged in, and at each start, the next one is printed.</p>");
    html_put(&html, "<p class=\"answers\"><button class=\"main\">Log in</button></p></form></main></body></html>\n");
}
