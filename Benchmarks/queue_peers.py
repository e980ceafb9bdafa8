#!/usr/bin/env python3
"""Durable job queues on SQLite, from submission to acknowledged end: one line of jobs per second each.

  queue_peers.py FOLDER [JOBS]     FOLDER: an empty folder on the disk to measure

Each runs with what it needs to survive a power cut, where it can: huey with fsync (it has no
acknowledgement, so a crash loses what was taken), persist-queue at its own level, litequeue without.
"""
import sys
import time

FOLDER = sys.argv[1]
JOBS = int(sys.argv[2]) if len(sys.argv) > 2 else 1000


def persist_queue():
    import persistqueue
    queue = persistqueue.SQLiteAckQueue(f"{FOLDER}/persist-queue", auto_commit=True)

    def work():
        for number in range(JOBS):
            queue.put({"number": number})
        for _ in range(JOBS):
            queue.ack(queue.get())
    return work


def lite_queue():
    from litequeue import LiteQueue
    queue = LiteQueue(f"{FOLDER}/litequeue.db")

    def work():
        for _ in range(JOBS):
            queue.put("x")
        for _ in range(JOBS):
            queue.done(queue.pop().message_id)
    return work


def huey():
    from huey import SqliteHuey
    app = SqliteHuey("bench", filename=f"{FOLDER}/huey.db", results=False, fsync=True)

    @app.task(name="task")
    def task(number):
        return None

    def work():
        for number in range(JOBS):
            task(number)
        for _ in range(JOBS):
            app.execute(app.dequeue())
    return work


for label, make in (("huey (fsync)", huey), ("persist-queue", persist_queue),
                    ("litequeue (no fsync)", lite_queue)):
    try:
        work = make()
    except ImportError as error:
        print(f"{label}: skipped, {error}", flush=True)
        continue
    began = time.perf_counter()
    work()
    print(f"{label}: {JOBS / (time.perf_counter() - began):.0f} jobs/s", flush=True)
