"""What doctor says of knowledge bases that a server keeps."""

from kaozheng.api import doctor, kb_add
from kaozheng.settings import Settings


def settings(tmp_path, knowledge):
    return Settings(data=tmp_path / "data", model="", embedder="", reranker="", knowledge=knowledge)


def told(chosen, **options):
    return {one.what: one for one in doctor(chosen, **options)}


def test_server_is_asked_by_ping_alone(tmp_path, postgres):
    chosen = settings(tmp_path, postgres)
    (tmp_path / "a.md").write_text("水稻", encoding="utf-8")
    assert kb_add(tmp_path / "a.md", settings=chosen).counts == {"added": 1}
    assert "ping knowledge" not in told(chosen)
    pinged = told(chosen, ping=True)["ping knowledge"]
    assert pinged.ok
    assert "default (1 documents, 1 chunks, by words alone)" in pinged.says


def test_server_that_is_not_there_is_told_without_its_password(tmp_path):
    chosen = settings(tmp_path, "postgresql://somebody:sesame@127.0.0.1:1/kb")
    pinged = told(chosen, ping=True)["ping knowledge"]
    assert not pinged.ok
    assert "sesame" not in pinged.says
    assert "sesame" not in repr(chosen)


def test_address_of_something_else_is_a_wrong_setting(tmp_path):
    finding = told(settings(tmp_path, "mysql://somebody:sesame@db/kb"), ping=True)["knowledge"]
    assert (finding.ok, "sesame" in finding.says) == (False, False)
