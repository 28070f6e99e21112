"""What calls cost, in tokens as the provider counts them."""

from __future__ import annotations

from dataclasses import dataclass

from kaozheng.documents.tokens import estimate_tokens


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens and calls. `cached_tokens` is the part of `input_tokens` that the provider read from its cache.
    `estimated` says that at least one part was guessed from the length because the provider gave no figures."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    calls: int = 0
    estimated: bool = False

    @property
    def tokens(self) -> int:
        """Input and output together: what a token budget is compared with."""
        return self.input_tokens + self.output_tokens

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cached_tokens + other.cached_tokens,
            self.calls + other.calls,
            self.estimated or other.estimated,
        )


def estimated_usage(prompt: str, answer: str) -> Usage:
    """One call's usage, guessed from both texts and marked as such."""
    return Usage(estimate_tokens(prompt), estimate_tokens(answer), calls=1, estimated=True)
