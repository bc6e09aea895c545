"""The dashboard as its viewers meet it: who is let in, what they may do, and what they see when something goes wrong."""
import os
import re
import signal
import threading
import time
import uuid
from pathlib import Path

import certificates as authority
import psycopg
import pytest
from harness import REEVE, ROOT, Server, eventually, free_port, reeve
from pair import Pair
from viewer import Dashboard, Forms

RIGHTS = ("PAGE_OBSERVER", "PAGE_OPERATOR", "PAGE_ADMIN")
PEOPLE = {"anna": "queues_observer", "olga": "queues_operator", "ada": "queues_admin", "nora": None, "trusty": "queues_admin"}


@pytest.fixture(scope="module")
def people_server():
    """A server that asks for passwords, with a person for each right, and the login of the dashboard."""
    with Server() as server:
        rules = Path(server.data, "pg_hba.conf")
        rules.write_text("local all anna,olga,ada,nora scram-sha-256\n" + rules.read_text(encoding="utf-8"), encoding="utf-8")
        server.restart()
        server.make_template()
        for person, role in PEOPLE.items():
            server.run_sql(f"create role {person} login password 'secret of {person}'")
            if role:
                server.run_sql(f"grant {role} to {person}")
        server.run_sql("create role board login")
        server.run_sql("grant queues_dashboard to board")
        yield server


@pytest.fixture
def people(people_server):
    database = people_server.make_database()
    try:
        yield database
        database.finish()
    finally:
        database.drop()


def with_people(db, *args, **kwargs):
    return Dashboard(db, "--login", "password", *args, user="board", **kwargs)


def person(dashboard, name):
    return dashboard.by_password(name, f"secret of {name}")


def routes(file):
    """Path -> the least right that finds it, from the tables of the pages."""
    found = {}
    text = (ROOT / "src/pages" / file).read_text(encoding="utf-8")
    for row in re.findall(r"\{\.path = (.*?)\.sql = ", text, re.S):
        path = re.match(r'"([^"]+)"', row)[1]
        right = re.search(r"\.right = (PAGE_\w+)", row)
        right = RIGHTS.index(right[1]) if right else 0
        found[path] = min(right, found.get(path, right))
    assert len(found) > 10
    return found


def address(path):
    return path.replace("{#}", "999999").replace("{}", "nothing")


# --- the login with a token ---


def test_the_printed_address_lets_its_reader_in_once(db):
    dashboard = Dashboard(db)
    viewer = dashboard.by_token()
    assert viewer.get("/").status == 200
    assert viewer.get("/api/").headers["Content-Type"] == "application/json"
    dashboard.program.wait_line("Open ", count=2)
    first = "/login" + dashboard.addresses()[0].partition("/login")[2]
    again = dashboard.viewer()
    assert again.get(first).status == 403 and not again.cookies
    assert dashboard.by_token().get("/").status == 200, "the next address lets in once more"


def test_without_a_session_a_browser_is_sent_to_the_login_and_a_program_is_told(db):
    viewer = Dashboard(db).viewer()
    answer = viewer.get("/tasks?state=ready")
    assert (answer.status, answer.location) == (303, "/login?back=/tasks%3Fstate%3Dready")
    assert viewer.get("/api/tasks").json()["error"]["code"] == "28000"
    assert viewer.get("/tasks", Sec_Fetch_Site="cross-site").status == 200, "a link elsewhere: the browser asks again with its cookie"


# --- the login with a password ---


def test_a_role_logs_in_with_its_password_and_has_its_rights(people):
    dashboard = with_people(people)
    viewer = dashboard.viewer()
    answer = viewer.post("/login", name="anna", password="secret of anna", back="/queues?x=1")
    assert (answer.status, answer.location) == (303, "/queues?x=1")
    assert "HttpOnly" in answer.headers["Set-Cookie"] and "SameSite=Strict" in answer.headers["Set-Cookie"]
    page = viewer.get("/queues")
    assert page.status == 200 and "anna" in page.text
    assert viewer.post("/logout", token=viewer.token()).location == "/login"
    assert viewer.get("/queues").status == 303


@pytest.mark.parametrize("name, password", [("anna", "wrong"), ("nobody", "secret of nobody"), ("nora", "secret of nora"),
                                            ("trusty", "anything"), ("anna' or '1'='1", "x"), ("anna dbname=postgres user=trusty", "x")])
