"""The pages by https, with a certificate of the device's own."""

from __future__ import annotations

import http.client
import shutil
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from console_recorder import PASSWORDS, Recorder

from recorder.web.access import Role
from recorder.web.secure import Certificate
from recorder.web.server import PageServer, PageServerError

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not here")

COMMAND = (
    "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 365"
    " -keyout key.pem -out certificate.pem -subj /CN=banmen-7.local"
    " -addext subjectAltName=DNS:banmen-7.local,DNS:localhost"
)
"""As docs/serving.md tells to make one."""


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    """Make a self-signed certificate."""
    folder = tmp_path_factory.mktemp("tls")
    subprocess.run(COMMAND.split(), cwd=folder, check=True, capture_output=True)
    return Certificate(folder / "certificate.pem", folder / "key.pem")


@pytest.fixture
def port(certificate: Certificate) -> Iterator[int]:
    """Serve a game by https."""
    recorder = Recorder()
    recorder.start()
    server = PageServer(
        recorder.live, viewers=2, beat_s=0.2, console=recorder.console(), certificate=certificate
    )
    yield server.start(port=0)
    server.stop()


def connect(port: int, certificate: Certificate) -> http.client.HTTPSConnection:
    """Connect as a browser does that trusts the certificate."""
    context = ssl.create_default_context(cafile=str(certificate.chain))
    return http.client.HTTPSConnection("localhost", port, context=context, timeout=30)


def test_the_docs_tell_how_to_make_the_certificate() -> None:
    docs = (Path(__file__).parents[1] / "docs" / "serving.md").read_text(encoding="utf-8")
    assert COMMAND in " ".join(docs.replace("\\\n", " ").split())


def test_pages_streams_and_login_work_by_https(port: int, certificate: Certificate) -> None:
    browser = connect(port, certificate)
    browser.request("GET", "/state.json")
    assert b'"phase":"playing"' in browser.getresponse().read()
    body = f"password={PASSWORDS[Role.REFEREE]}&name=Chen"
    head = {"Content-Type": "application/x-www-form-urlencoded"}
    browser.request("POST", "/login", body, head)
    answer = browser.getresponse()
    answer.read()
    assert answer.status == 303
    assert "Secure" in (answer.getheader("Set-Cookie") or "")
    browser.request("GET", "/events")
    stream = browser.getresponse()
    lines = [stream.readline() for _ in range(3)]
    assert any(line.startswith(b"id: ") for line in lines)
    stream.close()
    browser.close()


def test_a_browser_that_does_not_know_the_certificate_is_warned(port: int) -> None:
    browser = http.client.HTTPSConnection("localhost", port, timeout=30)
    with pytest.raises(ssl.SSLCertVerificationError):
        browser.request("GET", "/")
    browser.close()


def test_a_certificate_that_cannot_be_used_is_said(tmp_path: Path) -> None:
    for name in ("certificate.pem", "key.pem"):
        (tmp_path / name).write_text("no certificate")
    wrong = Certificate(tmp_path / "certificate.pem", tmp_path / "key.pem")
    server = PageServer(Recorder().live, certificate=wrong)
    with pytest.raises(PageServerError, match="cannot serve pages"):
        server.start(port=0)
