"""A database with some of everything that the dashboard shows."""
from pathlib import Path

HERE = Path(__file__).resolve().parent


def furnish(db):
    """Fill the database, let a worker do what is due, and leave some bulk acts behind."""
    for name in ("shop.sql", "messages.sql"):
        db.run((HERE / name).read_text(encoding="utf-8"))
    db.work_until_empty("--name", "packer", "--allow-networks", "127.0.0.0/8",
                        env={"REEVE_EMAIL_PROVIDER": "log", "REEVE_SMS_PROVIDER": "log"})
    db.run("select queues.preview_bulk('task_retry', _outcome => 'failed')")
    db.run("select queues.preview_bulk('job_retry', _all => true)")
    db.run("select queues.preview_bulk('process_revive', _all => true)")
    # Minutes are added up when they are over; these stand for the hour before.
    db.run("insert into queues.throughput (minute, queue, task_type, started, succeeded, failed, other, waits, wait_seconds,"
           " wait_seconds_max, runs, run_seconds, run_seconds_max)"
           " select date_trunc('minute', now()) - m * interval '1 minute', 'default', 'db_function', 40, 30 + 25 * abs(sin(m / 7.0)),"
           " case when m between 20 and 26 then 9 else m % 3 end, 0, 40, 4, 1, 40, 8, 2 from generate_series(2, 58) as m"
           " on conflict do nothing")