def test_who_cannot_prove_a_right_learns_nothing(people, name, password):
    """A wrong password, a role that does not exist, one without a right, and one that the server lets in without a password."""
    dashboard = with_people(people)
    viewer = dashboard.viewer()
    viewer.until("/readyz", 200)
    answer = viewer.post("/login", name=name, password=password)
    assert answer.status == 403 and not viewer.cookies
    assert "refused this name and password, or this role is no member" in answer.text
    assert "secret of" not in dashboard.program.log() and "anything" not in dashboard.program.log()


def test_failed_logins_must_wait_longer_and_longer(people):
    dashboard = with_people(people)
    viewer = dashboard.viewer()
    codes = [viewer.post("/login", name="anna", password=f"guess {i}").status for i in range(8)]
    assert codes[:5] == [403] * 5 and codes[-1] == 429
    assert viewer.post("/login", name="anna", password="secret of anna").status == 429, "also with the right password"
    assert viewer.get("/login").status == 200


# --- rights ---


def test_every_route_asks_for_a_session_and_for_its_right(people):
    dashboard = with_people(people)
    stranger = dashboard.viewer()
    viewers = {name: person(dashboard, name) for name in ("anna", "olga", "ada")}
    tokens = {name: viewer.token() for name, viewer in viewers.items()}
    for path, needed in routes("pages.c").items():
        url = address(path)
        assert stranger.get(url).status == 303, url
        assert stranger.get("/api" + url).status == 401, url
        for level, (name, viewer) in enumerate(viewers.items()):
            for form in (url, "/api" + url):
                status = viewer.get(form).status
                assert (status == 403) == (level < needed) and status in (200, 400, 403, 404), (form, name, status)
    for path, needed in routes("acts.c").items():
        url = address(path)
        assert stranger.get(url).status == 303 and stranger.post(url).status == 403, url
        for level, (name, viewer) in enumerate(viewers.items()):
            assert (viewer.get(url).status == 403) == (level < needed), (url, name)
            assert viewer.post(url, key=str(uuid.uuid4())).status == 403, "without the secret of the session"
            if level < needed:
                assert viewer.post(url, token=tokens[name], key=str(uuid.uuid4())).status == 403, (url, name)


def test_an_observer_sees_no_payload_and_no_button(people):
    task = people.value("select queues.enqueue('noop', '{\"canary\": \"canary words\"}', now() + interval '1 day')")
    dashboard = with_people(people)
    observer, operator = person(dashboard, "anna"), person(dashboard, "olga")
    for path in (f"/tasks/{task}", f"/api/tasks/{task}", "/tasks", "/api/tasks"):
        assert "canary words" not in observer.get(path).text
    page = observer.get(f"/tasks/{task}").text
    assert "/cancel" not in page and f"/tasks/{task}/cancel" in operator.get(f"/tasks/{task}").text


def test_a_right_that_was_taken_away_is_gone_within_the_time_of_the_recheck(people):
    dashboard = with_people(people, "--recheck", "0.2")
    viewer = person(dashboard, "olga")
    token = viewer.token()
    people.run("revoke queues_operator from olga")
    try:
        people.run("grant queues_observer to olga")
        eventually(lambda: viewer.post("/queues/default/pause", token=token, key=str(uuid.uuid4())).status == 403, "no operator any more")
        assert viewer.get("/queues").status == 200
        people.run("revoke queues_observer from olga")
        eventually(lambda: viewer.get("/queues").status == 403, "no viewer any more")
        assert viewer.get("/queues").status == 303, "the session has ended"
    finally:
        people.run("grant queues_operator to olga")
    viewer = person(dashboard, "olga")
    people.run("alter role olga nologin")
    try:
        eventually(lambda: viewer.get("/queues").status == 403, "a role that may not log in")
    finally:
        people.run("alter role olga login")


def test_a_session_ends_after_its_time_and_at_a_restart(people):
    dashboard = with_people(people, "--session-length", "1")
    viewer = person(dashboard, "anna")
    assert viewer.get("/queues").status == 200
    eventually(lambda: viewer.get("/queues").status == 303, "the session has ended")
    viewer = person(dashboard, "anna")
    port = dashboard.port
    assert dashboard.program.stop() == 0
    again = Dashboard(people, "--login", "password", user="board", listen=f"127.0.0.1:{port}")
    viewer.dashboard = again
    assert viewer.get("/queues").status == 303, "a restart ends all sessions"
    forged = {name: "0" * 32 + value[32:] for name, value in viewer.cookies.items()}
    viewer.cookies = forged
    assert viewer.get("/queues").status == 303


