"""Clean roots of Debian and Ubuntu, made by mmdebstrap, and commands in them.  Needs root and the archives of the suites."""
import functools
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / "build/package"
# Ubuntu's key is not in Debian.  It comes with Ubuntu's own package, and is trusted if it has this fingerprint.
UBUNTU = "http://archive.ubuntu.com/ubuntu"
UBUNTU_KEY = "F6ECB3762474EDA9D21B7022871920D1991BC93C"
UBUNTU_SUITES = ("jammy", "noble")
# A command with a folder for its files in memory, as TMPDIR.
IN_MEMORY = ("unshare", "--mount", "sh", "-c", 'mount -t tmpfs tmpfs /mnt && TMPDIR=/mnt exec "$@"', "sh")
# What the tests change in a root besides the package: logs, caches and lists of apt and dpkg.
NOISE = ("/var/log/", "/var/cache/", "/var/lib/apt/", "/var/lib/dpkg/", "/root/", "/etc/ld.so.cache", "/tmp/", "/etc/apt/")


def own_suite():
    lines = Path("/etc/os-release").read_text(encoding="utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line)["VERSION_CODENAME"].strip('"')


def own_sources(suite):
    """The files of this machine's apt that name the suite in the archives of its distribution."""
    files = [Path("/etc/apt/sources.list"), *sorted(Path("/etc/apt/sources.list.d").glob("*"))]
    wanted = (f"Suites: {suite}", f" {suite} main", f" {suite}-")
    return [str(file) for file in files if file.is_file() and any(text in file.read_text(encoding="utf-8") for text in wanted)]


def ubuntu_keyring():
    """The file with Ubuntu's key, from Ubuntu's package."""
    file = CACHE / "ubuntu.gpg"
    if file.exists():
        return file
    with tempfile.TemporaryDirectory() as folder:
        index = subprocess.run(f"curl -fsS {UBUNTU}/dists/noble/main/binary-amd64/Packages.gz | gzip -dc | "
                               "sed -n '/^Package: ubuntu-keyring$/,/^$/s/^Filename: //p'",
                               shell=True, check=True, capture_output=True, text=True).stdout.strip()
        subprocess.run(["curl", "-fsS", "-o", f"{folder}/keyring.deb", f"{UBUNTU}/{index}"], check=True)
        subprocess.run(["dpkg-deb", "-x", f"{folder}/keyring.deb", folder], check=True)
        os.mkdir(f"{folder}/gpg", 0o700)
        gpg = ["gpg", "--homedir", f"{folder}/gpg", "--batch", "--quiet"]
        subprocess.run([*gpg, "--import", f"{folder}/usr/share/keyrings/ubuntu-archive-keyring.gpg"], check=True)
        key = subprocess.run([*gpg, "--export", UBUNTU_KEY], check=True, capture_output=True).stdout
        assert key, f"Ubuntu's keyring has no key {UBUNTU_KEY}"
        file.write_bytes(key)
    return file


def base(suite, *packages):
    """The tar file of a root with the essential packages and some others; made once, kept below build/."""
    CACHE.mkdir(parents=True, exist_ok=True)
    file = CACHE / f"{'-'.join([suite, *packages]).replace('/', '_')[:80]}.tar"
    if file.exists():
        return file
    options, mirrors = [], []
    if suite == own_suite():
        mirrors = own_sources(suite)
    elif suite in UBUNTU_SUITES:
        options = [f"--keyring={ubuntu_keyring()}"]
        mirrors = [f"deb [signed-by={ubuntu_keyring()}] {UBUNTU} {name} main universe" for name in (suite, f"{suite}-updates")]
    new = file.with_suffix(".new.tar")
    subprocess.run([*IN_MEMORY, "mmdebstrap", "--quiet", "--variant=minbase", "--mode=root", "--skip=cleanup/apt/lists", *options,
                    *([f"--include={','.join(packages)}"] if packages else []), suite, str(new), *mirrors], check=True)
    new.rename(file)
    return file


class Root:
    """A root in memory, gone at the end together with all that runs in it."""

    def __init__(self, suite, *packages):
        self.suite = suite
        self.dir = tempfile.mkdtemp(prefix=f"reeve-root-{suite}-")
        self.holder = subprocess.Popen(["unshare", "--mount", "--pid", "--ipc", "--uts", "--fork", "--kill-child", sys.executable,
                                        Path(__file__).with_name("init.py"), self.dir, base(suite, *packages)],
                                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        assert self.holder.stdout.readline() == "ready\n", "the root cannot be mounted"
        self.pid = int(Path(f"/proc/{self.holder.pid}/task/{self.holder.pid}/children").read_text(encoding="utf-8").split()[0])
        self.run("cp", "/dev/null", "/etc/resolv.conf")
        shutil.copy("/etc/resolv.conf", self.path("/etc/resolv.conf"))
        if suite in UBUNTU_SUITES:  # the list of sources names the key by its path on this machine
            key = self.path(str(ubuntu_keyring()))
            key.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ubuntu_keyring(), key)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.holder.kill()
        self.holder.wait()
        self.holder.stdout.close()
        os.rmdir(self.dir)

    def enter(self, *words):
        """The words of a command of this machine that sees the mounts of the root, for example autopkgtest."""
        return ["nsenter", "--target", str(self.pid), "--mount", "--pid", "--ipc", "--uts", "--", *words]

    def words(self, *words, user=None, cwd="/root"):
        """The words of a command in the root, for this machine."""
        inside = ["env", "-i", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8",
                  "DEBIAN_FRONTEND=noninteractive", f"HOME={'/home/' + user if user else '/root'}"]
        if user is not None:
            cwd = f"/home/{user}"
            inside = ["runuser", "-u", user, "--", *inside]
        return self.enter("chroot", self.dir, "sh", "-c", f'cd {cwd} && exec "$@"', "sh", *inside, *words)

    def run(self, *words, user=None, check=True, timeout=900, cwd="/root"):
        """Runs a command and returns what it printed; with check=False, the finished process."""
        done = subprocess.run(self.words(*words, user=user, cwd=cwd), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=timeout, check=False)
        if not check:
            return done
        assert done.returncode == 0, f"{' '.join(words)} ended with {done.returncode}:\n{done.stdout[-6000:]}"
        return done.stdout

    def shell(self, script, **options):
        return self.run("sh", "-euc", script, **options)

    def copy_in(self, *files):
        for file in files:
            shutil.copy(file, self.path("/root/"))

    def path(self, name):
        """A path in the root, as this machine sees it."""
        return Path(f"/proc/{self.pid}/root{self.dir}{name}")

    def files(self):
        """The names of all files in the root, but for the noise."""
        found = set()
        top = str(self.path(""))
        for folder, folders, files in os.walk(top):
            for name in (*folders, *files):
                path = f"{folder}/{name}"[len(top):]
                if not path.startswith(("/proc/", "/sys/", "/dev/", "/run/", *NOISE)):
                    found.add(path)
        return found


@functools.cache
def packed_source():
    """Our source as a tar file."""
    names = subprocess.run([ROOT / "scripts/source_files"], check=True, capture_output=True).stdout
    return subprocess.run(["tar", "-C", ROOT, "--null", "--files-from=-", "--mtime=@0", "--owner=0", "--group=0", "-c"], input=names, check=True,
                          capture_output=True).stdout


def source_digest():
    return hashlib.sha256(packed_source()).hexdigest()


def unpack_source(root, folder):
    """Our source in a folder of the root."""
    target = root.path(folder)
    target.mkdir(parents=True)
    subprocess.run(["tar", "-C", target, "-x", "-m"], input=packed_source(), check=True)
    return target


def version_of(package):
    return subprocess.run(["dpkg-deb", "-f", package, "Version"], check=True, capture_output=True, text=True).stdout.strip()


def control_of(package):
    """The members of a package, with the mode and owner of each."""
    data = subprocess.run(["dpkg-deb", "--fsys-tarfile", package], check=True, capture_output=True).stdout
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.seek(0)
        with tarfile.open(fileobj=file) as archive:
            return {member.name.lstrip("."): member for member in archive}
