"""A signed apt repository, with a key that is thrown away."""
import os
import shutil
import subprocess

import pytest
from root import ROOT, version_of


@pytest.fixture
def keyring(tmp_path):
    """Environment of GnuPG with a new secret key, "packages@reeve.example"."""
    home = tmp_path / "gnupg"
    home.mkdir(mode=0o700)
    environment = {**os.environ, "GNUPGHOME": str(home)}
    subprocess.run(["gpg", "--batch", "--quiet", "--passphrase", "", "--quick-generate-key", "packages@reeve.example", "ed25519", "sign", "1d"],
                   env=environment, check=True, capture_output=True)
    yield environment
    subprocess.run(["gpgconf", "--kill", "all"], env=environment, check=False)


def publish(tmp_path, keyring, suite, *files, key="packages@reeve.example"):
    return subprocess.run([ROOT / "scripts/apt_repository", "--key", key, tmp_path / "repository", suite, *files], env=keyring,
                          capture_output=True, text=True, check=False)


def serve(root, tmp_path, suite):
    """The repository and its key in a root, as the source of apt."""
    shutil.copytree(tmp_path / "repository", root.path("/srv/repository"), dirs_exist_ok=True)
    shutil.copy(tmp_path / "repository/reeve.asc", root.path("/etc/apt/keyrings/reeve.asc"))
    root.path("/etc/apt/sources.list.d/reeve.sources").write_text(
        f"Types: deb\nURIs: file:/srv/repository/{suite}\nSuites: {suite}\nComponents: main\nSigned-By: /etc/apt/keyrings/reeve.asc\n",
        encoding="utf-8")


def test_apt_installs_and_upgrades_from_the_repository(root, tmp_path, keyring, suite, package, lower):
    root.path("/etc/apt/keyrings").mkdir(exist_ok=True)
    done = publish(tmp_path, keyring, suite, lower)
    assert done.returncode == 0, done.stderr
    serve(root, tmp_path, suite)
    root.shell("apt-get -q update && apt-get -q -y install --no-install-recommends reeve")
    assert root.run("reeve", "--version").startswith(f"reeve {version_of(lower)} ")
    done = publish(tmp_path, keyring, suite, package)
    assert done.returncode == 0 and version_of(package) in done.stdout, done.stderr
    serve(root, tmp_path, suite)
    root.shell("apt-get -q update && apt-get -q -y upgrade")
    assert root.run("reeve", "--version").startswith(f"reeve {version_of(package)} ")


def test_apt_refuses_a_repository_that_somebody_changed(root, tmp_path, keyring, suite, package):
    root.path("/etc/apt/keyrings").mkdir(exist_ok=True)
    assert publish(tmp_path, keyring, suite, package).returncode == 0
    release = tmp_path / f"repository/{suite}/dists/{suite}/InRelease"
    release.write_text(release.read_text(encoding="utf-8").replace("Origin: Reeve", "Origin: Other"), encoding="utf-8")
    serve(root, tmp_path, suite)
    done = root.run("apt-get", "-q", "update", check=False)
    assert "BADSIG" in done.stdout or "NO_PUBKEY" in done.stdout or "signatures were invalid" in done.stdout, done.stdout


def test_a_key_that_is_not_there_is_refused(tmp_path, keyring, suite, package):
    done = publish(tmp_path, keyring, suite, package, key="nobody@reeve.example")
    assert done.returncode != 0
    assert not (tmp_path / f"repository/{suite}/dists").exists()
