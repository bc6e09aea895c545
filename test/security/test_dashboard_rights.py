"""Attacks of people who have a login of the database, and want more of the dashboard than their role has."""
from pathlib import Path

import pytest
from harness import Server
from viewer import Dashboard


@pytest.fixture(scope="module")
def people_server():
    """A server that asks eve for her password; she may make objects in the schema public, as anybody could before PostgreSQL 15."""
    with Server() as server:
        rules = Path(server.data, "pg_hba.conf")
        rules.write_text("local all eve scram-sha-256\n" + rules.read_text(encoding="utf-8"), encoding="utf-8")
        server.restart()
        server.make_template()
        server.run_sql("create role eve login password 'secret of eve'")
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


def log_in(people):
    viewer = Dashboard(people, "--login", "password", user="board").viewer()
    viewer.until("/readyz", 200)
    return viewer, viewer.post("/login", name="eve", password="secret of eve")


def test_a_role_cannot_answer_the_question_for_its_own_right(people):
    """The settings of a role are in force in each of its sessions, also in the one that proves its password."""
    people.run("grant create, usage on schema public to eve")
    people.run("create function public.pg_has_role(oid, oid, text) returns boolean language sql as 'select true'")
    people.run("create function public.pg_has_role(oid, name, text) returns boolean language sql as 'select true'")
    people.run("alter role eve set search_path = public, pg_catalog")
    try:
        viewer, answer = log_in(people)
        assert answer.status == 403 and not viewer.cookies
    finally:
        people.run("alter role eve reset all")
