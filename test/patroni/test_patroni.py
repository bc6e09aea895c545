"""Patroni changes the leader in every way that it can: workers follow, and nothing that was acknowledged is lost."""
import signal
import time

import channels
from cluster import DEADLINE, Cluster
from harness import Database
from pair import Load
from test_failover import assert_ends, assert_own_results, completed, count_sends, stop_workers

import pytest

LEASE = 10


class Story:
    """One cluster, workers and load that all scenes share; each scene leaves the cluster whole."""

    def __init__(self, cluster, provider):
        self.cluster, self.provider = cluster, provider
        self.db = Database(cluster, "ours")
        env = channels.Sender(self.db, provider).env(REEVE_LOG_LEVEL="info")
        self.workers = [self.db.work("--lease", LEASE, "--poll-interval", 1, url=cluster.url(), env=env).ready() for _ in range(2)]
        self.loads = []
        self.seen = set()
        self.begin_load()

    def begin_load(self):
        self.loads.append(Load(self.cluster, self.provider, first=1 + 1000000 * len(self.loads)).start())
        return self.loads[-1]

    def look(self):
        """Completions that were seen stay."""
        self.db.forget_connection()
        self.seen |= completed(self.db)

    def goes_on(self, load=None):
        """Every face goes on, from the enqueue to the end.  Returns what is to be said of it."""
        began = time.monotonic()
        load = load or self.loads[0]
        load.wait_more(1, deadline=DEADLINE)
        gap = time.monotonic() - began
        load.wait_more(20, deadline=DEADLINE)
        self.db.forget_connection()
        task = self.db.enqueue("write_effect", n=-1)
        assert self.db.wait_outcome(task, deadline=DEADLINE) == "succeeded"
        worked = time.monotonic() - began
        for worker in self.workers:
            assert worker.process.poll() is None, worker.log()
        return f"{gap:.1f} s until every face was taken again, {worked:.1f} s until one of 20 more was done"

    def assert_nothing_lost(self):
        for load in self.loads:
            load.stop()
        self.db.forget_connection()
        self.db.wait_drained(deadline=DEADLINE)
        stop_workers(self.workers)
        keys = assert_ends(self.db, but_function=-1)
        for load in self.loads:
            for face, acked in load.acked.items():
                assert set(acked) - set(keys[face]) == set(), f"{face}: acknowledged and gone"
        assert self.seen - completed(self.db) == set(), "a completion that was seen is gone"
        assert_own_results(self.db)
        sends, repeats, unknown = count_sends(self.db, self.provider)
        assert unknown == {}
        print(f"\n{sum(len(keys) for load in self.loads for keys in load.acked.values())} acknowledged, 0 lost, {sends} sends,"
              f" {repeats} repeated")


@pytest.fixture(scope="module")
def story(provider):
    with Cluster() as cluster:
        story = Story(cluster, provider)
        story.loads[0].wait_more(20, deadline=DEADLINE)
        try:
            yield story
            story.assert_nothing_lost()
        finally:
            for load in story.loads:
                load.is_over.set()
            for worker in story.workers:
                worker.kill()


def test_a_switchover_is_followed(story):
    leader = story.cluster.wait_whole()
    story.look()
    heir = story.cluster.other(leader)
    status, answer = leader.ask("/switchover", {"leader": leader.name, "candidate": heir.name})
    assert status == 200, answer
    story.cluster.wait_leader(heir)
    print(f"\nswitchover: {story.goes_on()}")


def test_a_crash_of_the_leader_is_survived(story):
    leader = story.cluster.wait_whole()
    story.look()
    began = time.monotonic()
    leader.crash()
    story.cluster.wait_leader(story.cluster.other(leader))
    took = time.monotonic() - began
    print(f"\ncrash: {took:.1f} s until there was a leader, {story.goes_on()}")
    leader.start()


def test_a_frozen_leader_is_left(story):
    leader = story.cluster.wait_whole()
    story.look()
    began = time.monotonic()
    leader.signal(signal.SIGSTOP)
    try:
        story.cluster.wait_leader(story.cluster.other(leader))
        took = time.monotonic() - began
        # Clients that were connected hang with their server.  Others come, which do not try the frozen one first; the workers do.
        story.cluster.order = [story.cluster.other(leader), leader]
        print(f"\nfrozen: {took:.1f} s until there was a leader, {story.goes_on(story.begin_load())}")
    finally:
        leader.signal(signal.SIGCONT)
    story.cluster.wait_whole()
    story.goes_on()


def test_without_etcd_workers_wait_for_a_leader(story):
    story.cluster.wait_whole()
    story.look()
    story.cluster.stop_etcd()
    began = time.monotonic()
    # Nobody may lead without it: the leader steps down.
    for worker in story.workers:
        worker.wait_line("control connection lost", deadline=DEADLINE, count=1 + worker.log().count("control connection lost"))
    took = time.monotonic() - began
    story.cluster.start_etcd()
    story.cluster.wait_whole()
    print(f"\netcd gone: {took:.1f} s until the leader had stepped down; after its return {story.goes_on()}")
