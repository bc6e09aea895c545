"""The scripted SMTP server is right where it is not told otherwise, and wrong where it is."""
import smtplib
import ssl

import pytest

import certificates as certificate_maker
import smtp
from smtp import ScriptedSmtp

MESSAGE = b"Subject: hello\r\n\r\nfirst\r\n.second\r\n"


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    folder = tmp_path_factory.mktemp("certificates")
    certificate_maker.make(folder)
    return folder


def context(certificates):
    return ssl.create_default_context(cafile=f"{certificates}/ca.pem")


def test_a_message_arrives_as_it_was_sent(certificates):
    with ScriptedSmtp(certificates, login=("ann", "s3cret")) as server:
        with smtplib.SMTP("localhost", server.port, timeout=10) as client:
            client.starttls(context=context(certificates))
            client.login("ann", "s3cret")
            client.sendmail("a@example.com", ["b@example.com"], MESSAGE)
        message, = server.accepted
        assert message["data"] == MESSAGE.rstrip(b"\r\n")
        assert (message["login"], message["is_tls"]) == (("ann", "s3cret"), True)
        assert message["to"] == ["TO:<b@example.com>"]


def test_tls_from_the_first_byte(certificates):
    with ScriptedSmtp(certificates, implicit_tls=True) as server:
        with smtplib.SMTP_SSL("localhost", server.port, timeout=10, context=context(certificates)) as client:
            client.sendmail("a@example.com", ["b@example.com"], MESSAGE)
            assert not client.has_extn("starttls")
        assert server.accepted[0]["is_tls"]


def test_a_wrong_login_is_refused(certificates):
    with ScriptedSmtp(login=("ann", "s3cret")) as server:
        with smtplib.SMTP("localhost", server.port, timeout=10) as client:
            assert not client.has_extn("starttls")
            with pytest.raises(smtplib.SMTPAuthenticationError):
                client.login("ann", "wrong")


@pytest.mark.parametrize("stage", ["banner", "mail", "rcpt", "data", "dot"])
def test_each_stage_can_be_refused(stage):
    with ScriptedSmtp() as server:
        server.script(**{stage: "451 4.3.0 later"})
        with pytest.raises(smtplib.SMTPException) as caught:
            with smtplib.SMTP("localhost", server.port, timeout=10) as client:
                client.sendmail("a@example.com", ["b@example.com"], MESSAGE)
        assert "451" in str(caught.value)
        assert server.accepted == []
        assert server.arrived == (1 if stage == "dot" else 0)


@pytest.mark.parametrize("then, kept", [(smtp.close, 0), (smtp.reset, 0), (smtp.accept_and(smtp.close), 1)])
def test_the_connection_can_end_after_the_final_dot(then, kept):
    with ScriptedSmtp() as server:
        server.script(dot=[then])
        client = smtplib.SMTP("localhost", server.port, timeout=10)
        with pytest.raises((smtplib.SMTPServerDisconnected, ConnectionError)):
            client.sendmail("a@example.com", ["b@example.com"], MESSAGE)
        assert (server.arrived, len(server.accepted)) == (1, kept)
        with smtplib.SMTP("localhost", server.port, timeout=10) as client:
            client.sendmail("a@example.com", ["b@example.com"], MESSAGE)
        assert len(server.accepted) == kept + 1


def test_a_reply_can_be_slow_or_raw():
    with ScriptedSmtp() as server:
        server.script(banner=smtp.slowly(0.002), mail=b"250-" + b"x" * 100000 + b"\r\n250 fine\r\n")
        with smtplib.SMTP("localhost", server.port, timeout=10) as client:
            with pytest.raises(smtplib.SMTPException):
                client.sendmail("a@example.com", ["b@example.com"], MESSAGE)
