"""The packages cost seconds to import: data and slow results are made once a session."""

import pytest
from bench import econ_reference

from kaozheng.indicators.econometrics.did_staggered import staggered_did


def shared(load):
    try:
        return load()
    except econ_reference.AbsentError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def pandas():
    for name in ("statsmodels", "linearmodels", "diff_diff", "sklearn"):
        pytest.importorskip(name, reason=f"{name} is not installed (extra county)")
    return pytest.importorskip("pandas")


@pytest.fixture(scope="session")
def mpdta(pandas):
    return shared(lambda: econ_reference.table("mpdta.csv"))


@pytest.fixture(scope="session")
def castle(pandas):
    return shared(lambda: econ_reference.table("castle.csv"))


@pytest.fixture(scope="session")
def staggered(mpdta):
    """The staggered example behind the gate."""
    return staggered_did(mpdta, econ_reference.MPDTA_DOCUMENTED)


@pytest.fixture(scope="session")
def lalonde(pandas):
    return shared(econ_reference.lalonde)


@pytest.fixture(scope="session")
def columbus(pandas):
    pytest.importorskip("spreg", reason="spreg is not installed (extra spatial)")
    return shared(econ_reference.columbus)
