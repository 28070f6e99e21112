"""Ranking by words, for Chinese and English, without a dictionary and without a model.

Han text is taken as overlapping pairs of characters (a dictionary would split technical words differently in the
query and in the text; pairs cannot), Latin words are folded and lightly stemmed, identifiers stay whole and are
also split into their parts.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from kaozheng.documents.characters import HAN

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_TOKEN = re.compile(
    rf"(?P<han>[{HAN}〇]+)"
    r"|(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w.])|\d+(?:\.\d+)?%?(?![\w.]*\w))"
    r"|(?P<word>[^\W_]+(?:[._\-'’][^\W_]+)*)".replace("[^\\W_]", f"[^\\W_{HAN}]")
)
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+")
_STOP_HAN = frozenset("的了是在和与及等这那其而但或也都就很且吗呢吧它他她我你们")
_STOP_WORDS = frozenset(
    (
        "a", "an", "and", "are", "as", "at", "be", "but", "by", "can", "do", "for",
        "from", "has", "have", "if", "in", "into", "is", "it", "its", "may", "more", "must",
        "no", "not", "of", "on", "or", "our", "should", "so", "such", "than", "that", "the",
        "their", "them", "then", "there", "these", "they", "this", "those", "to", "us", "use", "was",
        "we", "were", "what", "when", "which", "who", "will", "with", "would", "you", "your",
        "可以", "需要", "通过", "进行", "使用", "如果", "因为", "所以", "一个", "没有", "不是", "以下", "如下", "对于",
        "由于", "为了", "之后", "之前", "同时", "其中", "并且", "不能", "不会", "时候", "这样", "例如", "所有", "相关",
    )
)  # fmt: skip
_ASKING = (
    "about", "been", "being", "did", "does", "during", "had", "he", "her", "him", "his", "how", "she", "there", "where",
    "who", "whom", "whose", "why",
)  # fmt: skip


def pairs(run: str) -> Iterator[str]:
    """The overlapping pairs of a run of Han characters; a lone character alone."""
    if len(run) == 1:
        yield run
    for first, second in pairwise(run):
        yield first + second


def terms(text: str, han: Callable[[str], Iterable[str]] = pairs) -> list[str]:
    """The terms of a text in their order: stemmed words, identifiers, numbers, and of each run of Han characters what
    `han` makes of it.

    Widths and case are folded (NFKC), so `ＧＰＴ` and `gpt` are one term.
    """
    found: list[str] = []
    for token in _TOKEN.finditer(unicodedata.normalize("NFKC", text)):
        kind, value = token.lastgroup, token[0]
        if kind == "han":
            found.extend(han(value))
        elif kind == "number":
            found.append(value.replace(",", ""))
        else:
            found.extend(_word_terms(value))
    return found


def _word_terms(word: str) -> Iterator[str]:
    word = word.replace("’", "'").removesuffix("'s")
    folded = word.casefold()
    if folded.isalpha() and (folded == word or word.isupper() or word[1:].islower()):
        yield stem(folded)
        return
    yield folded
    parts = [part.casefold() for part in _PART.findall(word)]
    if len(parts) > 1:
        yield from (stem(part) for part in parts if len(part) > 1)


def stem(word: str) -> str:
    """A light English stem of a lower-case word: plural, -ing, -ed, -ly taken off where 3 letters or more remain."""
    if not word.isascii() or len(word) < 4:
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed", "ly"):
        base = word[: -len(ending)]
        if word.endswith(ending) and len(base) > 2 and any(vowel in base for vowel in "aeiouy"):
            word = base[:-1] if base[-1] == base[-2] and base[-1] not in "lsz" else base
            break
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


def without_function_words(found: Sequence[str]) -> list[str]:
    """The terms of a question without those that any text has (the, 的, how); all of them where nothing else is left.

    Their idf tells that of a text in one language, not where few texts of a language stand among many of another.
    """
    return [term for term in found if term not in FUNCTION_TERMS] or list(found)


FUNCTION_TERMS = _STOP_HAN.union(stem(word) for word in (*_STOP_WORDS, *_ASKING) if word.isascii())
"""Terms that any text has."""


def surface_forms(texts: Iterable[str]) -> dict[str, str]:
    """Term -> the form in which it stands most often in the texts, so that stems can be shown to people."""
    counts: dict[str, Counter[str]] = {}
    for text in texts:
        for token in _TOKEN.finditer(unicodedata.normalize("NFKC", text)):
            if token.lastgroup == "word":
                counts.setdefault(next(_word_terms(token[0])), Counter())[token[0]] += 1
    return {term: forms.most_common(1)[0][0] for term, forms in counts.items()}


class Bm25:
    """BM25 over documents given as term lists. Building is linear; a query touches only the postings of its terms."""

    def __init__(self, documents: Sequence[Sequence[str]], k1: float = 1.2, b: float = 0.75) -> None:
        import numpy as np  # 20 times faster than lists on 10,000 passages, but 0.1 s to load

        self._size = len(documents)
        mean = sum(map(len, documents)) / self._size if self._size else 0.0
        postings: dict[str, tuple[list[int], list[float]]] = {}
        for index, document in enumerate(documents):
            norm = k1 * (1 - b + b * len(document) / mean) if mean else k1
            for term, count in Counter(document).items():
                indexes, weights = postings.setdefault(term, ([], []))
                indexes.append(index)
                weights.append(count * (k1 + 1) / (count + norm))
        self._postings = {term: (np.array(found), np.array(weights)) for term, (found, weights) in postings.items()}

    def scores(self, query: Sequence[str]) -> list[float]:
        """The score of every document, in the order of the documents; 0.0 where no term is shared."""
        result: list[float] = self._sums(query).tolist()
        return result

    def best(self, query: Sequence[str], n: int) -> list[tuple[int, float]]:
        """The n best (index, score) with a score above 0, best first, ties in document order."""
        sums = self._sums(query)
        if 0 < n < self._size:
            least = max(sums[sums.argpartition(-n)[-n]], 0.0)
            places = (sums >= least).nonzero()[0]
        else:
            places = sums.nonzero()[0]
        ranked = sorted(((int(place), float(sums[place])) for place in places), key=lambda item: -item[1])
        return [item for item in ranked if item[1] > 0][: max(n, 0)]

    def idf(self, term: str) -> float:
        """How telling a term is here: 0.0 when no document has it."""
        if term not in self._postings:
            return 0.0
        found = len(self._postings[term][0])
        return math.log(1 + (self._size - found + 0.5) / (found + 0.5))

    def _sums(self, query: Sequence[str]) -> NDArray[np.float64]:
        import numpy as np

        sums = np.zeros(self._size)
        for term in dict.fromkeys(query):
            if term in self._postings:
                indexes, weights = self._postings[term]
                sums[indexes] += self.idf(term) * weights
        return sums


class TfIdf:
    """tf-idf vectors of documents given as term lists: how alike two are, and which words tell one from the rest."""

    def __init__(self, documents: Sequence[Sequence[str]], surfaces: Mapping[str, str] | None = None) -> None:
        """`surfaces` (see surface_forms) makes keywords readable: `module` instead of `modul`."""
        self._documents = documents
        self._surfaces = surfaces or {}
        self._found = Counter(term for document in documents for term in set(document))
        self._vectors: dict[int, dict[str, float]] = {}

    def vector(self, index: int) -> dict[str, float]:
        """Term -> weight, of length 1 (empty for an empty document)."""
        if index not in self._vectors:
            counts = Counter(self._documents[index])
            raw = {term: (1 + math.log(count)) * self._idf(term) for term, count in counts.items()}
            length = math.sqrt(sum(value * value for value in raw.values()))
            self._vectors[index] = {term: value / length for term, value in raw.items()} if length else {}
        return self._vectors[index]

    def similarity(self, first: int, second: int) -> float:
        """The cosine of two documents, 0.0 to 1.0."""
        small, large = sorted((self.vector(first), self.vector(second)), key=len)
        return min(1.0, sum(value * large[term] for term, value in small.items() if term in large))

    def keywords(self, index: int, n: int = 5) -> list[str]:
        """At most n words or phrases that are frequent here and rare elsewhere. Han pairs that stand together are
        joined to phrases of 2 to 6 characters; pure function words are left out."""
        counts = Counter(_phrases(self._documents[index]))
        scored = {
            phrase: count * self._weight(phrase)
            for phrase, count in counts.items()
            if _telling(phrase) and (count > 1 or len(phrase) == 2 or not _is_han(phrase))
        }
        chosen: list[str] = []
        for phrase in sorted(scored, key=lambda phrase: (-scored[phrase], phrase)):
            if len(chosen) == n:
                break
            if not any(phrase in other or other in phrase for other in chosen):
                chosen.append(phrase)
        return [self._surfaces.get(phrase, phrase) for phrase in chosen]

    def _idf(self, term: str) -> float:
        return math.log((1 + len(self._documents)) / (1 + self._found[term])) + 1

    def _weight(self, phrase: str) -> float:
        if not _is_han(phrase):
            return self._idf(phrase)
        twos = list(pairs(phrase))
        return sum(map(self._idf, twos)) / len(twos) * (1 + 0.5 * math.log(len(twos)))


def _phrases(document: Sequence[str]) -> Iterator[str]:
    """Every term, and every chain of up to 5 overlapping Han pairs. A chain is counted each time it occurs, so the
    longest one that repeats as often as its parts wins by its weight."""
    for start, term in enumerate(document):
        yield term
        phrase = term
        for following in document[start + 1 : start + 5] if _is_han(term) and len(term) == 2 else ():
            if len(following) != 2 or following[0] != phrase[-1] or not _is_han(following):
                break
            phrase += following[1]
            yield phrase


def _telling(phrase: str) -> bool:
    if _is_han(phrase):
        return len(phrase) > 1 and phrase not in _STOP_WORDS and not _STOP_HAN.intersection(phrase)
    return len(phrase) > 1 and phrase not in _STOP_WORDS and not phrase[0].isdigit()


def _is_han(term: str) -> bool:
    return "\u3400" <= term[0] <= "\u9fff" or term[0] >= "\U00020000"
