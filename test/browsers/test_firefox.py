"""Firefox opens every page without a complaint."""
import subprocess
from pathlib import Path

from places import pages

HERE = Path(__file__).resolve().parent
MODULES = HERE.parents[1] / "build/browsers/node_modules"


def test_firefox_opens_each_page(shop):
    addresses = [f"http://127.0.0.1:{shop.proxied.port}{path}" for _, path in pages(shop.db)]
    done = subprocess.run(["node", str(HERE / "visit.mjs"), str(MODULES), "X-Forwarded-User=admin", *addresses], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
