"""The unit files, and what the kernel is told of a running worker."""
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from harness import ROOT
from viewer import Dashboard

RELEASE = ROOT / "build/reeve"
UNITS = {name: (ROOT / "contrib" / name).read_text() for name in ("reeve.service", "reeve-run@.service", "reeve-serve.service")}


def settings(name):
    found = {}
    for key, value in re.findall(r"^(\w+)=(.*)$", UNITS[name], re.M):
        found.setdefault(key, []).append(value)
    return found


@pytest.mark.parametrize("name", UNITS)
def test_a_unit_is_hardened(name):
    unit = settings(name)
    for key in ("NoNewPrivileges", "ProtectHome", "PrivateTmp", "PrivateDevices", "PrivateUsers", "ProtectKernelTunables", "ProtectKernelModules",
                "ProtectKernelLogs", "ProtectControlGroups", "ProtectClock", "ProtectHostname", "RestrictNamespaces", "RestrictRealtime",
                "RestrictSUIDSGID", "LockPersonality", "DynamicUser", "RemoveIPC"):
        assert unit[key] == ["yes"], key
    assert unit["ProtectSystem"] == ["strict"] and unit["CapabilityBoundingSet"] == [""] and unit["SystemCallArchitectures"] == ["native"]
    assert unit["SystemCallFilter"][0] == "@system-service" and "MemoryMax" in unit and "TasksMax" in unit


def test_the_unit_of_reeve_work_lets_it_execute_nothing_else():
    unit = settings("reeve.service")
    program = unit["ExecStart"][0].split()[0]
    assert unit["NoExecPaths"] == ["/"]
    assert set(unit["ExecPaths"][0].split()) == {program, "/usr/lib", "/usr/lib64", "/lib", "/lib64"}
    assert {"~fork vfork"} <= set(unit["SystemCallFilter"]) and unit["MemoryDenyWriteExecute"] == ["yes"]


def test_the_unit_of_reeve_run_may_start_a_program():
    unit = settings("reeve-run@.service")
    assert not {"NoExecPaths", "MemoryDenyWriteExecute"} & set(unit) and not any("fork" in value for value in unit["SystemCallFilter"])
    assert unit["KillMode"] == ["mixed"] and "-HUP" in unit["ExecReload"][0]


@pytest.mark.parametrize("name", UNITS)
def test_systemd_understands_a_unit(name, tmp_path):
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed")
    copy = tmp_path / name
    copy.write_text(re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true", UNITS[name], flags=re.M))
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", str(copy)], capture_output=True, text=True)
    mine = [line for line in done.stderr.splitlines() if name in line]
    assert mine == [], done.stderr


def test_a_worker_tells_the_kernel_that_it_starts_no_process(db):
    """The program that is shipped: a sanitizer needs a process of its own."""
    worker = db.work(reeve=str(RELEASE)).ready()
    task = db.enqueue("write_effect")
    assert db.wait_outcome(task) == "succeeded"
    for status in Path(f"/proc/{worker.process.pid}/task").glob("*/status"):
        text = status.read_text()
        assert re.search(r"^Seccomp:\s+2$", text, re.M) and re.search(r"^NoNewPrivs:\s+1$", text, re.M), text


def test_the_dashboard_tells_the_kernel_that_it_starts_no_process(db):
    dashboard = Dashboard(db, program=str(RELEASE))
    assert dashboard.by_token().get("/queues").status == 200
    assert "Seccomp:\t2" in Path(f"/proc/{dashboard.program.process.pid}/status").read_text()
