"""init.py DIR TAR: the first process of a root.  It unpacks the root into memory, mounts what programs expect, says "ready", and waits for
children that lost their parents.

All mounts and processes are in namespaces of this process.  They end with it, and so do the files: to remove thousands of
them from a disk can take minutes.
"""
import os
import subprocess
import sys
import time

root, archive = sys.argv[1:]


def mount(kind, target, options):
    os.makedirs(target, exist_ok=True)
    subprocess.run(["mount", "-t", kind, "-o", options, kind, target], check=True)


mount("tmpfs", root, "mode=755,size=6g")
subprocess.run(["tar", "-C", root, "-x", "--numeric-owner", "-f", archive], check=True)
mount("proc", f"{root}/proc", "nosuid,nodev,noexec")
mount("sysfs", f"{root}/sys", "ro,nosuid,nodev,noexec")
mount("tmpfs", f"{root}/dev/shm", "nosuid,nodev")
mount("tmpfs", f"{root}/run", "nosuid,nodev,mode=755")
mount("devpts", f"{root}/dev/pts", "newinstance,ptmxmode=0666,mode=620")
print("ready", flush=True)
while True:
    try:
        os.wait()
    except ChildProcessError:
        time.sleep(0.1)
