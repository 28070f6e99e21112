"""Published results of econometrics beside ours, a row a figure, and the colour of the staggered example's gate."""

from __future__ import annotations

from collections.abc import Iterator

from bench import econ_reference
from bench.row import Row
from kaozheng.errors import MissingExtraError


def measure() -> Iterator[Row]:
    if not econ_reference.SHARED.is_dir():
        yield Row("econometrics", "not measured", f"{econ_reference.SHARED} is not here")
        return
    right = count = 0
    for entry in econ_reference.entries():
        try:
            ours = econ_reference.computed(entry.id)
        except (econ_reference.AbsentError, MissingExtraError) as error:
            yield Row(entry.id, "not measured", str(error))
            continue
        for name, published in entry.published.items():
            within = abs(ours[name] - published) <= entry.within(name)
            right, count = right + within, count + 1
            bound = f"+-{entry.within(name):g}"
            yield Row(f"{entry.id}: {name}", f"{ours[name]:.7g}", f"{published:.7g}", "" if within else "OFF", bound)
    yield Row("figures within tolerance", f"{right}", f"of {count}")
    yield from _gate()


def _gate() -> Iterator[Row]:
    from kaozheng.indicators.econometrics.did_staggered import staggered_did

    try:
        result = staggered_did(econ_reference.table("mpdta.csv"), econ_reference.MPDTA_DOCUMENTED)
    except (econ_reference.AbsentError, MissingExtraError) as error:
        yield Row("staggered example", "not measured", str(error))
        return
    yield Row("staggered example: gate", result.readiness.colour, "amber", bound="amber")
