"""The container image: small, without rights, with everything that the program loads, and an account of each file."""
import hashlib
import json
import os
import subprocess
import tarfile

from harness import DEADLINE, ROOT, Worker, clean_environment, eventually, free_port

LIMIT = 40_000_000  # bytes


def run(image, *words, **options):
    return subprocess.run(image.words("/usr/bin/reeve", *words), capture_output=True, text=True, check=False, timeout=120, **options)


def test_the_image_is_small_and_has_no_shell(image):
    assert sum(os.path.getsize(f"{image.tree}{file}") for file in image.files()) < LIMIT
    assert image.archive.stat().st_size < LIMIT
    assert {file for file in image.files() if "/bin/" in file} == {"/usr/bin/reeve"}


def test_the_image_runs_as_nobody_in_particular_and_can_be_asked_for_its_health(image):
    config = image.config["config"]
    assert config["User"] == "65532:65532"
    assert config["Entrypoint"] == ["/usr/bin/reeve"] and config["Cmd"] == ["work"]
    assert config["Healthcheck"]["Test"] == ["CMD", "/usr/bin/reeve", "health"]


def test_the_program_finds_its_libraries_in_the_image(image):
    version = subprocess.run([ROOT / "scripts/version"], capture_output=True, text=True, check=True).stdout.strip()
    done = run(image, "--version")
    assert done.returncode == 0 and done.stdout.startswith(f"reeve {version} "), done.stderr


def test_the_job_and_the_worker_of_the_image_do_a_task_and_are_healthy(image, empty_db):
    """The commands of the compose file and of the chart, on a read-only root."""
    url = empty_db.server.tcp(empty_db.name)
    for _ in range(2):
        done = run(image, "migrate", "--install", "--database-url", url)
        assert done.returncode == 0, done.stderr
    listen = f"127.0.0.1:{free_port()}"
    worker = Worker(image.words("/usr/bin/reeve", "work", "--listen", listen, "--database-url", url), clean_environment())
    try:
        eventually(lambda: run(image, "health", "--listen", listen).returncode == 0, "the worker is healthy", deadline=DEADLINE)
        done = run(image, "enqueue", "noop", "--wait", "60", "--database-url", url)
        assert done.returncode == 0, done.stderr
    finally:
        worker.process.kill()
        worker.process.wait(30)
    assert run(image, "health", "--listen", listen).returncode == 1


def test_public_certificates_are_in_the_image(image):
    bundle = image.tree / "etc/ssl/certs/ca-certificates.crt"
    assert bundle.read_text(encoding="utf-8").count("BEGIN CERTIFICATE") > 50
    assert f"SSL_CERT_FILE=/{bundle.relative_to(image.tree)}" in image.config["config"]["Env"]


def test_the_sbom_accounts_for_every_file(image):
    listed = {entry["fileName"].lstrip("."): entry["checksums"] for entry in image.sbom["files"]}
    assert set(listed) == image.files()
    for name, checksums in listed.items():
        content = (image.tree / name[1:]).read_bytes()
        assert {item["algorithm"]: item["checksumValue"] for item in checksums} == {
            "SHA1": hashlib.sha1(content).hexdigest(), "SHA256": hashlib.sha256(content).hexdigest()}
    ids = {item["SPDXID"] for kind in ("packages", "files") for item in image.sbom[kind]} | {"SPDXRef-DOCUMENT"}
    assert len(ids) == len(image.sbom["packages"]) + len(image.sbom["files"]) + 1
    for relation in image.sbom["relationships"]:
        assert {relation["spdxElementId"], relation["relatedSpdxElement"]} <= ids
    contained = {relation["relatedSpdxElement"] for relation in image.sbom["relationships"] if relation["relationshipType"] == "CONTAINS"}
    assert contained == {entry["SPDXID"] for entry in image.sbom["files"]}


def test_the_sbom_names_versions_and_licences_of_its_packages(image):
    assert image.sbom["spdxVersion"] == "SPDX-2.3" and image.sbom["dataLicense"] == "CC0-1.0"
    names = {package["name"] for package in image.sbom["packages"]}
    assert {"reeve", "libc6", "libpq5", "libssl3", "ca-certificates"} <= names
    for package in image.sbom["packages"]:
        assert package["versionInfo"] and package["downloadLocation"]
        assert (image.tree / f"usr/share/doc/{package['name']}/copyright").stat().st_size > 100


def test_two_images_of_one_tree_have_the_same_files(image, tmp_path):
    """The layer is the same, byte by byte; buildah adds an id of its own to the configuration."""
    done = subprocess.run([ROOT / "scripts/make_image", tmp_path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    with tarfile.open(next(tmp_path.glob("*.tar"))) as archive:
        manifest = json.load(archive.extractfile("manifest.json"))[0]
        other = json.load(archive.extractfile(manifest["Config"]))
    assert other["rootfs"]["diff_ids"] == image.config["rootfs"]["diff_ids"]
