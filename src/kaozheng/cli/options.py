"""Options that several commands have: how a run is limited, how its evidence shows, how far its texts may go."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer


class CitationStyle(StrEnum):
    """How the evidence of statements shows in the text."""

    FOOTNOTE = "footnote"
    NONE = "none"


class Language(StrEnum):
    """Languages of prompts, rule books and reports."""

    ZH = "zh"
    EN = "en"


class SensitivityLevel(StrEnum):
    """How far texts may go."""

    OPEN = "open"
    INTERNAL = "internal"
    SECRET = "secret"


Sensitivity = Annotated[
    SensitivityLevel | None,
    typer.Option("--sensitivity", help="How far texts may go; secret: private providers only, no words in logs."),
]
MaxTokens = Annotated[
    int | None, typer.Option(help="Stop asking the model when it has read and written so many tokens.", min=1)
]
MaxCalls = Annotated[int | None, typer.Option(help="Stop asking the model after so many calls.", min=1)]
MaxSeconds = Annotated[float | None, typer.Option(help="Stop asking the model after so many seconds.", min=0.1)]
MaxMoney = Annotated[
    float | None,
    typer.Option(
        metavar="DOLLARS",
        help="Stop asking the model when it has cost so much (US dollars, see KAOZHENG_PRICES).",
        min=0.0001,
    ),
]
