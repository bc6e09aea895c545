"""A program for the tests of `reeve run`, without a helper.  The payload says what a task does."""
import json
import os
import signal
import subprocess
import sys
import time

read, write = int(os.environ["REEVE_READ_FD"]), int(os.environ["REEVE_WRITE_FD"])
reader = os.fdopen(read, "rb")


def say(text):
    data = text if isinstance(text, bytes) else text.encode()
    while data:
        data = data[os.write(write, data):]


def answer(task, **fields):
    say(json.dumps({"id": task["id"], **fields}) + "\n")


def note(word, task):
    if "NOTES" in os.environ:
        with open(os.environ["NOTES"], "a") as notes:
            notes.write(f"{word} {task['id']} {task['attempt']} {os.getpid()} {task['key']}\n")


def work(task):
    payload = task["payload"]
    do = payload.get("do", "succeed")
    note("start", task)
    if "print" in payload:
        print(payload["print"], flush=True)
    if do == "succeed":
        answer(task, result=payload.get("result", {"n": payload.get("n")}))
    elif do == "task":
        answer(task, result=task)
    elif do == "fail":
        answer(task, error="no good", **payload.get("more", {}))
    elif do == "fail_once":
        answer(task, **({"error": "not yet", "retry_after": 0} if task["attempt"] == 1 else {"result": "at last"}))
    elif do == "wait":
        while not os.path.exists(payload["until"]):
            time.sleep(0.01)
        answer(task, result="waited")
    elif do == "garbage_wait":
        say("garbage\n")
        while not os.path.exists(payload["until"]):
            time.sleep(0.01)
        answer(task, result="waited")
    elif do == "sleep":
        time.sleep(payload["seconds"])
        answer(task, result="slept")
    elif do == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    elif do == "die_once":
        if task["attempt"] == 1:
            os.kill(os.getpid(), signal.SIGKILL)
        answer(task, result="alive")
    elif do == "exit":
        print("these are my last words", file=sys.stderr, flush=True)
        sys.exit(3)
    elif do == "raw":
        say(bytes.fromhex(payload["hex"]))
        if payload.get("then") == "answer":
            answer(task, result="after all")
        elif payload.get("then") == "exit":
            sys.exit(0)
    elif do == "long":
        for _ in range(payload["mib"]):
            say(b"x" * 1048576)
        say(b"\n")
        answer(task, result="after all")
    elif do == "endless":
        while True:
            say(b"x" * 65536)
    elif do == "print_raw":
        os.write(1, bytes.fromhex(payload["hex"]))
        answer(task, error="printed")
    elif do == "twice":
        answer(task, result=1)
        answer(task, result=2)
    elif do == "close":
        os.close(write)
        time.sleep(1000)
    elif do == "close_input":
        answer(task, result="last")
        reader.close()
        time.sleep(1000)
    elif do == "deaf":
        reader.close()
        note("deaf", task)
        while not os.path.exists(payload["until"]):
            time.sleep(0.01)
        answer(task, result="deaf")
        time.sleep(1000)
    elif do == "half_reader":
        answer(task, result="last")
        os.read(read, 100)
        reader.close()
        time.sleep(1000)
    elif do == "pongs":
        for _ in range(payload["n"]):
            say(json.dumps({"pong": json.loads(reader.readline())["ping"]}) + "\n")
        answer(task, result="alive")
    elif do == "family":
        subprocess.Popen(["sleep", payload["sleep"]])
        answer(task, result="parent")
    elif do == "environment":
        answer(task, result=dict(os.environ))
    elif do == "state":
        mask = os.umask(0)
        os.umask(mask)
        import resource
        answer(task, result={"umask": mask, "directory": os.getcwd(), "files": resource.getrlimit(resource.RLIMIT_NOFILE)[0],
                             "fds": sorted(int(fd) for fd in os.listdir("/proc/self/fd")), "uid": os.getuid(),
                             "group": os.getpgid(0)})
    elif do == "peek":  # into the process that holds the secrets: the parent of the launcher
        parent = int(open(f"/proc/{os.getppid()}/stat").read().rsplit(")", 1)[1].split()[1])
        try:
            answer(task, result=open(f"/proc/{parent}/environ", "rb").read().decode())
        except PermissionError:
            answer(task, result="denied")
    elif do == "eat":
        work.eaten = b"x" * (payload["mib"] * 1048576)
        while "until" in payload and not os.path.exists(payload["until"]):
            time.sleep(0.01)
        answer(task, result="full")
    elif do == "progress":
        for step in range(3):
            answer(task, progress={"step": step})
        answer(task, result="done")
    elif do == "until_cancel":
        for line in reader:
            message = json.loads(line)
            if "cancel" in message:
                note(message["reason"], task)
                answer(task, **payload.get("then", {"error": "I was told to stop"}))
                return
            note("unexpected", task)


def main():
    if os.environ.get("MODE") == "mute":
        time.sleep(1000)
    if os.environ.get("MODE") == "deaf":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    version = os.environ.get("VERSION_FILE") and open(os.environ["VERSION_FILE"]).read().strip()
    if version == "broken":
        sys.exit("this version does not start")
    say(json.dumps({"hello": 1, "types": os.environ.get("TYPES", "work").split(","), "at_once": int(os.environ.get("AT_ONCE", 1)),
                    **({"ping": True} if "PING" in os.environ else {})}) + "\n")
    for line in reader:
        message = json.loads(line)
        if "stop" in message:
            if os.environ.get("MODE") == "slow_end":
                time.sleep(2)
                with open(os.environ["NOTES"], "a") as notes:
                    notes.write("bye\n")
            return
        if "ping" in message:
            say(json.dumps({"pong": message["ping"]}) + "\n")
        elif "cancel" not in message:
            if message["payload"].get("do") == "version":
                answer(message, result=version)
            else:
                work(message)


main()
