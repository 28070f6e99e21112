"""An address and a key are looked at before anything is sent; what is said holds neither."""

from __future__ import annotations

import pytest

from kaozheng.errors import SettingsError
from kaozheng.providers.clients import check_environment
from kaozheng.providers.credentials import checked_address, checked_key


@pytest.mark.parametrize(
    "url",
    [
        *("nonsense", "ftp://secret.example/v1", "file:///secret", "http://", "http:///secret", "//secret.example/v1"),
        *("http://[::1", "http://[secret]/v1", "http://[1::2::3]/v1", "http://secret.example:99999/v1"),
        *("http://secret.example:0/v1", "http://secret.example:abc/v1", "http://user:secret@h/v1", "http://@secret/v1"),
        *("http://secret example/v1", "http://secret\n/v1", "http://h/v1\x00secret", "http://h/v1\u202esecret"),
        *("http://h/v1#secret", "http://secret..example/v1", "http://-secret/v1"),
        *("http://" + "secret" * 60 + "/v1", "http://sec%72et/v1", "javascript:secret"),
    ],
)
def test_an_address_that_cannot_work_is_refused_by_its_settings_name(url):
    with pytest.raises(SettingsError, match="OPENAI_BASE_URL") as refused:
        checked_address("OPENAI_BASE_URL", url)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    "url",
    [
        *("http://127.0.0.1:8000/v1", "https://api.example.org/v1/", "http://localhost", "http://[::1]:8080/v1"),
        *(
            "https://h/v1?version=1",
            "HTTPS://Api.Example.org",
            "http://gpu_1.lan/v1",
            "https://例え.jp/v1",
            "http://host.:80/a/b",
            "http://h:/v1",
        ),
    ],
)
def test_an_address_that_can_work_is_taken_as_it_is(url):
    assert checked_address("OPENAI_BASE_URL", url) == url


@pytest.mark.parametrize(
    "key", ["secret\nx", "secret\r", "secret x", "secret\tx", "secret密钥", "secret\x01", "“secret”"]
)
def test_a_key_that_no_header_can_carry_is_refused_and_never_said(key):
    with pytest.raises(SettingsError, match="OPENAI_API_KEY") as refused:
        checked_key("OPENAI_API_KEY", key)
    assert "secret" not in str(refused.value)


def test_any_printable_ascii_is_a_key():
    key = "".join(map(chr, range(33, 127)))
    assert checked_key("OPENAI_API_KEY", key) == key


@pytest.mark.parametrize(
    ("name", "value"),
    [("HTTPS_PROXY", "ftp://u:secret@h"), ("HTTPS_PROXY", "http://[::secret"), ("SSL_CERT_FILE", "/nowhere/secret")],
)
def test_a_proxy_or_certificate_that_cannot_be_used_is_an_error_of_the_settings(monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError, match=name) as refused:
        check_environment("https://api.example.org/v1")
    assert "secret" not in str(refused.value)
    check_environment("http://127.0.0.1:1/v1")  # no proxy stands before this machine
