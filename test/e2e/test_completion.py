"""Completions in real shells, and man pages that formatters accept."""
import os
import pty
import re
import select
import subprocess
import time

import pytest

from harness import DEADLINE, reeve

PAGES = reeve("--man").stdout.split()


def run(*command, **kwargs):
    done = subprocess.run(command, capture_output=True, text=True, timeout=DEADLINE, **kwargs)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def complete_bash(line, tmp_path):
    (tmp_path / "reeve.bash").write_text(reeve("--completion", "bash").stdout)
    words = line.split(" ")
    script = (f"source {tmp_path}/reeve.bash; COMP_WORDS=({' '.join(repr(w) for w in words)}); COMP_CWORD={len(words) - 1};"
              " _reeve; printf '%s\\n' \"${COMPREPLY[@]}\"")
    return run("bash", "--norc", "-c", script, cwd=tmp_path).split()


def complete_fish(line, tmp_path):
    (tmp_path / "reeve.fish").write_text(reeve("--completion", "fish").stdout)
    found = run("fish", "--no-config", "-c", f"source {tmp_path}/reeve.fish; complete -C {line!r}",
                cwd=tmp_path, env={**os.environ, "HOME": str(tmp_path)})
    return [row.split("\t")[0] for row in found.splitlines()]


def complete_zsh(line, tmp_path):
    """Types the line and a tab into a shell on a terminal, and reads what it lists."""
    (tmp_path / "_reeve").write_text(reeve("--completion", "zsh").stdout)
    rc = (f"fpath=({tmp_path} $fpath); autoload -Uz compinit; compinit -u -d {tmp_path}/dump; PS1='type> '; LISTMAX=0;"
          " zstyle ':completion:*' list-prompt ''; zstyle ':completion:*' menu no; setopt auto_list no_beep; unset zle_bracketed_paste\n")
    (tmp_path / ".zshrc").write_text(rc)
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(tmp_path)
        os.environ.update(ZDOTDIR=str(tmp_path), TERM="dumb", COLUMNS="400", LINES="200", HOME=str(tmp_path))
        os.execvp("zsh", ["zsh", "-i"])
    seen = b""

    def read_until(wanted):
        nonlocal seen
        end = time.monotonic() + DEADLINE
        while not re.search(wanted, seen):
            assert time.monotonic() < end, seen
            if select.select([terminal], [], [], 1)[0]:
                seen += os.read(terminal, 65536)
        return seen

    try:
        read_until(rb"type> ")
        seen = b""
        # The widget lists; the line that follows says that it is done.
        os.write(terminal, line.encode() + b"\x04" + b"\x15echo fin''ished\n")
        text = read_until(rb"finished").decode()
    finally:
        os.close(terminal)
        os.waitpid(pid, 0)
    return re.findall(r"[\w-]+", text)


SHELLS = {"bash": complete_bash, "fish": complete_fish, "zsh": complete_zsh}


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("line, wanted, unwanted", [
    ("reeve ", ["task", "queue", "work", "doctor"], ["list"]),
    ("reeve task ", ["list", "show", "retry", "cancel"], ["pause"]),
    ("reeve task list --", ["--state", "--outcome", "--output"], ["--lease"]),
    ("reeve work --", ["--lease", "--concurrency"], ["--state"]),
    ("reeve task list --state ", ["ready", "running", "completed"], ["succeeded"]),
    ("reeve task list --outcome ", ["succeeded", "in_doubt"], ["ready"]),
])
def test_shells_complete_commands_options_and_values(shell, line, wanted, unwanted, tmp_path):
    found = SHELLS[shell](line, tmp_path)
    assert set(wanted) <= set(found), found
    assert not set(unwanted) & set(found), found


def test_only_known_shells_and_pages_are_printed():
    assert reeve("--completion", "csh").returncode == 2
    assert reeve("--completion").returncode == 2
    assert reeve("--man", "reeve-nothing.1").returncode == 2


@pytest.mark.parametrize("page", PAGES)
def test_formatters_accept_every_man_page(page):
    text = reeve("--man", page).stdout
    done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning"], input=text, capture_output=True, text=True)
    found = [line for line in (done.stdout + done.stderr).splitlines() if "missing date" not in line]
    assert found == []
    name, _, section = page.rpartition(".")
    shown = subprocess.run(["mandoc", "-T", "utf8"], input=text, capture_output=True, text=True, check=True).stdout
    shown = re.sub(".\b", "", shown)
    assert f"{name.upper()}({section})" in shown
    assert re.search(rf"^ *{re.escape(name)} . \w", shown, re.M)
