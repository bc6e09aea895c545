"""Reads batches of events, rows fetched by COPY, until none is left or told to stop.

usage: pgq_consumer.py '{"mode": "drain" or "work", "conninfo": ...}'
"""
import json
import sys
import threading
import time

import psycopg

TICK = 0.005  # seconds between two calls of the ticker
stop = threading.Event()


def hear_stop():
    sys.stdin.readline()
    stop.set()


def read_batch(connection, batch, latencies):
    """Its number of events; those that carry a time tell their delay."""
    count = 0
    query = f"copy (select ev_id, ev_data from pgq.get_batch_events({batch})) to stdout"
    with connection.cursor().copy(query) as rows:
        for block in rows:
            now = time.time()
            for line in bytes(block).splitlines():
                count += 1
                data = line.split(b"\t")[1]
                if data[:1] != b"{":
                    latencies.append((now - float(data)) * 1000)
    return count


def main():
    options = json.loads(sys.argv[1])
    working = options["mode"] == "work"
    if working:
        threading.Thread(target=hear_stop, daemon=True).start()
    total, per_second, latencies = 0, {}, []
    with psycopg.connect(options["conninfo"], autocommit=True) as connection:
        print(json.dumps({"ready": True}), flush=True)
        start = time.time()
        while True:
            if working:
                connection.execute("select pgq.ticker('bench')", prepare=True)
            batch = connection.execute("select pgq.next_batch('bench', 'bench')", prepare=True).fetchone()[0]
            if batch is None:
                if not working or stop.wait(TICK):
                    break
                continue
            count = read_batch(connection, batch, latencies)
            connection.execute("select pgq.finish_batch(%s)", [batch], prepare=True)
            total += count
            second = int(time.time())
            per_second[second] = per_second.get(second, 0) + count
    print(json.dumps({"total": total, "start": start, "end": time.time(), "per_second": per_second,
                      "latencies": latencies}), flush=True)


main()
