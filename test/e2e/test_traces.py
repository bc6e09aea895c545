"""Traces: the spans that a worker exports, the trace that its calls carry on, and collectors that do not play along."""
import json
import os
import re
import subprocess
import urllib.request

import pytest
from collector import CLIENT, CONSUMER, INTERNAL, Collector
from harness import HERE, eventually, free_port
from peer import Peer

TRACE = "0af7651916cd43dd8448eb211c80319c"
SPAN = "b7ad6b7169203331"
PARENT = f"00-{TRACE}-{SPAN}-01"
CHILD = ["/usr/bin/python3", str(HERE / "child.py")]


@pytest.fixture
def collector():
    made = Collector()
    yield made
    made.close()
    check_by_definitions(made)


@pytest.fixture
def peer():
    made = HeaderPeer()
    yield made
    made.close()


class HeaderPeer(Peer):
    """A peer that keeps the traceparent of each request, by its path."""

    def __init__(self):
        super().__init__()
        self.parents = {}
        handler = self._server.RequestHandlerClass
        answer = handler.answer

        def kept(request):
            self.parents[request.path] = request.headers.get_all("traceparent")
            answer(request)
        handler.do_GET = handler.do_POST = handler.do_DELETE = kept


def check_by_definitions(collector):
    """With OTLP_DEFINITIONS (make check-otlp): OpenTelemetry's own definitions read what the worker sent, and lose nothing."""
    if os.environ.get("OTLP_DEFINITIONS") and collector.bodies:
        lines = "\n".join(body.decode() for body in collector.bodies)
        done = subprocess.run(["node", str(HERE / "read_otlp.js"), os.environ["OTLP_DEFINITIONS"]], input=lines, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


def traced(db, *args, collector, env=None, **kwargs):
    """A worker that exports to this collector."""
    return db.work(*args, "--trace-url", collector.url, env=env, **kwargs)


def page(worker):
    """The metrics of a worker of work_with."""
    with urllib.request.urlopen(f"http://127.0.0.1:{worker.port}/metrics", timeout=30) as answer:
        return answer.read().decode()


def figure(worker, name):
    found = re.search(rf"^{re.escape(name)} (\S+)$", page(worker), re.M)
    return float(found.group(1)) if found else 0


def names(spans):
    return set(spans)


# --- spans ---


def test_a_function_has_spans_for_its_wait_and_its_run(db, collector):
    task = db.enqueue("slow", seconds=0.2, traceparent=PARENT)
    plain = db.enqueue("noop")
    unsampled = db.enqueue("noop", traceparent=PARENT[:-1] + "0")
    traced(db, "--trace-service", "shop", "--name", "one", collector=collector).ready()
    db.wait_drained()
    spans = collector.wait(task)
    assert names(spans) == {"db_function", "wait", "run"}
    whole, wait, run = spans["db_function"], spans["wait"], spans["run"]
    assert (whole.trace, whole.parent, whole.kind, whole.links, whole.has_failed) == (TRACE, SPAN, CONSUMER, [], False)
    assert {(s.trace, s.parent, s.kind) for s in (wait, run)} == {(TRACE, whole.id, INTERNAL)}
    assert len({s.id for s in spans.values()}) == 3
    assert whole.start == wait.start <= wait.end <= run.start <= run.end <= whole.end
    assert run.end - run.start >= 200_000_000
    assert whole.attributes == {
        "reeve.task_id": task, "reeve.lease_no": 1, "messaging.system": "reeve", "messaging.operation.type": "process",
        "messaging.destination.name": "default", "messaging.message.id": str(task), "reeve.task_type": "db_function", "reeve.attempt": 1,
        "reeve.outcome": "succeeded"}
    assert (whole.resource["service.name"], whole.resource["service.instance.id"]) == ("shop", "one")
    assert {s.task for s in collector.spans}.isdisjoint({plain, unsampled})


def test_a_wait_begins_when_the_task_was_due(db, collector):
    with db.connect() as connection:
        connection.execute("select set_config('reeve.traceparent', %s, false)", [PARENT])
        connection.commit()
        task = connection.execute("select queues.enqueue('noop', '{}', clock_timestamp() + interval '300 milliseconds')").fetchone()[0]
    due = db.value("select extract(epoch from scheduled_at) * 1e9 from queues.task where task_id = %s", task)
    traced(db, collector=collector).ready()
    spans = collector.wait(task)
    assert names(spans) == {"noop", "wait"}
    assert abs(spans["wait"].start - int(due)) < 20_000_000_000, "as the clocks of this machine see it"
    assert spans["noop"].start == spans["wait"].start


def test_a_batch_of_functions_is_shown_one_after_the_other(db, collector):
    db.run("select queues.enqueue_many('db_function', (select array_agg(jsonb_build_object('db_function', 't.noop', 'traceparent', %s::text)"
           " order by n) from generate_series(1, 2000) as n))", PARENT)
    worker = traced(db, "--until-empty", "--concurrency", "1", collector=collector)
    assert worker.wait() == 0, worker.log()
    whole = [s for s in collector.spans if s.kind == CONSUMER]
    assert len(whole) == len({s.task for s in whole}) == 2000, "the worker sends its last spans before it ends"
    runs = [s for s in collector.spans if s.name == "run"]
    assert len(runs) == 2000 and max(s.attributes.get("reeve.batch", 1) for s in runs) > 1
    assert len({s.id for s in collector.spans}) == len(collector.spans)


def test_a_failed_attempt_and_its_retry_are_linked(db, collector):
    db.run("create function t.canary(_p jsonb) returns jsonb language plpgsql as $$begin raise 'canary'; end$$; select internal.allow_function('t.canary', 'task')")
    first = db.value("select queues.enqueue('db_function', %s, _max_attempts => 2, _backoff => '[0]')",
                     json.dumps({"db_function": "t.canary", "traceparent": PARENT}))
    traced(db, collector=collector).ready()
    second = db.eventually("select max(task_id) from queues.task_attempt where chain_id = %s and attempt = 2", first)
    db.wait_drained()
    failed, again = collector.wait(first), collector.wait(second)
    assert failed["db_function"].has_failed and failed["run"].has_failed and not failed["wait"].has_failed
    assert failed["db_function"].attributes["reeve.outcome"] == "failed"
    assert failed["db_function"].attributes["error.type"] == db.value("select sqlstate from queues.error where task_id = %s", first)
    assert again["db_function"].links == [(TRACE, failed["db_function"].id)]
    assert (again["db_function"].trace, again["db_function"].parent) == (TRACE, SPAN)
    assert again["db_function"].attributes["reeve.attempt"] == 2
    for text in (body.decode() for body in collector.bodies):
        assert "canary" not in text, "spans have neither payloads nor messages"


def test_a_task_that_a_run_enqueues_is_linked_to_it(db, collector):
    db.run("create function t.spawns(_p jsonb) returns jsonb language sql security definer set search_path = pg_catalog, pg_temp as"
           " $$select queues.enqueue('noop', '{}'); select '{\"status\": \"succeeded\"}'::jsonb$$; select internal.allow_function('t.spawns', 'task')")
    task = db.enqueue("spawns", traceparent=PARENT)
    traced(db, collector=collector).ready()
    inner = db.eventually("select max(task_id) from queues.task where origin_task_id = %s", task)
    assert collector.wait(inner)["noop"].links == [(TRACE, collector.wait(task)["db_function"].id)]


def test_a_command_with_a_before_step_has_a_span_for_it(db, collector):
    db.run("create procedure t.before_trace(payload jsonb) language plpgsql as $$begin perform pg_sleep(0.05); end$$;"
           "create procedure t.act_trace(payload jsonb) language plpgsql as $$begin perform pg_sleep(0.05); end$$;"
           "select worker.register_command('traced', 't.act_trace', 'default', 't.before_trace')")
    task = db.value("select worker.enqueue('traced', %s)", json.dumps({"traceparent": PARENT}))
    traced(db, collector=collector).ready()
    spans = collector.wait(task)
    assert names(spans) == {"command", "wait", "before handler", "run"}
    assert spans["before handler"].end <= spans["run"].start
    assert min(spans[s].end - spans[s].start for s in ("before handler", "run")) >= 50_000_000


# --- calls ---


def test_a_call_has_spans_for_its_handlers_and_carries_the_trace_on(db, collector, peer):
    db.run("create function t.before_trace(_p jsonb) returns jsonb language sql as"
           " $$select jsonb_build_object('status', 'succeeded', 'payload', _p->'send')$$; select internal.allow_function('t.before_trace', 'before')")
    db.run("select internal.allow_function('t.noop', 'task,success')")
    with_handlers = db.value("select queues.enqueue('http', %s)", json.dumps({
        "traceparent": PARENT, "before_handler": "t.before_trace", "success_handler": "t.noop",
        "send": {"method": "POST", "url": peer.url + "/handlers", "body": {}}}))
    plain, = peer.enqueue(db, "/plain", traceparent=PARENT)
    unsampled, = peer.enqueue(db, "/unsampled", traceparent=PARENT[:-1] + "0")
    untraced, = peer.enqueue(db, "/untraced")
    own = db.value("select queues.enqueue('http', %s)", json.dumps({"traceparent": PARENT, "request": {
        "url": peer.url + "/own", "headers": {"TraceParent": "00-own"}}}))
    failing, = peer.enqueue(db, "/gone", traceparent=PARENT)
    traced(db, collector=collector, env=peer.env()).ready()
    db.wait_drained()
    spans = collector.wait(with_handlers)
    assert names(spans) == {"http", "wait", "before handler", "call", "handler"}
    assert spans["call"].kind == CLIENT and spans["call"].attributes["reeve.channel"] == "http"
    assert spans["wait"].end <= spans["before handler"].start <= spans["before handler"].end <= spans["call"].start
    assert spans["call"].end <= spans["handler"].start <= spans["handler"].end <= spans["http"].end
    assert peer.parents["/handlers"] == [f"00-{TRACE}-{spans['call'].id}-01"]
    spans = collector.wait(plain)
    assert names(spans) == {"http", "wait", "call"}
    assert peer.parents["/plain"] == [f"00-{TRACE}-{spans['call'].id}-01"]
    assert peer.parents["/unsampled"] == [PARENT[:-1] + "0"], "nobody wants spans, so the enqueuer's is the parent"
    assert peer.parents["/untraced"] is None
    assert peer.parents["/own"] == ["00-own"], "the request of the user wins"
    assert collector.wait(own)["call"].id
    spans = collector.wait(failing)
    assert spans["http"].has_failed and spans["call"].has_failed and spans["call"].attributes["error.type"] == "refused"
    assert not collector.of(unsampled) and not collector.of(untraced)


def test_jobs_carry_the_trace_and_each_run_has_its_spans(db, collector, peer):
    with db.connect(autocommit=True) as connection:
        connection.execute("select set_config('reeve.traceparent', %s, false)", [PARENT])
        connection.execute("insert into pgqueue.job_queue (job_type, url, payload, retry_limit) values ('POST', %s, '{}', 2)", [peer.url + "/busy"])
    first = db.value("select max(task_id) from queues.task")
    traced(db, collector=collector, env=peer.env()).ready()
    job = db.value("select max(job_id) from pgqueue.job")
    second = db.eventually("select max(task_id) from pgqueue.job_run where job_run = 2")
    parent = peer.parents["/busy"]
    db.run("select pgqueue.reschedule_job(%s, now())", job)
    db.eventually("select exists (select 1 from queues.task_completed where task_id > %s)", first)
    spans = collector.wait(first)
    assert parent == [f"00-{TRACE}-{spans['call'].id}-01"] and spans["job_http"].has_failed
    last = db.value("select max(task_id) from queues.task_completed")
    assert collector.wait(last)["job_http"].links and last >= second


def test_a_worker_that_exports_nothing_passes_the_trace_on(db, peer):
    task, = peer.enqueue(db, "/x", traceparent=PARENT)
    with db.connect(autocommit=True) as connection:
        connection.execute("select set_config('reeve.traceparent', %s, false)", [PARENT])
        connection.execute("insert into pgqueue.job_queue (job_type, url) values ('GET', %s)", [peer.url + "/job"])
    db.work(env=peer.env()).ready()
    assert db.wait_outcome(task) == "succeeded"
    db.wait_drained()
    assert peer.parents == {"/x": [PARENT], "/job": [PARENT]}


@pytest.mark.parametrize("exports", [True, False])
def test_a_program_gets_the_trace_in_its_line(db, collector, exports):
    db.value("select queues.register_task_type('work', 'program')::text")
    task = db.value("select queues.enqueue('work', %s)", json.dumps({"do": "task", "traceparent": PARENT}))
    db.run_program(*(["--trace-url", collector.url] if exports else []), program=CHILD).ready()
    assert db.wait_outcome(task) == "succeeded"
    got = db.value("select result->>'traceparent' from queues.task_completed where task_id = %s", task)
    if exports:
        spans = collector.wait(task)
        assert names(spans) == {"work", "wait", "call"} and spans["call"].attributes["reeve.channel"] == "program"
        assert got == f"00-{TRACE}-{spans['call'].id}-01"
    else:
        assert got == PARENT and collector.bodies == []


def test_a_program_that_is_started_for_each_task_gets_the_trace_in_its_environment(db, tmp_path):
    db.value("select queues.register_task_type('work', 'program')::text")
    task = db.value("select queues.enqueue('work', %s)", json.dumps({"traceparent": PARENT}))
    plain = db.value("select queues.enqueue('work', '{}')")
    db.run_program("--once-per-task", "--types", "work",
                   program=["/bin/sh", "-c", 'cat >/dev/null; printf \'{"got": "%s"}\' "$TRACEPARENT"']).ready()
    assert db.wait_outcome(task) == db.wait_outcome(plain) == "succeeded"
    assert db.rows("select result->>'got' from queues.task_completed order by task_id") == [(PARENT,), ("",)]


# --- collectors that do not play along ---


def work_with(db, url, **env):
    """A worker that exports spans and shows its figures."""
    worker = db.work("--listen", "127.0.0.1:0", "--trace-url", url, env=env).ready()
    worker.wait_line("msg=listening")
    worker.port = int(re.search(r"msg=listening address=127\.0\.0\.1:(\d+)", worker.log()).group(1))
    return worker


def test_a_collector_that_is_away_stops_no_work(db):
    worker = work_with(db, f"http://127.0.0.1:{free_port()}")
    tasks = db.rows("select queues.enqueue_many('db_function', (select array_agg(jsonb_build_object('db_function', 't.noop',"
                    " 'traceparent', %s::text)) from generate_series(1, 200)))", PARENT)
    db.wait_drained()
    assert all(db.outcome(task) == "succeeded" for task, in tasks)
    eventually(lambda: figure(worker, 'reeve_spans_dropped_total{reason="unreachable"}') > 0, "spans are dropped and counted")
    assert figure(worker, "reeve_spans_exported_total") == 0
    worker.wait_line("the collector does not take spans")
    assert worker.stop() == 0


def test_a_collector_that_never_answers_is_left_behind(db):
    collector = Collector(answer=None)
    worker = work_with(db, collector.url)
    for _ in range(3):
        db.run("select queues.enqueue_many('db_function', (select array_agg(jsonb_build_object('db_function', 't.noop',"
               " 'traceparent', %s::text)) from generate_series(1, 1500)))", PARENT)
        db.wait_drained()
    eventually(lambda: figure(worker, 'reeve_spans_dropped_total{reason="full"}') > 0, "the buffer is bounded")
    assert worker.stop() == 0, "and the worker does not wait for the collector for ever"
    assert "spans dropped, the worker ended" in worker.log()
    collector.close()


def test_a_collector_that_fails_gets_the_spans_again(db, collector):
    collector.answer = 503
    worker = work_with(db, collector.url)
    task = db.enqueue("noop", traceparent=PARENT)
    eventually(lambda: collector.bodies, "a request")
    collector.answer = 200
    assert names(collector.wait(task)) == {"db_function", "wait", "run"}
    worker.wait_line("the collector takes spans again")
    eventually(lambda: figure(worker, "reeve_spans_exported_total") == 3, "counted")
    assert 'reason="unreachable"' not in page(worker)


def test_a_collector_that_refuses_gets_them_once(db, collector):
    collector.answer = 400
    worker = work_with(db, collector.url)
    db.enqueue("noop", traceparent=PARENT)
    eventually(lambda: figure(worker, 'reeve_spans_dropped_total{reason="refused"}') == 3, "refused spans are counted")
    assert len(collector.bodies) == 1


def test_headers_reach_the_collector_and_no_log(db, collector):
    worker = work_with(db, collector.url + "/v1/traces/", REEVE_TRACE_HEADERS="x-key=canary%20secret-Zq9, x-other = 1", REEVE_LOG_LEVEL="debug")
    collector.wait(db.enqueue("noop", traceparent=PARENT))
    assert collector.headers[0]["x-key"] == "canary secret-Zq9" and collector.headers[0]["x-other"] == "1"
    assert worker.stop() == 0
    assert "canary" not in worker.log()


def test_the_names_of_opentelemetry_work_too(db, collector):
    db.work(env={"OTEL_EXPORTER_OTLP_ENDPOINT": collector.url, "OTEL_EXPORTER_OTLP_HEADERS": "a=b", "OTEL_SERVICE_NAME": "otel"}).ready()
    spans = collector.wait(db.enqueue("noop", traceparent=PARENT))
    assert spans["run"].resource["service.name"] == "otel" and collector.headers[0]["a"] == "b"


@pytest.mark.parametrize("env", [{"REEVE_TRACE_URL": "collector:4318"}, {"REEVE_TRACE_URL": "http://c/?q=1"},
                                 {"REEVE_TRACE_URL": "http://c", "REEVE_TRACE_HEADERS": "canary"},
                                 {"REEVE_TRACE_URL": "http://c", "REEVE_TRACE_HEADERS": "a=canary%0d%0ab: c"}])
def test_wrong_settings_are_refused_at_the_start(db, env):
    worker = db.work(env=env)
    assert worker.wait() == 3, worker.log()
    assert "REEVE_TRACE_" in worker.log() and "canary" not in worker.log()


# --- off ---


@pytest.mark.parametrize("exports", [True, False])
def test_without_a_collector_no_question_is_asked(db, collector, exports):
    db.run(f"alter database {db.name} set track_functions = 'pl'")
    calls = "select coalesce(sum(calls), 0) from pg_stat_user_functions where funcname = %s"
    worker = db.work(*(["--trace-url", collector.url] if exports else [])).ready()
    tasks = [db.enqueue("noop", traceparent=PARENT) for _ in range(5)]
    db.wait_drained()
    if exports:
        collector.wait(tasks[-1])
    assert worker.stop() == 0
    db.eventually(calls.replace("coalesce(sum(calls), 0)", "sum(calls) > 0"), "claim_batch")
    assert (db.value(calls, "lease_traces") > 0) == exports


def test_spans_survive_a_lost_control_connection(db, collector):
    traced(db, collector=collector).ready()
    tasks = [db.enqueue("noop", traceparent=PARENT) for _ in range(20)]
    db.wait_drained()
    db.terminate("reeve control")
    for task in tasks:
        assert "db_function" in collector.wait(task)