# --- acts ---


def test_an_act_is_done_once_shown_once_and_names_its_person(people):
    viewer = person(with_people(people), "olga")
    key = str(uuid.uuid4())
    fields = {"back": "/queues?x=1", "for": "1h"}
    answer = viewer.act("/queues/default/pause", key=key, **fields)
    assert (answer.status, answer.location) == (303, "/queues?x=1")
    assert "is paused" in viewer.get("/queues").text
    assert "is paused for" not in viewer.get("/queues").text, "a notice is shown once"
    people.run("select queues.resume_queue('default')")
    assert viewer.act("/queues/default/pause", key=key, **fields).status == 303
    assert people.value("select count(*) from queues.audit where action = 'pause_queue'") == 1, "the same form does nothing twice"
    assert people.rows("select actor, via from queues.audit where action = 'pause_queue'") == [("olga", "board")]
    other = person(viewer.dashboard, "ada")
    refused = other.act("/queues/default/pause", key=key, **fields)
    assert refused.status == 409 and "belongs to another act" in refused.text
    people.run("select queues.resume_queue('default')")


def test_a_form_counts_only_if_this_session_has_written_it(people):
    dashboard = with_people(people)
    viewer, other = person(dashboard, "olga"), person(dashboard, "ada")
    token, key = viewer.token(), str(uuid.uuid4())
    path = "/queues/default/pause"
    refused = [
        viewer.post(path, key=key), viewer.post(path, token="0" * 64, key=key), viewer.post(path, token=other.token(), key=key),
        viewer.post(path, token=token, key=key, _headers={"Sec-Fetch-Site": "cross-site"}),
        viewer.post(path, token=token, key=key, _headers={"Sec-Fetch-Site": "same-site"}),
        viewer.post(path, token=token, key=key, _headers={"Origin": "https://evil.example"}),
        viewer.post(path, token=token, key=key, _headers={"Content-Type": "text/plain"}),
        viewer.post(path, token=token, key="not a uuid"), viewer.post(path, token=token),
        viewer.get(f"{path}?token={token}&key={key}&for=1h"),
    ]
    assert [answer.status for answer in refused] == [403, 403, 403, 403, 403, 403, 415, 400, 400, 200]
    assert people.value("select count(*) from queues.audit where action = 'pause_queue'") == 0
    good = viewer.post(path, token=token, key=key, _headers={"Sec-Fetch-Site": "same-origin", "Origin": "null", "Accept": "application/json"}, **{"for": "1h"})
    assert good.status == 200 and "is paused" in good.json()["notice"]
    people.run("select queues.resume_queue('default')")


def test_what_the_database_refuses_is_said_where_the_viewer_was(people):
    viewer = person(with_people(people), "olga")
    answer = viewer.act("/queues/no_such_queue/pause", back="/queues")
    assert (answer.status, answer.location) == (303, "/queues")
    assert "no_such_queue" in viewer.get("/queues").text
    evil = viewer.act("/queues/default/resume", back="//evil.example/")
    assert evil.location == "/"


def test_a_form_that_was_refused_comes_back_with_what_was_typed(people):
    task = people.value("select queues.enqueue('noop', '{\"a\": 1}', now() + interval '1 day')")
    viewer = person(with_people(people), "ada")
    typed = '{"a": 2, "canary": "what was typed",}'
    answer = viewer.act(f"/tasks/{task}/copy", payload=typed, back=f"/tasks/{task}?x=1")
    assert answer.status == 409 and "what was typed" in answer.text and "json" in answer.text
    (action, fields), = [(a, f) for a, f in Forms(answer.text).forms.items() if a.endswith("/copy")]
    assert fields["back"] == f"/tasks/{task}?x=1"
    again = viewer.post(action, **fields, payload='{"a": 2}')
    assert again.status == 303 and again.location != f"/tasks/{task}?x=1"
    assert people.value("select payload->>'a' from queues.task order by task_id desc limit 1") == "2"


