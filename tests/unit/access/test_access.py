"""Names of keys and bases, and what is allowed how often."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaozheng.access.key import checked_key_name, new_token
from kaozheng.access.limits import Pace, Places
from kaozheng.access.naming import kept_name, owned, shown_name
from kaozheng.errors import BusyError, InputError, KnowledgeBaseError

LETTERS = "ab9Z合同"
OWNERS = st.builds(str.__add__, st.sampled_from("ab9"), st.text("ab9-", max_size=23))
BASES = st.builds(str.__add__, st.sampled_from(LETTERS), st.text(f"{LETTERS}_-.", max_size=30)).map(
    lambda name: name.replace("..", "._")
)


def test_tokens_are_long_and_never_the_same():
    tokens = {new_token() for _ in range(100)}
    assert len(tokens) == 100
    assert all(token.startswith("kz_") and len(token) >= 46 for token in tokens)


@pytest.mark.parametrize("name", ["", "Ann", "a..b", "a b", "-a", "ann\n", "a" * 25, "安", "a/b"])
def test_bad_names_of_keys_are_refused(name):
    with pytest.raises(InputError):
        checked_key_name(name)


@given(OWNERS, OWNERS, BASES, BASES)
def test_two_owners_never_share_a_base(one, other, base, another):
    if one != other:
        assert kept_name(one, base) != kept_name(other, another)
        assert owned(one, [kept_name(other, another), another]) == []


@given(OWNERS | st.just(""), BASES)
def test_owner_sees_the_name_that_was_given(owner, base):
    kept = kept_name(owner, base)
    assert shown_name(owner, kept) == base
    assert owned(owner, [kept]) == [kept]


@pytest.mark.parametrize("base", ["", "bob..notes", "a..b", "../x", ".x", "a/b", "x" * 65, "a\n", "x" * 62])
def test_base_that_reaches_for_another_owner_is_refused(base):
    with pytest.raises(KnowledgeBaseError):
        kept_name("ann", base)


def test_pace_is_refilled_with_time_and_counted_for_each_name():
    now = [0.0]
    pace = Pace(60, lambda: now[0])
    for _ in range(60):
        pace.spend("ann")
    with pytest.raises(BusyError) as busy:
        pace.spend("ann")
    assert 0 < busy.value.retry_after_s <= 1
    pace.spend("bob")
    now[0] += 1.0
    pace.spend("ann")
    with pytest.raises(BusyError):
        pace.spend("ann")


def test_refused_requests_do_not_push_the_next_token_away():
    now = [0.0]
    pace = Pace(1, lambda: now[0])
    pace.spend("ann")
    for _ in range(50):
        now[0] += 1.0
        with pytest.raises(BusyError):
            pace.spend("ann")
    now[0] += 10.5
    pace.spend("ann")


def test_places_are_counted_for_each_and_for_all_and_given_back_once():
    places = Places(at_once=2, each=2, waiting=1)
    first, _, _ = places.claim("ann"), places.claim("ann"), places.claim("bob")
    with pytest.raises(BusyError) as own:
        places.claim("ann")
    with pytest.raises(BusyError) as all_of_them:
        places.claim("cy")
    assert (own.value.own, all_of_them.value.own) == (True, False)
    with first:
        first.give_back()
    assert places.taken == 2
    places.claim("cy")
