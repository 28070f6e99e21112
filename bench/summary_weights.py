"""Where the weights of the offline extract come from: `python -m bench.summary_weights` fits them anew.

A logistic regression on the statements of the documents of tests/summaries: does this one have a key fact? Before it
has seen any all signs count alike (PRIOR), since that holds for documents that nobody has seen; what twenty documents
say moves them only a little. Printed are the facts kept by weights that never saw the document, by those that saw all,
and those themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from bench.key_facts import Annotated, annotated, folded, is_kept
from bench.summaries import SHARE, evidence_of
from kaozheng.documents.tokens import estimate_tokens
from kaozheng.roles.block_summarizer.offline.choosing import Told, chosen
from kaozheng.roles.block_summarizer.offline.likeness import Likeness
from kaozheng.roles.block_summarizer.offline.statements import Statement, statements
from kaozheng.roles.block_summarizer.offline.worth import WEIGHTS, signs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_AGAINST: Final = ("process", "courtesy", "said", "named", "scene", "vague", "self", "short")
_OTHER: Final = {"central": 1.0, "signs": 1.0, "length": 0.3}
PRIOR: Final = {name: _OTHER.get(name, -0.6 if name in _AGAINST else 0.5) for name in WEIGHTS}
_HOLD: Final = 200.0  # how firmly the prior holds, for a sign that spreads by one
_STEP: Final = 0.05
_ROUNDS: Final = 12


@dataclass(frozen=True, slots=True)
class Signed:
    """A document with its statements, their signs, whether each has a fact (half of one counts half), and which of
    them may be said."""

    document: Annotated
    said: list[Statement]
    likeness: Likeness
    signs: Floats
    has_fact: Floats
    sayable: NDArray[np.bool_]


def main() -> None:
    """Prints the facts kept, out of sample and in it, and the weights."""
    read = signed()
    facts = sum(len(one.document.facts) for one in read)
    unseen = sum(_kept(one, fitted([other for other in read if other is not one])) for one in read)
    weights = fitted(read)
    rounded = np.append(np.round(weights[:-1] / _STEP) * _STEP, round(weights[-1], 1))
    print(f"left out {unseen / facts:.3f}, fitted {sum(_kept(one, weights) for one in read) / facts:.3f}", end=", ")
    print(f"rounded {sum(_kept(one, rounded) for one in read) / facts:.3f} of {facts} facts")
    print(", ".join(f'"{name}": {weight:.2f}' for name, weight in zip([*WEIGHTS, "BASE"], rounded, strict=True)))


def signed() -> list[Signed]:
    """The documents of both sets."""
    return [_signed(one) for name in ("own", "blind") for one in annotated(name)]


def fitted(read: Sequence[Signed]) -> Floats:
    """The weights in the order of WEIGHTS and the base, by Newton's method."""
    found = np.vstack([one.signs[one.sayable] for one in read])
    wanted = np.concatenate([one.has_fact[one.sayable] for one in read])
    matrix = np.hstack([found, np.ones((len(found), 1))])
    hold = np.append(_HOLD * found.var(axis=0), 1e-6)
    prior = np.append([PRIOR[name] for name in WEIGHTS], 0.0)
    weights = np.zeros(len(prior))
    for _ in range(_ROUNDS):
        likely = 1 / (1 + np.exp(-matrix @ weights))
        slope = matrix.T @ (likely - wanted) + hold * (weights - prior)
        weights -= np.linalg.solve((matrix.T * (likely * (1 - likely))) @ matrix + np.diag(hold), slope)
    return weights


def _signed(document: Annotated) -> Signed:
    said = statements(evidence_of(document))
    likeness = Likeness([one.text for one in said])
    found = np.array([[one[name] for name in WEIGHTS] for one in signs(said, likeness)])
    sayable = np.array([one.sayable and not one.lost for one in said])
    return Signed(document, said, likeness, found, np.minimum(_facts(document, said), 1.0), sayable)


def _facts(document: Annotated, said: Sequence[Statement]) -> Floats:
    """How many facts each statement has; of one that only two neighbours have together each has half."""
    plain = [folded(one.text) for one in said]
    count = np.zeros(len(said))
    for fact in document.facts:
        alone = [at for at, text in enumerate(plain) if is_kept(fact, [text])]
        count[alone] += 1.0
        if not alone:
            for at, pair in enumerate(pairwise(plain)):
                count[at : at + 2] += 0.5 * is_kept(fact, list(pair))
    return count


def _kept(one: Signed, weights: Floats) -> int:
    worth = 1 / (1 + np.exp(-(one.signs @ weights[:-1] + weights[-1])))
    room = int(SHARE * estimate_tokens(one.document.text))
    told = chosen(one.said, worth, Told(one.said, one.likeness), room)
    summary = [one.said[at].text for at in told]
    return sum(is_kept(fact, summary) for fact in one.document.facts)


if __name__ == "__main__":
    main()