def test_a_killed_server_and_a_form_that_is_sent_again_do_one_act(people):
    dashboard = with_people(people)
    viewer = person(dashboard, "olga")
    key, token = str(uuid.uuid4()), viewer.token()

    def send():
        try:
            viewer.post("/queues/default/pause", token=token, key=key, back="/queues")
        except OSError:
            pass  # its server is killed

    with people.connect() as blocker:
        blocker.execute("lock table queues.queue in exclusive mode")
        thread = threading.Thread(target=send)
        thread.start()
        people.eventually("select exists (select 1 from pg_stat_activity where wait_event_type = 'Lock' and application_name = 'reeve serve')")
        dashboard.program.kill()
        blocker.rollback()
    thread.join()
    again = person(with_people(people), "olga")
    for _ in range(2):
        assert again.act("/queues/default/pause", key=key, back="/queues").status == 303
    assert people.value("select count(*) from queues.audit where action = 'pause_queue'") == 1
    people.run("select queues.resume_queue('default')")


# --- the database goes and comes ---


def test_viewers_are_told_that_the_database_is_away_until_it_is_back(own_db):
    dashboard = Dashboard(own_db)
    viewer = dashboard.by_token()
    assert viewer.get("/queues").status == 200 and viewer.get("/readyz").status == 200
    token = viewer.token()
    own_db.server.stop()
    own_db.forget_connection()
    answer = eventually(lambda: (lambda a: a if a.status == 503 else None)(viewer.get("/queues")), "the database is away")
    assert "away" in answer.text and answer.headers["Retry-After"] and answer.headers["Refresh"]
    form = viewer.post("/queues/default/pause", token=token, key=str(uuid.uuid4()))
    assert form.status == 503 and "send the form again" in form.text and not form.headers["Refresh"]
    assert viewer.get("/api/queues").json()["error"]["status"] == 503
    eventually(lambda: viewer.get("/readyz").status == 503, "not ready")
    assert viewer.get("/livez").status == 200 and viewer.get("/login").status == 303
    own_db.server.start()
    eventually(lambda: viewer.get("/queues").status == 200, "it recovers by itself, and the session lives")
    eventually(lambda: viewer.get("/readyz").status == 200, "ready")
    assert viewer.act("/queues/default/pause").status == 303
    assert own_db.value("select count(*) from queues.audit where action = 'pause_queue'") == 1
    own_db.run("select queues.resume_queue('default')")


def test_a_server_without_the_schema_or_without_its_role_says_so(empty_db):
    dashboard = Dashboard(empty_db)
    viewer = dashboard.by_token()
    assert viewer.get("/").status == 503 and "reeve install" in viewer.get("/").text
    assert empty_db.reeve("install").returncode == 0
    eventually(lambda: viewer.get("/").status == 200, "installed meanwhile")
    empty_db.run("drop role if exists plain")
    empty_db.run("create role plain login")
    try:
        other = Dashboard(empty_db, user="plain").by_token()
        answer = other.get("/")
        assert answer.status == 403 and "queues_dashboard" in answer.text
    finally:
        empty_db.end_workers()
        empty_db.run("drop role plain")


def test_on_a_standby_the_dashboard_is_read_only_and_says_how_old_its_data_is():
    with Pair("async") as pair:
        dashboard = Dashboard(pair.new)
        viewer = dashboard.by_token()
        page = eventually(lambda: (lambda a: a if a.status == 200 else None)(viewer.get("/queues")), "the page of a standby")
        assert "standby" in page.text.lower() or "old" in page.text.lower()
        assert "/pause" not in page.text
        refused = viewer.post("/queues/default/pause", token="0" * 64, key=str(uuid.uuid4()))
        assert refused.status == 403 and "standby" in refused.text


def test_after_a_failover_the_pages_come_back_and_act_on_the_new_server():
    with Pair("sync") as pair:
        dashboard = Dashboard(pair.new, url=pair.url(first="primary"))
        viewer = dashboard.by_token()
        viewer.until("/readyz", 200)
        key = str(uuid.uuid4())
        assert viewer.act("/queues/default/pause", key=key).status == 303
        pair.crash()
        eventually(lambda: viewer.get("/queues").status in (200, 503), "an answer, whatever it is")
        pair.standby.promote()
        eventually(lambda: viewer.get("/queues").status == 200 and "/resume" in viewer.get("/queues").text, "the pages of the new server", 60)
        assert viewer.act("/queues/default/pause", key=key).status == 303
        assert pair.new.value("select count(*) from queues.audit where action = 'pause_queue'") == 1, "its keys came along"
        assert viewer.act("/queues/default/resume").status == 303
        pair.new.eventually("select count(*) = 1 from queues.audit where action = 'resume_queue'")


