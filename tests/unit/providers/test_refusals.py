"""What an endpoint's refusal means. Those of tools come in many words; each of these was seen in the wild."""

from __future__ import annotations

import ssl

import pytest

from kaozheng.errors import ModelError, ModelRefusedError, ModelUnavailableError, ToolsRefusedError, UnknownModelError
from kaozheng.providers.models.refusals import Refusal, error_of, untrusted


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (400, "registry.ollama.ai/library/gemma3:4b does not support tools"),
        (400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
        (400, "'tools' is not supported with this model."),
        (400, "Unsupported parameter: 'tools' is not supported with this model."),
        (400, "deepseek-reasoner does not support Function Calling"),
        (400, "<400> InternalError.Algo.InvalidParameter: The tool call is not supported."),
        (404, "No endpoints found that support tool use. To learn more about provider routing, visit the docs"),
        (500, "tools param requires --jinja flag"),
        (422, "Unrecognized request argument supplied: tools"),
        (400, "This model doesn't support tool calling"),
    ],
)
def test_a_refusal_of_tools_is_told_apart(status, said):
    error = error_of(Refusal(status, said, said), "named", "host")
    assert isinstance(error, ToolsRefusedError)
    assert not error.retryable


@pytest.mark.parametrize(
    ("status", "said", "kind"),
    [
        (400, "Invalid value for 'temperature'", ModelError),
        (400, "messages with role 'tool' must be a response to a preceding message with 'tool_calls'", ModelError),
        (404, "The model `tools-7b` does not exist", UnknownModelError),
        (429, "tool use is not supported at this rate", ModelUnavailableError),
        (503, "overloaded", ModelUnavailableError),
    ],
)
def test_other_refusals_stay_what_they_are(status, said, kind):
    error = error_of(Refusal(status, said, said), "named", "host")
    assert isinstance(error, kind)
    assert not isinstance(error, ToolsRefusedError)


def test_a_certificate_that_is_not_trusted_is_no_lost_connection():
    outer = ConnectionError("no connection")
    outer.__cause__ = OSError("tls")
    outer.__cause__.__context__ = ssl.SSLCertVerificationError(1, "self-signed")
    error = untrusted(outer, "host:8443")
    assert isinstance(error, ModelRefusedError)
    assert not error.retryable
    assert "host:8443 is not trusted" in str(error)


def test_other_tls_faults_may_pass():
    outer = ConnectionError("no connection")
    outer.__cause__ = ssl.SSLEOFError(8, "EOF occurred in violation of protocol")
    assert untrusted(outer, "host") is None
    loop = ConnectionError("x")
    loop.__cause__ = OSError("y")
    loop.__cause__.__context__ = loop
    assert untrusted(loop, "host") is None
