"""Certificates of a test authority, made by openssl: a good one, and one for each fault.

    ca.pem                       the authority, for the program under test to trust
    good.pem, good.key           localhost, 127.0.0.1, ::1 and the names of NAMES
    expired, wrong_name          signed by the authority, but late, or for somebody else
    no_name                      signed by the authority, for localhost, but the name stands only in the subject
    self_signed                  signed by nobody
"""
import subprocess
from pathlib import Path

BAD = ("expired", "wrong_name", "no_name", "self_signed")
NAMES = "DNS:localhost,DNS:*.example.com,DNS:api.resend.com,DNS:api.twilio.com,IP:127.0.0.1,IP:0:0:0:0:0:0:0:1"
CONFIG = """
[ca]
default_ca = test
[test]
database = {folder}/index.txt
new_certs_dir = {folder}
serial = {folder}/serial
default_md = sha256
policy = anything
unique_subject = no
[anything]
commonName = supplied
[authority]
basicConstraints = critical,CA:true
keyUsage = critical,keyCertSign,cRLSign
subjectKeyIdentifier = hash
[good]
subjectAltName = {names}
[expired]
subjectAltName = {names}
[wrong_name]
subjectAltName = DNS:somebody.else.example.org
[no_name]
basicConstraints = CA:false
"""


def openssl(*arguments):
    done = subprocess.run(["openssl", *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"openssl {' '.join(arguments)}: {done.stderr}")


def make(folder):
    """Make what is not there yet."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    if (folder / "complete").exists():
        return
    config = f"{folder}/openssl.cnf"
    Path(config).write_text(CONFIG.format(folder=folder, names=NAMES))
    (folder / "index.txt").write_text("")
    (folder / "serial").write_text("1000\n")
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    openssl("req", "-x509", *key, "-keyout", f"{folder}/ca.key", "-out", f"{folder}/ca.pem", "-days", "30",
            "-subj", "/CN=Reeve test authority", "-config", config, "-extensions", "authority")
    openssl("req", "-x509", *key, "-keyout", f"{folder}/self_signed.key", "-out", f"{folder}/self_signed.pem", "-days", "30",
            "-subj", "/CN=localhost", "-config", config, "-extensions", "good")
    for name in ("good", "expired", "wrong_name", "no_name"):
        openssl("req", *key, "-keyout", f"{folder}/{name}.key", "-out", f"{folder}/{name}.csr",
                "-subj", "/CN=localhost" if name == "no_name" else f"/CN={name}", "-config", config)
        dates = ["-startdate", "200101000000Z", "-enddate", "210101000000Z"] if name == "expired" else ["-days", "30"]
        openssl("ca", "-batch", "-notext", "-config", config, "-extensions", name, "-in", f"{folder}/{name}.csr",
                "-out", f"{folder}/{name}.pem", "-cert", f"{folder}/ca.pem", "-keyfile", f"{folder}/ca.key", *dates)
    (folder / "complete").write_text("")
