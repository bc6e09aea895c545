"""The dashboard as its viewers meet it: who is let in, what they may do, and what they see when something goes wrong."""
from viewer import Dashboard


def test_the_printed_address_lets_its_reader_in_once(db):
    dashboard = Dashboard(db)
    viewer = dashboard.by_token()
    assert viewer.get("/").status == 200
    assert viewer.get("/api/").headers["Content-Type"] == "application/json"
    first = "/login" + dashboard.addresses()[0].partition("/login")[2]
    dashboard.program.wait_line("Open ", count=2)
    again = dashboard.viewer()
    assert again.get(first).status == 403 and not again.cookies


def test_without_a_session_a_browser_is_sent_to_the_login_and_a_program_is_told(db):
    viewer = Dashboard(db).viewer()
    answer = viewer.get("/tasks?state=ready")
    assert (answer.status, answer.location) == (303, "/login?back=/tasks%3Fstate%3Dready")
    assert viewer.get("/api/tasks").json()["error"]["code"] == "28000"
