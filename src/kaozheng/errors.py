"""Every error that Kaozheng raises on purpose. The docstring is the core of the message; the argument says what, where.

KaozhengError
  InputError              what the caller gave cannot be used                 exit 2
    SourceError           a path is missing, empty or not a document
      EncodingError       a file's bytes are not text in a known encoding
      FetchError          an outside address is refused, or no page came from it
    RuleBookError         a rule book cannot be read
    SettingsError         a setting is unknown, missing or out of range
    UnknownRunError       no run has this id
    UnknownSessionError   no session of this owner has this id
    MissingExtraError     an optional part is not installed
  BusyError               too much is asked at once or too often: later      exit 1
  ModelError              a model did not answer, or not in shape
    ModelRefusedError     the provider refused the request for good           exit 2
      CredentialsError    the key is missing or not accepted
      UnknownModelError   the provider does not know this model
      ToolsRefusedError   the model or its server takes no tools
    ModelUnavailableError time-out, overload or a broken connection (may be tried again)
      TooSlowError        the whole answer takes longer than one may
    CutAnswerError        the answer stopped before its end
    ShapeError            the answer is not the object that was asked for
    BudgetReachedError    the run's budget of tokens, calls, time or money is used up
    NotPrivateError       a secret text may not go to this provider
  StoppedError            the run stopped and can be resumed                  exit 3
    RunHeldError          another process is working on this run
    StorageError          the disk or database refused to read or write
      DamagedError        what the run needs is damaged: only a new run helps
"""

from __future__ import annotations

from typing import ClassVar


class KaozhengError(Exception):
    """Something went wrong that Kaozheng foresaw."""

    exit_code: ClassVar[int] = 1

    def __str__(self) -> str:
        detail = super().__str__()
        return detail or (self.__doc__ or "").strip().rstrip(".")


class InputError(KaozhengError):
    """What was given cannot be used."""

    exit_code = 2


class SourceError(InputError):
    """The path is missing, empty or not a document."""


class EncodingError(SourceError):
    """The bytes are not text in UTF-8, UTF-16 or GB18030."""


class FetchError(SourceError):
    """The address is refused, or no page came from it."""


class RuleBookError(InputError):
    """The rule book cannot be read."""


class SettingsError(InputError):
    """A setting is unknown, missing or out of range."""


class UnknownRunError(InputError):
    """No run has this id."""


class UnknownSessionError(InputError):
    """No session has this id."""


class KnowledgeBaseError(InputError):
    """The knowledge base is unknown, or what is given does not fit it."""


class MissingExtraError(InputError):
    """An optional part is not installed."""


class BusyError(KaozhengError):
    """Too much is asked at once or too often."""

    def __init__(self, message: str = "", retry_after_s: float = 1.0, own: bool = True) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s
        self.own = own  # the asker's own limit is reached, not that of all together


class ModelError(KaozhengError):
    """The model did not answer, or not in shape."""

    retryable: ClassVar[bool] = False


class ModelRefusedError(ModelError):
    """The provider refused the request for good."""

    exit_code = 2


class CredentialsError(ModelRefusedError):
    """The provider's key is missing or not accepted."""


class UnknownModelError(ModelRefusedError):
    """The provider does not know this model."""


class ToolsRefusedError(ModelRefusedError):
    """The model or its server takes no tools."""


class ModelUnavailableError(ModelError):
    """The provider timed out, is overloaded or broke the connection."""

    retryable = True

    def __init__(self, message: str = "", retry_after_s: float | None = None, kind: str = "unavailable") -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s
        self.kind = kind  # one or two words for progress lines: "429", "time-out", "cut stream"


class TooSlowError(ModelUnavailableError):
    """The whole answer takes longer than an answer may; asked again it would take as long again."""

    retryable = False


class CutAnswerError(ModelError):
    """The answer stopped before its end."""

    def __init__(self, message: str = "", text: str = "") -> None:
        super().__init__(message)
        self.text = text


class ShapeError(ModelError):
    """The answer is not the object that was asked for."""


class BudgetReachedError(ModelError):
    """The run's budget is used up."""


class NotPrivateError(ModelError):
    """The text is secret and the provider is not marked private."""


class StoppedError(KaozhengError):
    """The run stopped and can be resumed."""

    exit_code = 3


class RunHeldError(StoppedError):
    """Another process is working on this run."""


class StorageError(StoppedError):
    """The disk or database refused to read or write."""


class DamagedError(StorageError):
    """What the run needs is damaged for good: it cannot go on."""
