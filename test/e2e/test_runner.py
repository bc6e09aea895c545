"""Calls and outcomes when something is in the way: nothing is lost, sent twice, or held for ever."""
import pytest

from peer import Peer


@pytest.fixture
def peer():
    peer = Peer()
    yield peer
    peer.close()


def test_an_error_that_was_cut_within_a_character_is_recorded(db):
    # The error comes at commit, so it travels through the program, which cuts it.
    db.run("""
        create table t.loud_later (id integer);
        create function t.be_loud() returns trigger language plpgsql
        as $$ begin raise exception 'xx%', repeat('é', 400); end $$;
        create constraint trigger be_loud after insert on t.loud_later deferrable initially deferred
            for each row execute function t.be_loud();
        create function t.fail_loudly(_payload jsonb) returns jsonb
            language plpgsql security definer set search_path = pg_catalog, pg_temp
        as $$ begin insert into t.loud_later values (1); return '{"status": "succeeded"}'; end $$;
        revoke all on function t.fail_loudly(jsonb) from public;
        select internal.allow_function('t.fail_loudly')""")
    task = db.enqueue("fail_loudly")
    db.work().ready()
    assert db.wait_outcome(task) == "failed"
    error, = db.errors(task)
    assert error.startswith("xxééé")
    assert db.leases(task) == 1
