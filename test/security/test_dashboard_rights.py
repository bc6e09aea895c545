"""Attacks of people who have a login of the database, and want more of the dashboard than their role has."""
import os
import signal
import socket
import uuid
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


def test_a_schema_with_the_name_of_a_module_is_not_the_module(people):
    """Where the module comms is not installed, anybody who may make schemas can make one of this name."""
    people.run("drop schema comms cascade")
    people.run("create table public.ran_as (who name)")
    people.run("grant insert on public.ran_as to public")
    people.run("create schema comms authorization eve")
    people.run("""set session authorization eve;
        create function comms.evil() returns text language plpgsql as $$ begin insert into public.ran_as values (current_user); return 'email'; end $$;
        create table comms.nothing (message_id bigint);
        create view comms.message as select 1::bigint as message_id, comms.evil() as channel, now() as created_at;
        grant usage on schema comms to public; grant select on all tables in schema comms to public;
        reset session authorization""")
    people.run("grant queues_admin to eve")
    try:
        viewer, answer = log_in(people)
        assert answer.status == 303
        assert viewer.get("/api/messages").json() == {"missing": "comms"}
        assert viewer.get("/search?q=1").status == 200
        assert people.rows("select who from public.ran_as") == []
    finally:
        people.run("revoke queues_admin from eve")


def test_a_key_is_good_for_one_choice(people):
    """The same form with another choice is not answered as if that choice were done."""
    people.run("grant queues_admin to eve")
    try:
        viewer, _ = log_in(people)
        key = str(uuid.uuid4())
        viewer.act("/queues/default/pause", key=key, back="/queues", **{"for": "1h"})
        assert "is paused" in viewer.get("/queues").text
        answer = viewer.act("/queues/default/pause", key=key, back="/queues", **{"for": "9h"})
        assert answer.status == 409 and "belongs to another act" in answer.text
        assert people.value("select paused_until < clock_timestamp() + interval '2 hours' from queues.queue where queue = 'default'")
        assert people.value("select count(*) from queues.audit where action = 'pause_queue'") == 1
    finally:
        people.run("revoke queues_admin from eve")


def test_logins_of_strangers_keep_no_viewer_waiting(people, people_server):
    """While the database opens no new connection, the logins wait; who is logged in goes on."""
    people.run("grant queues_admin to eve")
    postmaster = int(Path(people_server.data, "postmaster.pid").read_text(encoding="utf-8").split()[0])
    crowd = []
    try:
        viewer, _ = log_in(people)
        assert viewer.get("/tasks").status == 200
        os.kill(postmaster, signal.SIGSTOP)
        for peer in range(2, 62):
            for _ in range(4):
                crowd.append(socket.create_connection(("127.0.0.1", viewer.dashboard.port), source_address=(f"127.0.0.{peer}", 0), timeout=20))
                body = f"name=eve{len(crowd)}&password=wrong"
                crowd[-1].sendall(f"POST /login HTTP/1.1\r\nHost: 127.0.0.1:{viewer.dashboard.port}\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode())
        # The last one is answered, so all were read.
        assert b" 503 " in crowd[-1].recv(100)
        assert viewer.get("/tasks?queue=default").status == 200
    finally:
        os.kill(postmaster, signal.SIGCONT)
        for connection in crowd:
            connection.close()
        people.run("revoke queues_admin from eve")