# --- options ---


def test_read_only_has_no_buttons_and_refuses_every_act(people):
    viewer = person(with_people(people, "--read-only"), "ada")
    assert "/pause" not in viewer.get("/queues").text
    for path in routes("acts.c"):
        assert viewer.post(address(path), token=viewer.token(), key=str(uuid.uuid4())).status == 403
    assert people.value("select count(*) from queues.audit where action = 'pause_queue'") == 0


def test_behind_a_path_every_address_has_the_prefix(db):
    port = free_port()
    dashboard = Dashboard(db, "--base-url", f"http://127.0.0.1:{port}/ops/reeve", listen=f"127.0.0.1:{port}")
    assert dashboard.addresses()[0].startswith(f"http://127.0.0.1:{port}/ops/reeve/login?secret=")
    viewer = dashboard.viewer()
    answer = viewer.get(dashboard.addresses()[0].partition(str(port))[2])
    assert answer.location == "/ops/reeve/" and "Path=/ops/reeve/" in answer.headers["Set-Cookie"]
    page = viewer.get("/ops/reeve/queues")
    assert page.status == 200
    links = re.findall(r'(?:href|src|action)="(/[^"]*)"', page.text)
    assert links and all(link.startswith("/ops/reeve/") for link in links), links
    assert viewer.get("/queues").status == 200, "a proxy that takes the prefix away"
    assert viewer.get("/ops/reevequeues").status == 404


def test_the_dashboard_speaks_tls(db, tmp_path):
    authority.make(tmp_path)
    chain, key = tmp_path / "good.pem", tmp_path / "good.key"
    dashboard = Dashboard(db, "--tls-certificate", chain, "--tls-key", key, tls=True)
    assert dashboard.addresses()[0].startswith("https://")
    viewer = dashboard.viewer()
    answer = viewer.get("/login" + dashboard.addresses()[-1].partition("/login")[2])
    assert answer.status == 303 and "; Secure" in answer.headers["Set-Cookie"]
    assert viewer.get("/queues").status == 200


@pytest.mark.parametrize("args, words", [
    (["--listen", "0.0.0.0:0"], "open to everybody"),
    (["--listen", "0.0.0.0:0", "--login", "password", "--base-url", "https://x"], "without encryption"),
    (["--listen", "127.0.0.1:0", "--login", "proxy"], "say who they are"),
    (["--listen", "0.0.0.0:0", "--login", "proxy", "--proxy", "10.0.0.1"], "does not know its name"),
    (["--listen", "127.0.0.1:0", "--login", "proxy", "--proxy", "proxy.example"], "no numeric address"),
    (["--listen", "127.0.0.1:0", "--base-url", "ftp://x"], "does not begin with"),
    (["--listen", "127.0.0.1:0", "--base-url", "https://x/a b"], "not plain"),
    (["--listen", "127.0.0.1:0", "--tls-certificate", "/nowhere"], "both a certificate and its key"),
    (["--listen", "127.0.0.1:0", "--tls-certificate", "/nowhere", "--tls-key", "/nowhere"], "cannot read"),
])
def test_a_server_that_would_be_open_or_does_not_know_itself_does_not_start(args, words):
    done = reeve("serve", *args, "--database-url", "host=/nowhere")
    assert done.returncode == 3 and words in done.stderr, done.stderr


def test_only_our_own_names_are_answered(db):
    dashboard = Dashboard(db)
    viewer = dashboard.by_token()
    assert viewer.get("/", Host=f"localhost:{dashboard.port}").status == 200
    for host in ("evil.example", f"evil.example:{dashboard.port}", "localhost", "127.0.0.1:1", f"localhost.evil.example:{dashboard.port}"):
        assert viewer.get("/", Host=host).status == 421, host
    assert viewer.get("/livez", Host="10.0.0.7:8080").status == 200, "probes of a cluster"


# --- a proxy that says who asks ---


