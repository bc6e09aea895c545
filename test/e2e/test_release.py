"""scripts/release and scripts/version, in clones that are thrown away."""
import hashlib
import re
import shutil
import subprocess
import tarfile

import pytest
from harness import REEVE, ROOT, clean_environment

VERSION = subprocess.run([ROOT / "scripts/version"], capture_output=True, text=True, check=True).stdout.strip()


class Clone:
    """The files of this tree as the first commit of a repository; or a copy of such a repository."""

    def __init__(self, folder, source=None):
        self.dir, self.out = folder / "reeve", folder / "dist"
        if source is not None:
            shutil.copytree(source.dir, self.dir, symlinks=True)
            return
        self.dir.mkdir()
        names = subprocess.run([ROOT / "scripts/source_files"], capture_output=True, check=True).stdout
        packed = subprocess.run(["tar", "-C", ROOT, "--null", "--files-from=-", "-c"], input=names, capture_output=True, check=True).stdout
        subprocess.run(["tar", "-C", self.dir, "-x"], input=packed, check=True)
        self.git("init", "-q", "-b", "main")
        self.git("config", "user.name", "tester")
        self.git("config", "user.email", "tester@localhost")
        self.commit("all")

    def git(self, *words):
        return subprocess.run(["git", *words], cwd=self.dir, capture_output=True, text=True, check=True).stdout.strip()

    def commit(self, message):
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)

    def release(self, *words):
        return subprocess.run(["scripts/release", "--output", self.out, "--program", REEVE, *words], cwd=self.dir, capture_output=True, text=True,
                              env=clean_environment(HOME=self.dir.parent, GIT_CONFIG_NOSYSTEM="1"), check=False)

    def read(self, name):
        return (self.dir / name).read_text(encoding="utf-8")

    def write(self, name, text):
        (self.dir / name).write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    folder = tmp_path_factory.mktemp("original")
    yield Clone(folder)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def clone(tmp_path, original):
    yield Clone(tmp_path, original)
    shutil.rmtree(tmp_path, ignore_errors=True)


def test_a_release_has_one_version_a_dated_changelog_a_tag_and_a_tarball_with_its_hash(clone):
    done = clone.release("--really")
    assert done.returncode == 0, done.stdout + done.stderr
    assert clone.git("tag") == f"v{VERSION}" and clone.git("status", "--porcelain") == ""
    assert re.search(rf"^## {VERSION}, \d{{4}}-\d\d-\d\d$", clone.read("CHANGELOG.md"), re.M)
    assert clone.read("debian/changelog").startswith(f"reeve ({VERSION}) stable;") and "UNRELEASED" not in clone.read("debian/changelog")
    assert "queues.enqueue " in clone.read("test/upgrade/last_release")
    assert clone.git("tag", "-l", "--format=%(contents)").startswith(f"Reeve {VERSION}\n")
    name = f"reeve-{VERSION}.tar.gz"
    digest = hashlib.sha256((clone.out / name).read_bytes()).hexdigest()
    assert (clone.out / "SHA256SUMS").read_text(encoding="utf-8") == f"{digest}  {name}\n"
    with tarfile.open(clone.out / name) as archive:
        assert {member.name.split("/")[0] for member in archive if member.name != "pax_global_header"} == {f"reeve-{VERSION}"}
        assert f"## {VERSION}, 2" in archive.extractfile(f"reeve-{VERSION}/CHANGELOG.md").read().decode()
    again = clone.release("--really")
    assert again.returncode == 1 and f"tag v{VERSION} is there already" in again.stderr


def test_a_dry_run_changes_nothing_but_writes_the_tarball(clone):
    before = clone.git("rev-parse", "HEAD")
    done = clone.release()
    assert done.returncode == 0 and "dry run" in done.stdout, done.stdout + done.stderr
    assert clone.git("rev-parse", "HEAD") == before and clone.git("tag") == "" and clone.git("status", "--porcelain") == ""
    assert (clone.out / f"reeve-{VERSION}.tar.gz").exists()


def test_a_release_of_another_version_changes_every_place(clone):
    clone.write("CHANGELOG.md", clone.read("CHANGELOG.md").replace(f"## {VERSION}, not yet released", "## 7.8.9, not yet released", 1))
    clone.commit("changelog")
    done = clone.release("--really", "7.8.9")
    assert done.returncode == 0, done.stdout + done.stderr
    assert subprocess.run(["scripts/version", "--check"], cwd=clone.dir, capture_output=True, check=False).returncode == 0
    assert '#define PROGRAM_VERSION "7.8.9"' in clone.read("src/cli/command.h")
    assert "\nappVersion: \"7.8.9\"" in clone.read("contrib/helm/reeve/Chart.yaml")
    older = clone.release("--really", "7.8.8")
    assert older.returncode == 1 and "not greater than the last one, 7.8.9" in older.stderr


def test_a_release_is_refused_with_the_reason(clone):
    for words, reason in ((["1.2"], "is not a version"), (["--sgin"], "unknown option"), (["9.9.9"], "the first heading of CHANGELOG.md")):
        done = clone.release("--really", *words)
        assert done.returncode != 0 and reason in done.stderr, done.stderr
    clone.write("README.md", "changed")
    done = clone.release("--really")
    assert done.returncode == 1 and "not committed" in done.stderr
    assert clone.git("tag") == ""


@pytest.mark.parametrize("file", ["clients/node/package.json", "clients/python/reeve.py", "contrib/helm/reeve/Chart.yaml", "debian/changelog"])
def test_a_version_that_differs_is_named(clone, file):
    clone.write(file, clone.read(file).replace(VERSION, "0.0.1", 1))
    done = subprocess.run(["scripts/version", "--check"], cwd=clone.dir, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and f'{file}: version "0.0.1' in done.stdout, done.stdout
