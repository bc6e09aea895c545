"""The rules for Prometheus and the board for Grafana name metrics that exist, and each rule fires and falls silent."""
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from harness import ROOT, reeve

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
