"""Secrets are masked whatever their form, code without secrets stays as it is, and no line is lost."""
# ruff: noqa: E501 - tables read better wide

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaozheng.sources.code.secrets import MASK, mask_secrets

CANARY = "CANARYq7Zr2Lx9"
PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEAcanaryCANARYq7Zr2Lx9\nabcdefghijklmnop0123456789AB\n-----END RSA PRIVATE KEY-----\n"
# Put together here so that no scanner takes this file for a leak.
ISSUED = [
    "AKIA" + "Q7ZR2LX9" * 2, "AIza" + "Sy" + CANARY + "x" * 19, "sk-" + CANARY * 2, "sk-" + "proj-" + CANARY * 3,
    "sk-" + "ant-api03-" + CANARY * 3, "ghp_" + CANARY * 3, "github_pat_" + CANARY * 4, "xoxb-" + "123456789012-" + CANARY,
    "glpat-" + CANARY * 2, "sk_live_" + CANARY * 2, "hf_" + CANARY * 3, "npm_" + (CANARY * 3)[:36],
    "eyJ" + CANARY + ".eyJ" + CANARY + "." + CANARY,
]  # fmt: skip


@pytest.mark.parametrize("secret", ISSUED)
@pytest.mark.parametrize("around", ["x = '{}'", "# {} is the key", "{}", "curl -H 'X: {}'", '{{"a":"{}"}}'])
def test_a_key_is_known_by_its_form(secret, around):
    masked = mask_secrets(around.format(secret), "a.py")
    assert secret not in masked
    assert masked == around.format(MASK)


@pytest.mark.parametrize(
    ("line", "path"),
    [
        (f'password = "{CANARY}"', "a.py"),
        (f"DB_PASSWORD: str = '{CANARY}'", "a.py"),
        (f'{{"client_secret": "{CANARY}"}}', "a.json"),
        (f'connect(host="h", password="{CANARY}")', "a.py"),
        (f'const apiKey = "{CANARY}";', "a.ts"),
        (f'apiKey := "{CANARY}"', "a.go"),
        (f'static final String PASSWORD = "{CANARY}";', "A.java"),
        (f'config["secret_key"] = "{CANARY}"', "a.py"),
        (f'os.getenv("API_TOKEN", "{CANARY}")', "a.py"),
        (f"<password>{CANARY}</password>", "settings.xml"),
        (f"mysql --password={CANARY} -u root", "a.md"),
        (f"password: {CANARY}", "a.yml"),
        (f"export API_KEY={CANARY}", "run.sh"),
        (f"ENV SECRET_KEY={CANARY}", "Dockerfile"),
        (f"SOMETHING={CANARY}{CANARY}", ".env"),
        (f"THING={CANARY}{CANARY}", ".env.production"),
        (f"url = postgresql://me:{CANARY}@host/db", "a.toml"),
        (f"Authorization: Bearer {CANARY}{CANARY}", "a.http"),
        (f"https://hooks.slack.com/services/T000/B000/{CANARY}", "a.md"),
        ('{"private_key": "-----BEGIN PRIVATE KEY-----\\n' + CANARY + '\\n-----END PRIVATE KEY-----\\n"}', "sa.json"),
        (PEM, "id_rsa"),
        (f"key = '''\n{PEM}'''\nafter = 1", "a.py"),
        (PEM.rsplit("-----END")[0], "cut.pem"),
    ],
)
def test_the_canary_never_leaves(line, path):
    masked = mask_secrets(line, path)
    assert CANARY not in masked
    assert MASK in masked
    assert masked.count("\n") == line.count("\n")


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ('password = os.environ["DB_PASSWORD"]', "a.py"),
        ("password = getpass()", "a.py"),
        ('TOKEN_EXPIRED = "token_expired"', "a.py"),
        ('ACCESS_TOKEN_COOKIE_NAME = "access_token"', "a.py"),
        ('"token_url": "https://auth.example.com/oauth/token"', "a.md"),
        ("id-token: write", "a.yml"),
        ("password: ${{ secrets.PASSWORD }}", "a.yml"),
        ("password: $PASSWORD", "a.yml"),
        ('api_key = "your-api-key"', "a.py"),
        ("def tokenize(text: str, key: str = 'name') -> None:", "a.py"),
        ('token = "<token>"', "a.py"),
        ("see https://example.com:8080/a@b", "a.md"),
        ("the task-based disk-usage desk-reference-of-everything", "a.md"),
        ("LOG_LEVEL=information-and-more-words", ".env"),
        ("secret: secret", "a.yml"),
        ("after = 1\nx = '-----BEGIN CERTIFICATE-----'", "a.py"),
    ],
)
def test_what_is_no_secret_stays(line, path):
    assert mask_secrets(line, path) == line


def test_masking_twice_changes_nothing():
    once = mask_secrets(f'password = "{CANARY}"\nurl = "http://a:{CANARY}@b"\n{PEM}', "a.py")
    assert mask_secrets(once, "a.py") == once


@given(
    st.text(alphabet="password=:\"'\n -sk_tokenABC123@/{}", max_size=300), st.sampled_from(["a.py", ".env", "a.yml"])
)
def test_lines_are_never_lost(text, path):
    assert mask_secrets(text, path).count("\n") == text.count("\n")


@pytest.mark.parametrize(
    "part",
    ["password", "token=", "a://b:", "sk-", "-----BEGIN PRIVATE KEY-----", "eyJa.", "key:'", "<password>", "--token "],
)
def test_long_hostile_lines_take_linear_time(part):
    text = part * (200_000 // len(part))
    before = time.perf_counter()
    mask_secrets(text, ".env")
    assert time.perf_counter() - before < 10
