"""The Debian package in a clean root: built, installed, upgraded, used, removed and purged."""
import hashlib
import subprocess
import time

import pytest
from conftest import LOWER
from root import CACHE, IN_MEMORY, ROOT, base, control_of, own_suite, version_of


def digest(file):
    return hashlib.sha256(file.read_bytes()).hexdigest()


def install(root, file, *options):
    root.copy_in(file)
    return root.run("apt-get", "-q", "-y", "install", *options, f"./{file.name}")


def test_two_builds_in_other_folders_zones_and_languages_are_equal(builds):
    ours = {file.name: digest(file) for file in (builds / "a").glob("*.deb")}
    others = {file.name: digest(file) for file in (builds / "b").glob("*.deb")}
    assert len(ours) >= 2  # the program, and the symbols for debuggers
    assert ours == others


def test_lintian_finds_neither_errors_nor_warnings(package, suite):
    if suite != own_suite():
        pytest.skip("lintian judges by the rules of the release that it belongs to")
    done = subprocess.run(["lintian", "--allow-root", "--fail-on", "error,warning", package], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_only_root_reads_the_settings_of_the_worker(package):
    member = control_of(package)["/etc/reeve/reeve.env"]
    assert (member.mode & 0o777, member.uname, member.gname) == (0o600, "root", "root")


def test_the_program_alone_needs_no_server_and_no_user(root, package):
    users = root.path("/etc/passwd").read_text(encoding="utf-8")
    install(root, package, "--no-install-recommends")
    assert root.run("reeve", "--version").startswith(f"reeve {version_of(package)} ")
    assert root.path("/etc/passwd").read_text(encoding="utf-8") == users
    assert not root.path("/usr/lib/postgresql").exists()
    refused = root.run("reeve", "dev", check=False)
    assert refused.returncode != 0 and "apt-get install postgresql" in refused.stdout


def test_installing_enables_and_starts_nothing_of_ours(root, package):
    install(root, package)
    assert not list(root.path("/etc/systemd/system").glob("**/reeve*"))
    assert "reeve" not in root.shell("cat /proc/[0-9]*/comm")


def test_systemd_accepts_the_unit_files(root, package):
    """systemd-analyze reads them as systemd would; nothing is started."""
    root.copy_in(package)
    root.run("apt-get", "-q", "-y", "install", "--no-install-recommends", "systemd", f"./{package.name}")
    for unit in ("reeve.service", "reeve@shop.service", "reeve-run@shop.service", "reeve-metrics.service", "reeve-serve.service"):
        assert root.run("systemd-analyze", "verify", "--man=no", unit) == ""


def test_upgrade_keeps_the_settings_and_their_mode(root, package, lower):
    install(root, lower, "--no-install-recommends")
    assert root.run("reeve", "--version").startswith(f"reeve {LOWER} ")
    root.shell("echo REEVE_CONCURRENCY=7 >>/etc/reeve/reeve.env")
    install(root, package, "--no-install-recommends")
    assert root.run("reeve", "--version").startswith(f"reeve {version_of(package)} ")
    settings = root.path("/etc/reeve/reeve.env")
    assert "REEVE_CONCURRENCY=7" in settings.read_text(encoding="utf-8")
    assert settings.stat().st_mode & 0o777 == 0o600


def test_remove_keeps_the_settings_and_purge_leaves_nothing(root, package):
    # Libraries stay when the package goes, so they are installed before the first look.
    install(root, package, "--no-install-recommends")
    root.run("dpkg", "--purge", "reeve")
    before = root.files()
    install(root, package, "--no-install-recommends")
    root.run("apt-get", "-q", "-y", "remove", "reeve")
    left = {path for path in root.files() - before if "/deb-systemd-helper-enabled/" not in path}  # systemd's helper keeps these until the purge
    assert left == {"/etc/reeve", "/etc/reeve/reeve.env"}
    root.run("apt-get", "-q", "-y", "purge", "reeve")
    assert root.files() == before


def test_manuals_and_completions_come_with_the_package(package):
    members = control_of(package)
    for name in ("/usr/share/man/man1/reeve.1.gz", "/usr/share/man/man5/reeve.env.5.gz", "/usr/share/bash-completion/completions/reeve",
                 "/usr/share/zsh/vendor-completions/_reeve", "/usr/share/fish/vendor_completions.d/reeve.fish"):
        assert name in members, name
    assert any(name.startswith("/usr/share/man/man7/") for name in members)


def test_three_commands_lead_from_nothing_to_the_first_task(root, package, figures):
    """apt install, reeve dev, and an enqueue that waits for its task."""
    root.copy_in(package)
    began = time.monotonic()
    root.run("apt-get", "-q", "-y", "install", f"./{package.name}")
    installed = time.monotonic()
    with subprocess.Popen(root.words("reeve", "dev"), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as dev:
        try:
            said = ""
            while "Ctrl-C stops everything" not in said:
                line = dev.stdout.readline()
                assert line, said
                said += line
                if line.strip().startswith("psql -h"):
                    host, port = line.split("'")[1], line.split(" -p ")[1].split()[0]
            told = time.monotonic()
            url = f"host={host} port={port} user=postgres dbname=reeve"
            task = '{"db_function": "demo.write_note", "text": "my first task"}'
            root.run("reeve", "enqueue", "db_function", task, "--wait", "60", "--database-url", url)
            done = time.monotonic()
        finally:
            root.shell("kill -INT $(cat /proc/[0-9]*/stat | sed -n 's/^\\([0-9]*\\) (reeve) S 0 .*/\\1/p')", check=False)
            dev.kill()
    figures(f"first task {done - began:.0f} s after apt install began: install {installed - began:.1f} s, "
            f"reeve dev with its story {told - installed:.1f} s, own task {done - told:.1f} s")


def test_autopkgtest_runs_the_demo_with_the_installed_package(root, package, suite):
    words = ["autopkgtest", "--quiet", "--no-built-binaries", str(package), str(ROOT), "--", "chroot", root.dir]
    done = subprocess.run(root.enter(*words), capture_output=True, text=True, check=False, timeout=900)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-6000:]


def test_piuparts_finds_nothing_left_behind(package, lower, suite):
    if suite != own_suite():
        pytest.skip("piuparts knows the releases that are older than itself")
    archive = CACHE / f"{suite}.tar.gz"
    if not archive.exists():
        with open(archive, "wb") as out:
            subprocess.run(["gzip", "-1", "-c", base(suite)], stdout=out, check=True)
    done = subprocess.run([*IN_MEMORY, "piuparts", "-b", archive, "-d", suite, "--no-eatmydata", "--warn-on-debsums-errors", package],
                          capture_output=True, text=True, check=False, timeout=900)
    assert done.returncode == 0, done.stdout[-6000:]
