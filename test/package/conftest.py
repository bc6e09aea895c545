"""Fixtures of the tests of the package.  SUITES="bookworm trixie jammy noble" names the releases; without it, that of this machine."""
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from root import CACHE, Root, own_suite, source_digest, unpack_source

SUITES = os.environ.get("SUITES", "").split() or [own_suite()]
LOWER = "0.0.9"


def write_changelog(tree, version):
    """Makes a tree the source of another version."""
    subprocess.run([tree / "scripts/version", "--set", version], check=True)
    file = tree / "debian/changelog"
    first, rest = file.read_text(encoding="utf-8").split(")", 1)
    file.write_text(f"{first.split('(')[0]}({version}){rest}", encoding="utf-8")


def build(root, folder, *, version=None, environment=(), options="nocheck"):
    """Builds the packages in a root, and returns the folder with them."""
    tree = unpack_source(root, f"{folder}/reeve")
    if version is not None:
        write_changelog(tree, version)
    root.run("env", f"DEB_BUILD_OPTIONS=parallel={os.cpu_count()} {options}", *environment, "dpkg-buildpackage", "--no-sign", "-b", cwd=f"{folder}/reeve")
    return root.path(folder)


@pytest.fixture(scope="session", params=SUITES)
def suite(request):
    return request.param


@pytest.fixture(scope="session")
def builds(suite):
    """Folder with the packages of three builds of this tree in a clean root: "a" and "b" of the same source, "lower" of an older
    version.  The root has our Build-Depends and nothing else.  A source that was built before is not built again."""
    out = CACHE / f"built-{suite}"
    mark = out / source_digest()
    if mark.exists():
        return out
    shutil.rmtree(out, ignore_errors=True)
    with Root(suite, "build-essential", "fakeroot") as root:
        unpack_source(root, "/src")
        root.shell("apt-get -q update && apt-get -q -y --no-install-recommends build-dep /src")
        for name, settings in (
                ("a", {"folder": "/build/a", "options": ""}),
                ("b", {"folder": "/build/other/place/b",
                       "environment": ("TZ=Asia/Tokyo", "LC_ALL=C", "USER=somebody", "CCACHE_DISABLE=1")}),
                ("lower", {"folder": "/build/lower", "version": LOWER})):
            built = build(root, **settings)
            (out / name).mkdir(parents=True)
            for file in built.glob("*.deb"):
                shutil.copy(file, out / name)
    mark.touch()
    return out


@pytest.fixture(scope="session")
def package(builds):
    """The .deb of this tree, as file."""
    return next((builds / "a").glob("reeve_*.deb"))


@pytest.fixture(scope="session")
def lower(builds):
    return next((builds / "lower").glob("reeve_*.deb"))


@pytest.fixture
def root(suite):
    """A clean root with fresh lists of packages."""
    with Root(suite) as root:
        root.run("apt-get", "-q", "update")
        yield root


@pytest.fixture(scope="session")
def figures(suite):
    """Adds a line to the figures of the release, which `make test-package` prints at its end."""
    file = CACHE / "figures"

    def add(line):
        with open(file, "a", encoding="utf-8") as out:
            out.write(f"{suite}: {line}\n")

    return add


def pytest_sessionstart():
    CACHE.mkdir(parents=True, exist_ok=True)
    Path(CACHE / "figures").unlink(missing_ok=True)


def pytest_terminal_summary(terminalreporter):
    file = Path(CACHE / "figures")
    if file.exists():
        terminalreporter.write(file.read_text(encoding="utf-8"))