def test_a_proxy_names_the_viewer_and_the_database_says_what_the_viewer_may_do(people):
    dashboard = with_people(people, "--login", "proxy", "--proxy", "127.0.0.1", "--proxy-header", "Remote-User", REEVE_PROXY_SECRET="open sesame")
    def through(name, secret="open sesame"):
        headers = {"X-Reeve-Proxy-Secret": secret}
        if name:
            headers["Remote-User"] = name
        return dashboard.viewer(headers=headers)
    olga = through("olga")
    assert olga.get("/queues").status == 200 and "olga" in olga.get("/queues").text
    assert olga.act("/queues/default/pause").status == 303
    assert people.rows("select actor, via from queues.audit where action = 'pause_queue'") == [("olga", "board")]
    people.run("select queues.resume_queue('default')")
    assert [through(name).get("/queues").status for name in ("nora", "nobody", None, "x" * 300, "anna\u00ff".encode().decode("latin-1"))] == [403] * 5
    assert through("olga", "open").get("/queues").status == 403
    assert dashboard.viewer(headers={"Remote-User": "olga"}).get("/queues").status == 403
    assert dashboard.viewer(headers={"Remote-User": "olga", "X-Reeve-Proxy-Secret": "open sesame"}, address="127.0.0.1").get("/login").status == 303


def test_nobody_comes_past_the_proxy(people):
    dashboard = with_people(people, "--login", "proxy", "--proxy", "127.0.0.9", "--proxy-role", "queues_observer")
    viewer = dashboard.viewer(headers={"X-Forwarded-User": "anna@example.org"})
    assert viewer.get("/queues").status == 403 and viewer.get("/livez").status == 200


def test_one_role_for_all_whom_the_proxy_names(people):
    dashboard = with_people(people, "--login", "proxy", "--proxy", "127.0.0.1", "--proxy-role", "queues_operator")
    viewer = dashboard.viewer(headers={"X-Forwarded-User": "kim@example.org"})
    assert "kim@example.org" in viewer.get("/queues").text
    assert viewer.act("/queues/default/pause").status == 303
    assert people.rows("select actor, via from queues.audit where action = 'pause_queue'") == [("kim@example.org", "board")]
    people.run("select queues.resume_queue('default')")


# --- figures, load, a database that hangs ---


def test_the_figures_of_the_database_are_exported_when_asked_for(db):
    plain = Dashboard(db).viewer()
    assert plain.get("/metrics").status == 303
    dashboard = Dashboard(db, "--metrics")
    viewer = dashboard.viewer()
    eventually(lambda: "\nreeve_up 1\n" in viewer.get("/metrics").text, "the figures are there")
    assert "reeve_schema_version" in viewer.get("/metrics").text
    assert viewer.get("/metrics", Host="evil.example").status == 421
    assert dashboard.by_token().get("/queues").status == 200
    text = viewer.get("/metrics").text
    assert "\nreeve_dashboard_sessions 1\n" in text and 'reeve_dashboard_answers_total{status="4xx"} 1\n' in text


def test_many_viewers_of_one_page_cost_one_question(db):
    viewer = Dashboard(db).by_token()
    viewer.get("/queues")
    def transactions():
        return db.value("select pg_stat_get_db_xact_commit(oid) from pg_database where datname = current_database()")
    statuses = []
    before = transactions()
    began = time.monotonic()
    threads = [threading.Thread(target=lambda: statuses.append(viewer.get("/queues").status)) for _ in range(200)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    took = time.monotonic() - began
    assert statuses == [200] * 200
    if "asan" not in str(REEVE):
        peak = int(re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{viewer.dashboard.program.process.pid}/status").read_text())[1])
        assert peak < 48 * 1024
    eventually(lambda: transactions() > before, "the server has counted")
    assert transactions() - before < 60 + 10 * took, "far fewer than viewers"


def test_a_database_that_hangs_costs_a_viewer_six_seconds_and_heals(own_db):
    viewer = Dashboard(own_db).by_token()
    assert viewer.get("/queues").status == 200
    backends = [pid for pid, in own_db.rows("select pid from pg_stat_activity where application_name = 'reeve serve'")]
    assert backends
    for pid in backends:
        os.kill(pid, signal.SIGSTOP)
    try:
        answer = eventually(lambda: (lambda a: a if a.status == 503 else None)(viewer.get("/queues")), "no answer in time")
        assert "slow" in answer.text or "away" in answer.text
        assert viewer.get("/livez").status == 200
        eventually(lambda: viewer.get("/queues").status == 200, "new connections", 60)
    finally:
        for pid in backends:
            try:
                os.kill(pid, signal.SIGCONT)
            except ProcessLookupError:
                pass
