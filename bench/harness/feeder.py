"""Runs a statement at even distances on four connections; a late one is made up for at once.

usage: feeder.py '{"conninfo": ..., "statement": ..., "per_second": ..., "seconds": ...}'
"""
import json
import sys
import threading
import time

import psycopg

CONNECTIONS = 4


def feed(options, start, first, sent):
    """Every fourth statement of the schedule."""
    total = int(options["per_second"] * options["seconds"])
    with psycopg.connect(options["conninfo"], autocommit=True) as connection:
        for i in range(first, total, CONNECTIONS):
            wait = start + i / options["per_second"] - time.time()
            if wait > 0:
                time.sleep(wait)
            if time.time() > start + options["seconds"] + 5:
                return  # far behind: what was not sent is told by the count
            connection.execute(options["statement"], prepare=True)
            sent[first] += 1


def main():
    options = json.loads(sys.argv[1])
    sent = [0] * CONNECTIONS
    start = time.time() + 0.3
    print(json.dumps({"start": start}), flush=True)
    threads = [threading.Thread(target=feed, args=(options, start, i, sent)) for i in range(CONNECTIONS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(json.dumps({"sent": sum(sent), "end": time.time()}), flush=True)


main()
