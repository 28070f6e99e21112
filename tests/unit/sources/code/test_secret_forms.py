"""What an attacker found unmasked stays masked, and what a reader needs stays readable."""
# ruff: noqa: E501 - tables read better wide

import sys

import pytest

from kaozheng.sources.code.secrets import MASK, mask_secrets

X = "CANARYq7Zr2Lx9Vb8Nm"
HEX = "9f86d081884c7d65" * 2
FORMS = [
    ("README.md", f"log in with password: {X} and the rest"), ("README.md", f"the API key is {X} always."),
    ("README.md", f"docker run -e DB_PASSWORD={X} sec"), ("README.md", f"docker login -u bob -p {X}"),
    ("README.md", f"mysql -u root -p{X}"), ("README.md", f"curl -u admin:{X} https://h"),
    ("README.md", f"git clone https://{X}@github.com/a/b"), ("README.md", f"https://x.com/?api_key={X}&a=1"),
    ("README.md", f"https://u:p@ss{X}@github.com/a"), ("README.md", f"Log in with `admin` / `{X}`"),
    ("README.md", "密码：Hunter2" + X), ("README.md", f"口令是 {X}"), ("README.md", f"Server=db;User Id=sa;Password={X};"),
    ("a.cs", f'"AccountKey={X}{X}=="'), ("a.py", f'"""Uses password {X}."""'), ("a.js", f"/** Uses token={X} here. */"),
    ("a.go", f"// main uses token {X}"), ("a.py", f"# password: {X}"), ("pyproject.toml", f'description="pw is password {X} ok"'),
    ("nb.ipynb", f'"password = \\"{X}\\"\\n"'), ("nb.ipynb", f'"os.environ[\\"OPENAI_API_KEY\\"]=\\"{X}\\""'),
    (".env", f"DB_PASS={X}"), (".env", "SMTP_PASS=hunterCANARY"), (".env", "PASSWORD=$eCANARY99"), (".env", "PASSWORD='CANARY has blanks in it'"),
    ("Dockerfile", f"ENV API_TOKEN {X}"), ("Dockerfile", f"ARG PASSWORD={X}"), ("Dockerfile", f'CMD ["x","--password","{X}"]'),
    ("Makefile", f"TOKEN := {X}"), ("Makefile", f"TOKEN ?= {X}"), ("Makefile", f"run:\n\tAPI_TOKEN={X} ./run"),
    (".netrc", f"machine x login y password {X}"), (".npmrc", f"//packages.example.com/:_authToken={X}"), (".pgpass", f"h:5432:db:u:{X}"),
    ("package.json", f'"start": "API_KEY={X} node x"'), ("k8s.yaml", f"- name: DB_PASSWORD\n  value: {X}"), ("a.yml", f"password: >\n  {X}"),
    ("a.c", f'#define API_KEY "{X}"'), ("a.c", f'char password[] = "{X}";'), ("a.php", f"define('DB_PASSWORD', '{X}');"),
    ("a.py", f'token = (\n    "{X}"\n)'), ("a.py", f'password = "abcd" "{X}"'), ("a.py", f'if password == "{X}":'), ("a.xml", f'<add key="Password" value="{X}"/>'),
    ("a.py", f'SIGNING_KEY = "{X}"'), ("a.py", f'AES_KEY = "{X}"'), ("a.py", f'connect(pw="{X}", pass_="{X}")'), ("a.py", "password = 'it\\'s9CANARY'"),
    ("a.py", 'password = "my-CANARY-rex-1987"'), ("a.py", 'password = "Your-CANARY2ndPw99"'), ("a.py", 'password = "exampleCANARY123!"'),
]  # fmt: skip
ISSUED = [
    "dop_v1_" + HEX * 2, "glrt-" + X * 2, "shpat_" + HEX, "gsk_" + X * 2, "hvs." + X * 2, "123456789:AA" + (X * 2)[:33],
    "https://discord.com/api/webhooks/123456789012345678/" + X * 3, "xai-" + X * 2, "sk-" + "Ab1" * 200,
]  # fmt: skip


@pytest.mark.parametrize(("path", "text"), FORMS)
def test_a_secret_is_masked_however_it_is_given(path, text):
    masked = mask_secrets(text, path)
    assert "CANARY" not in masked
    assert MASK in masked
    assert masked.count("\n") == text.count("\n")
    assert mask_secrets(masked, path) == masked


@pytest.mark.parametrize("key", ISSUED)
def test_keys_of_more_issuers_are_known_by_their_form(key):
    assert key[-12:] not in mask_secrets(f"x('{key}')", "a.py")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("README.md", "The password must have 8 characters, the token at most 4096."),
        ("README.md", "Set the password, then pass --token as an option; the API key is required."),
        ("README.md", "A token v1.2.3 of OAuth2 is signed with HS256, see RFC7519."),
        ("README.md", "密钥：`TAVILY_API_KEY`、`GITHUB_TOKEN` 等"),
        ("README.md", "**Ensure tests pass**: `uv run pytest`"),
        ("a.py", "def login(password: str, token: Token2) -> None: ..."),
        ("a.py", "token = get_token()\npassword = self.password2\nkey = token.key1"),
        ("a.ts", "const token: Uint8Array = sha256(secret);"),
        ("a.sh", "PASSWORD=$PASSWORD"),
        ("a.sh", 'export TOKEN="${TOKEN:-}"'),
        ("a.js", 'fetch(url, { credentials: "include" })'),
        ("a.js", 'const name = passed ? "pass" : "fail"'),
        ("a.html", '<button data-pw="primary">First</button>'),
        ("de.json", '"invalidEncryptionKey": "Der Schlüssel muss 22 Zeichen lang sein."'),
        ("a.json", '"password": "Password must have at least 8 characters"'),
        ("a.sh", "docker run -p 8080:80 nginx"),
    ],
)
def test_what_a_reader_needs_stays(path, text):
    assert mask_secrets(text, path) == text


@pytest.mark.parametrize(
    "part",
    ["-----BEGIN PRIVATE KEY-----\n", "a.", "password   ", "password:", 'token="""', "eyJ-", "a://b:", "--token ", "+", "Bearer ", "password:>\n "],
)  # fmt: skip
def test_steps_grow_with_the_length_only(part):
    """Counted are the calls of functions that a text takes, not the time."""
    few, many = (_calls(part * count + 'password="x"') for count in (200, 1_600))
    assert many < 10 * few + 1_000


@pytest.mark.parametrize("path", [".env", "a.yml", "README.md"])
def test_a_secret_of_any_length_is_masked_to_its_end(path):
    assert mask_secrets(f"password: {X * 1_000} after", path).replace(" after", "") == f"password: {MASK}"


def test_the_end_of_a_key_block_is_looked_for_once():
    masked = mask_secrets("-----BEGIN PRIVATE KEY-----\n" * 40_000 + "after = words of a sentence", "a.txt")
    assert masked.count("\n") == 40_000
    assert masked.endswith("after = words of a sentence")


def _calls(text: str) -> int:
    count = 0

    def counted(*_: object) -> None:
        nonlocal count
        count += 1

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        mask_secrets(text, "a.yml")
    finally:
        sys.setprofile(before)
    return count
