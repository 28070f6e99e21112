"""Every published entry of these families, within its tolerance."""

import pytest
from bench import econ_reference

from kaozheng.errors import MissingExtraError

if not (econ_reference.SHARED / "econ_reference.jsonl").exists():
    pytest.skip(f"{econ_reference.SHARED} is not here", allow_module_level=True)


@pytest.mark.parametrize("entry", list(econ_reference.entries()), ids=lambda entry: entry.id)
def test_published_figures_come_out(entry, pandas):
    try:
        ours = econ_reference.computed(entry.id)
    except (econ_reference.AbsentError, MissingExtraError) as error:
        pytest.skip(str(error))
    off = {
        name: (ours[name], published)
        for name, published in entry.published.items()
        if not abs(ours[name] - published) <= entry.within(name)
    }
    assert off == {}
