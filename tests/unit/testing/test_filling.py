from __future__ import annotations

import datetime as dt
from enum import Enum
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field, create_model

from kaozheng.testing.filling import fill


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Leaf(BaseModel):
    label: str = Field(pattern=r"^E\d+$")
    score: float = Field(gt=0, lt=1)
    half: Annotated[int, Field(multiple_of=5, ge=3)]


class Tree(BaseModel):
    name: str = Field(min_length=10, max_length=12)
    colour: Colour
    when: dt.date
    kind: Literal["tree"]
    leaves: list[Leaf] = Field(min_length=2, max_length=4)
    tags: set[str] = Field(min_length=3)
    pair: tuple[int, str]
    maybe: int | None
    either: Leaf | Colour
    children: list[Tree]
    parent: Tree | None
    more: dict[str, int]
    flag: bool
    anything: Any


@settings(deadline=None, max_examples=60)
@given(st.text(max_size=5))
def test_a_filled_nested_schema_is_valid(seed):
    tree = Tree.model_validate(fill(Tree.model_json_schema(), seed))
    assert tree.children
    assert tree.maybe is not None
    assert tree.more


FIELDS = st.one_of(
    st.tuples(st.integers(-50, 50), st.integers(0, 50)).map(lambda r: (int, Field(ge=r[0], le=r[0] + r[1]))),
    st.tuples(st.integers(-50, 50), st.integers(2, 50)).map(lambda r: (int, Field(gt=r[0], lt=r[0] + r[1]))),
    st.tuples(st.floats(-5, 5), st.floats(0.1, 5)).map(lambda r: (float, Field(ge=r[0], le=r[0] + r[1]))),
    st.integers(1, 9).map(lambda step: (int, Field(multiple_of=step, ge=step + 1))),
    st.tuples(st.integers(0, 20), st.integers(0, 20)).map(
        lambda r: (str, Field(min_length=r[0], max_length=r[0] + r[1]))
    ),
    st.tuples(st.integers(0, 4), st.integers(0, 3)).map(
        lambda r: (list[int], Field(min_length=r[0], max_length=r[0] + r[1]))
    ),
    st.just((Colour | None, Field())),
    st.just((list[Leaf], Field(default=[]))),
)


@settings(deadline=None, max_examples=60)
@given(st.dictionaries(st.from_regex(r"\A[a-z]{1,6}\Z"), FIELDS, max_size=5))
def test_any_bounds_are_kept(fields):
    model = create_model("Made", **{f"f_{name}": field for name, field in fields.items()})
    model.model_validate(fill(model.model_json_schema()))


def test_the_seed_decides_and_nothing_else_does():
    schema = Tree.model_json_schema()
    assert fill(schema, "a") == fill(schema, "a")
    assert fill(schema, "a") != fill(schema, "b")


def test_what_cannot_be_satisfied_is_said():
    with pytest.raises(ValueError, match="pattern"):
        fill({"type": "string", "pattern": "^never guessed [0-9]{40}$"})
    with pytest.raises(ValueError, match="no number"):
        fill({"type": "integer", "minimum": 3, "maximum": 2})
    with pytest.raises(ValueError, match="different values"):
        fill({"type": "array", "uniqueItems": True, "minItems": 3, "items": {"type": "boolean"}})
    with pytest.raises(ValueError, match="endless"):
        fill(
            {
                "$ref": "#/$defs/A",
                "$defs": {"A": {"type": "object", "required": ["a"], "properties": {"a": {"$ref": "#/$defs/A"}}}},
            }
        )


def test_all_of_is_merged():
    schema = {"allOf": [{"type": "object", "properties": {"a": {"const": 1}}}, {"properties": {"b": {"const": 2}}}]}
    assert fill(schema) == {"a": 1, "b": 2}
