"""The servers from Debian do what the tests of the channels rely on."""
import http.client
import json
import smtplib
import socket
import ssl
import time
import urllib.parse
from pathlib import Path

import pytest

import certificates as certificate_maker
from client import Provider
from servers import Exim, Nginx

needs_exim = pytest.mark.skipif(not Path(Exim.path).exists(), reason="another mail server is installed here")


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    folder = tmp_path_factory.mktemp("certificates")
    certificate_maker.make(folder)
    return folder


@pytest.fixture(scope="module")
def exim(certificates):
    with Exim(certificates) as server:
        yield server


@pytest.fixture(scope="module")
def provider(certificates):
    with Provider() as provider:
        yield provider


@pytest.fixture(scope="module")
def nginx(certificates, provider):
    with Nginx(certificates, provider.url) as server:
        yield server


def client(exim, certificates, tls=False):
    context = ssl.create_default_context(cafile=f"{certificates}/ca.pem")
    if tls:
        return smtplib.SMTP_SSL("localhost", exim.tls_port, timeout=10, context=context)
    connection = smtplib.SMTP("localhost", exim.port, timeout=10)
    connection.starttls(context=context)
    return connection


@needs_exim
@pytest.mark.parametrize("tls", [False, True])
def test_exim_delivers_into_its_maildir(exim, certificates, tls):
    exim.forget()
    with client(exim, certificates, tls) as connection:
        connection.login(exim.user, exim.password)
        connection.sendmail("a@example.com", ["b@private.example.com"], b"Subject: hello\r\n\r\nbody\r\n")
    end = time.monotonic() + 20
    while not exim.messages():
        assert time.monotonic() < end, exim.log()
        time.sleep(0.02)
    message, = exim.messages()
    assert (message["subject"], message["envelope-to"], message["return-path"]) == ("hello", "b@private.example.com",
                                                                                  "<a@example.com>")


@needs_exim
def test_exim_refuses_what_it_should(exim, certificates):
    with client(exim, certificates) as connection:
        for recipient, code in [("nobody@example.com", 550), ("busy@example.com", 451), ("b@private.example.com", 550)]:
            with pytest.raises(smtplib.SMTPRecipientsRefused) as caught:
                connection.sendmail("a@example.com", [recipient], b"Subject: x\r\n\r\n")
            assert caught.value.recipients[recipient][0] == code
        with pytest.raises(smtplib.SMTPAuthenticationError):
            connection.login(exim.user, "wrong")
    with smtplib.SMTP("localhost", exim.port, timeout=10) as connection:
        connection.ehlo()
        assert connection.has_extn("starttls") and not connection.has_extn("auth")


def delete(nginx, path):
    connection = http.client.HTTPConnection("127.0.0.1", nginx.port, timeout=10)
    connection.request("DELETE", path)
    status = connection.getresponse().status
    connection.close()
    return status


def test_nginx_deletes_by_the_signed_addresses_of_the_files_service(nginx, provider):
    provider.settings(store_url=nginx.url)
    nginx.put("/objects/files/987")
    answer = provider.ask("POST", "/signed_delete_url", {"file_id": 987}, {"X-File-Service-Api-Key": "files_test"})
    url = urllib.parse.urlsplit(json.loads(answer[2])["url"])
    assert delete(nginx, url.path) == 403
    assert nginx.has("/objects/files/987")
    assert delete(nginx, f"{url.path}?{url.query}") == 204
    assert not nginx.has("/objects/files/987")
    assert delete(nginx, f"{url.path}?{url.query}") == 404


def test_nginx_speaks_http_2_in_front_of_the_provider(nginx, provider, certificates):
    context = ssl.create_default_context(cafile=f"{certificates}/ca.pem")
    context.set_alpn_protocols(["h2"])
    with socket.create_connection(("127.0.0.1", nginx.tls_port), timeout=10) as plain:
        with context.wrap_socket(plain, server_hostname="localhost") as connection:
            assert connection.selected_alpn_protocol() == "h2"
    connection = http.client.HTTPSConnection("localhost", nginx.tls_port, timeout=10,
                                             context=ssl.create_default_context(cafile=f"{certificates}/ca.pem"))
    connection.request("GET", "/echo")
    assert json.loads(connection.getresponse().read())["headers"]["x-protocol"] == "HTTP/1.1"
    connection.close()
