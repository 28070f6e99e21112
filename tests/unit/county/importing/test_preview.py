"""A preview counts what would be imported and shows the first cells of each kind of remark, refused ones first."""

from kaozheng.county.importing.finding import Code, Kind
from kaozheng.county.importing.preview import preview


def test_a_preview_counts_rows_and_groups_findings(sheet, imported):
    head = ["地区", "2023年", "2024年"]
    grid = sheet(head, ["隆昌市", "1", "—"], ["威远县", "…", "约4"], ["甲县", "5", "6"], ["乙县", "7", "8"])
    plan = imported('layout = "regions-years"\nindicator = "gdp"\nunit = "亿元"', grid)
    shown = preview(plan, rows=1, cells=1)
    assert (shown.rows, shown.refused, len(shown.first)) == (3, 5, 1)
    (count,) = shown.indicators
    assert (count.indicator.key, count.rows, count.missing, count.regions, count.periods) == ("gdp", 3, 2, 2, 2)
    assert [(one.kind, one.code, one.count) for one in shown.findings] == [
        (Kind.REFUSED, Code.UNKNOWN_REGION, 2),
        (Kind.REFUSED, Code.UNREADABLE, 1),
        (Kind.NOTED, Code.MISSING_MARK, 2),
    ]
    assert shown.findings[0].cells == (("表1!A4", "甲县"),)


def test_a_region_that_was_recoded_is_counted_once(sheet, imported):
    grid = sheet(["地区", "2016年", "2024年"], ["隆昌市", "1", "2"], ["威远县", "3", "4"])
    plan = imported('layout = "regions-years"\nindicator = "gdp"\nunit = "亿元"', grid)
    assert len({row.region.code for row in plan.observations}) == 3
    assert preview(plan).indicators[0].regions == 2
