"""The rules for Prometheus and the board for Grafana name metrics that exist, and each rule fires and falls silent."""
import json
import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

import pytest
import setup_page
from harness import REEVE, ROOT, clean_environment, eventually, free_port, reeve

HERE = Path(__file__).resolve().parent
RULES = ROOT / "contrib/prometheus/reeve.rules.yml"
needs_promtool = pytest.mark.skipif(shutil.which("promtool") is None, reason="there is no promtool")


def metric_names():
    return set(re.findall(r"^\| `(\w+)`", reeve("metrics", "list").stdout, re.M))


def rules():
    """Name -> the text of the rule."""
    return {text.split("\n", 1)[0]: text for text in RULES.read_text().split("- alert: ")[1:]}


def assert_known(expression):
    for name in re.findall(r"\breeve_\w+", expression):
        base = re.sub(r"_(bucket|sum|count)$", "", name)
        assert name in metric_names() or base in metric_names(), name


@needs_promtool
def test_promtool_accepts_the_rules():
    done = subprocess.run(["promtool", "check", "rules", RULES], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@needs_promtool
def test_each_rule_fires_and_falls_silent(tmp_path):
    for source in (RULES, HERE / "rules.test.yml"):
        shutil.copy(source, tmp_path)
    done = subprocess.run(["promtool", "test", "rules", tmp_path / "rules.test.yml"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert set(re.findall(r"^  - name: (\w+)", (HERE / "rules.test.yml").read_text(), re.M)) == set(rules())


def test_each_rule_says_what_to_do():
    assert len(rules()) >= 10
    for name, text in rules().items():
        for key in ("summary", "meaning", "causes", "first"):
            assert re.search(rf'^ +{key}: "[^"]+"$', text, re.M), (name, key)
        assert re.search(r"severity: (page|ticket)", text), name
        assert f"`{name}`" in (ROOT / "docs/observability.md").read_text(), name
        assert_known(re.search(r"expr: >-\n(.*)\n", text).group(1))


def test_the_board_asks_for_metrics_that_exist():
    board = json.loads((ROOT / "contrib/grafana/reeve.json").read_text())
    rows = [panel["title"] for panel in board["panels"] if panel["type"] == "row"]
    assert rows == ["Home", "Queues", "Channels", "Workers"]
    for panel in board["panels"]:
        for target in panel.get("targets", []):
            assert_known(target["expr"])
    assert len({panel["id"] for panel in board["panels"]}) == len(board["panels"])


@pytest.mark.skipif(shutil.which("prometheus") is None, reason="there is no Prometheus")
def test_the_five_minute_setup_works(db, tmp_path):
    """Every line of the page is run, with free ports.  Without Alertmanager, its line is left out."""
    ports = {word: str(free_port()) for word in ("9464", "9465", "9093", "9090")}

    def moved(text):
        text = re.sub(r"127\.0\.0\.1:(\d+)", lambda found: f"127.0.0.1:{ports[found.group(1)]}", text)
        return text.replace("15s", "1s").replace("reeve_metrics", f"reeve_metrics_{db.name}")
    for name in ("prometheus.yml", "alertmanager.yml"):
        (tmp_path / name).write_text(moved(setup_page.file(name)))
    shutil.copy(RULES, tmp_path)
    lines = [moved(line) for line in setup_page.commands()]
    if shutil.which("prometheus-alertmanager") is None:
        lines = [line for line in lines if not line.startswith("prometheus-alertmanager")]
    assert len(lines) >= 5 and lines[-1].startswith("promtool query"), lines
    env = clean_environment(PATH=f"{Path(REEVE).parent}:{os.environ['PATH']}", PGHOST=db.server.dir, PGPORT=db.server.port,
                            PGUSER="postgres", PGDATABASE=db.name)
    shell = subprocess.Popen(["bash", "-c", "set -e\n" + "\n".join(lines[:-1]) + "\nwait"], cwd=tmp_path, env=env, start_new_session=True,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        def ask():
            assert shell.poll() is None
            return subprocess.run(["bash", "-c", lines[-1]], capture_output=True, text=True).stdout
        eventually(lambda: len(re.findall(r"^reeve_up\{.*\} => 1 ", ask(), re.M)) == 2, "both programs are up")
    finally:
        os.killpg(shell.pid, signal.SIGTERM)
        shell.wait(60)
        eventually(lambda: db.value("select count(*) = 0 from pg_stat_activity where application_name like 'reeve%%' and datname = %s", db.name),
                   "the programs are gone")
        db.run(f"drop owned by reeve_metrics_{db.name}; drop role reeve_metrics_{db.name}")
