"""`kaozheng county` from outside, on the demonstration: what it prints, what it leaves, how it ends."""

import json
import os
import subprocess
import sys

import pytest

TABLES = ("demo/年度指标.xlsx", "demo/年度快报.xlsx", "demo/季度累计.csv")
MARK = "合成数据（演示用）"


def command(folder, *words, text=None):
    env = {name: value for name, value in os.environ.items() if not name.startswith(("KAOZHENG", "OPENAI"))}
    env |= {"KAOZHENG_DATA": str(folder / "data"), "PYTHONIOENCODING": "utf-8"}
    line = [sys.executable, "-c", "from kaozheng.cli import main; main()", "county", *map(str, words)]
    return subprocess.run(
        line,
        env=env,
        cwd=folder,
        input=text,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """A folder with the demonstration, imported; for commands that change nothing of it."""
    folder = tmp_path_factory.mktemp("county")
    for words in (("demo", "demo"), ("import", *TABLES), ("import", "demo/政策.yml", "--records", "policies")):
        done = command(folder, *words)
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return folder


@pytest.fixture
def county(world):
    return lambda *words, text=None: command(world, *words, text=text)


@pytest.fixture
def empty(tmp_path):
    """Commands in a folder of their own, where nothing was imported."""
    return lambda *words, text=None: command(tmp_path, *words, text=text)


def said(done):
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_demonstration_is_the_same_every_time_and_marked(empty, tmp_path):
    assert MARK in empty("demo", "one").stdout
    empty("demo", "two")
    first, second = ({path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in ("one", "two"))
    assert first == second
    (tmp_path / "one" / "企业.csv").write_text("mine", encoding="utf-8")
    again = empty("demo", "one")
    assert (again.returncode, (tmp_path / "one" / "企业.csv").read_text(encoding="utf-8")) == (2, "mine")


def test_import_twice_changes_nothing_the_second_time(county):
    again = county("import", *TABLES, "--json")
    assert [(one["status"], one["imported"]["unchanged"] > 0) for one in said(again)] == [("imported", True)] * 3
    assert all(one["imported"][what] == 0 for one in said(again) for what in ("added", "changed", "removed"))
    assert county("sources").stdout.count(MARK) == 3


def test_preview_makes_nothing(empty, tmp_path):
    empty("demo", "demo")
    done = empty("import", TABLES[0], "--preview")
    assert (done.returncode, "preview: 1560 rows, nothing was changed" in done.stdout) == (0, True)
    assert not (tmp_path / "data").exists()


def test_every_cell_that_is_left_out_is_named_and_exit_code_is_1(empty, tmp_path):
    head = "2024年各县主要指标,,\n地区,地区生产总值（亿元）,常住人口（万人）\n"
    table = f"{head}隆昌市,464.7,约57\n市中区,300,60\n合计,764.7,117\n"
    (tmp_path / "t.csv").write_text(table, encoding="utf-8")
    done = empty("import", "t.csv")
    assert done.returncode == 1, done.stderr
    assert "t!C3  约57  [unreadable]" in done.stdout
    assert "t!A4  市中区  [ambiguous_region]" in done.stdout
    assert "t!A5  合计  [not_a_county]" in done.stdout
    assert "gdp  地区生产总值  1 row" in done.stdout


def test_unsure_guess_imports_nothing_and_writes_a_mapping_to_correct(empty, tmp_path):
    (tmp_path / "t.csv").write_text("地区,甲\n隆昌市,1\n威远县,2\n资中县,3\n", encoding="utf-8")
    done = empty("import", "t.csv", "--save-mapping", "m.toml")
    assert (done.returncode, "nothing was imported" in done.stdout) == (4, True)
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ((), ("t", "t", "2024")),
        (("--source", "s"), ("s", "s", "2024")),
        (("--title", "公报"), ("t", "公报", "2024")),
        (("--source", "s", "--title", "公报", "--vintage", "2025-03"), ("s", "公报", "2025-03")),
        (("--vintage", "2025-03"), ("t", "t", "2025-03")),
    ],
)
def test_source_of_a_guess_is_what_is_said_of_it(empty, tmp_path, words, named):
    table = "2024年主要指标,\n地区,地区生产总值（亿元）\n隆昌市,464.7\n威远县,380.1\n"
    (tmp_path / "t.csv").write_text(table, encoding="utf-8")
    source = said(empty("import", "t.csv", "--preview", "--json", *words))[0]["source"]
    assert (source["id"], source["title"], source["vintage"]) == named


def test_own_mapping_leads_a_guess_where_it_cannot_go(empty, tmp_path):
    (tmp_path / "t.csv").write_text("地区,甲\n隆昌市,464.76\n", encoding="utf-8")
    mapping = '[source]\nid = "s"\ntitle = "公报"\nvintage = "2025"\n[[tables]]\nlayout = "regions-indicators"\n'
    mapping += 'period = "2024"\nunit = "亿元"\n[tables.columns]\nB = { indicator = "gdp" }\n'
    (tmp_path / "t.toml").write_text(mapping, encoding="utf-8")
    assert empty("import", "t.csv").returncode == 0
    figure = said(empty("indicators", "隆昌", "--json"))["indicators"][0]
    assert (figure["row"], figure["value"], figure["source"]) == ("gdp.511083.2024", "464.76", "t.csv!t!B2")


def test_source_that_is_taken_out_leaves_nothing(empty):
    empty("demo", "demo")
    empty("import", *TABLES)
    assert "72 rows removed" in empty("remove", "demo-quarters").stdout
    assert [one["id"] for one in said(empty("sources", "--json"))] == ["demo-quick-2024", "demo-yearbook-2025"]


def test_coverage_names_each_gap_with_its_department(county):
    covered = said(county("coverage", "--years", "2019-2020", "--json"))
    assert (covered["synthetic"], covered["total"]) == (True, {"present": 308, "expected": 312, "share": 98.7})
    gaps = {(gap["region"], gap["indicator"], gap["year"]): gap for gap in covered["gaps"]}
    assert gaps["511002", "patents", 2020]["department"] == "市场监督管理局"
    assert [gaps["511002", "grain", 2019]["explained"], gaps["511002", "patents", 2020]["explained"]] == [1, 0]


def test_region_keeps_its_rows_when_its_code_changed(county):
    covered = said(county("coverage", "--region", "隆昌县", "--indicator", "gdp", "--json"))
    assert covered["by_region"] == {"511083": {"name": "隆昌市", "present": 10, "expected": 10, "share": 100.0}}
    figure = said(county("indicators", "隆昌", "--period", "2017", "--indicator", "gdp", "--json"))["indicators"][0]
    assert figure["on_year"]["base"] == "2016"


def test_gap_is_asked_for_once_and_a_ticket_can_be_closed(empty):
    empty("demo", "demo")
    empty("import", *TABLES)
    opened = said(empty("coverage", "--years", "2019-2020", "--tickets", "--json"))["tickets_opened"]
    assert [one["key"] for one in opened] == ["511002.patents.2020", "511025.rural_income.2019"]
    assert said(empty("coverage", "--years", "2019-2020", "--tickets", "--json"))["tickets_opened"] == []
    left = empty("tickets", "--answer", "511002.patents.2020", "--open")
    assert left.stdout.split()[:3] == ["open", "511025.rural_income.2019", "统计局"]
    assert empty("tickets", "--withdraw", "511002.patents.2020").returncode == 2


def test_figures_of_a_county_lead_to_their_cells(county):
    report = said(county("indicators", "隆昌", "--period", "2024", "--json"))
    gdp = next(one for one in report["indicators"] if one["key"] == "gdp")
    assert (gdp["row"], gdp["calibre"], gdp["vintage"]) == ("gdp.511083.2024", "现价", "2025-09")
    assert gdp["source"].startswith("年度指标.xlsx!地区生产总值!")
    assert gdp["rank"] == {"place": 3, "of": 6, "tied": 0, "missing": []}
    assert set(report["profile"]) == {"规模", "成长性", "创新性", "带动性", "绿色化"}
    shown = county("indicators", "隆昌", "--period", "2024").stdout
    assert MARK in shown.splitlines()[0]
    assert "规则 W08" in shown


def test_xlsx_holds_numbers_and_codes_as_texts(county, world):
    openpyxl = pytest.importorskip("openpyxl")
    assert county("coverage", "--xlsx", "c.xlsx").returncode == 0
    sheet = openpyxl.load_workbook(world / "c.xlsx").worksheets[0]
    values = [cell.value for row in sheet.iter_rows() for cell in row]
    assert "511083" in values
    assert any(isinstance(value, int | float) and value == 100 for value in values)


def test_names_and_terms_are_looked_up_without_any_data(empty, tmp_path):
    assert empty("regions", "510283").stdout.startswith("511083  四川省内江市隆昌市")
    assert "urban_rate" in empty("terms", "城镇化率").stdout
    assert not (tmp_path / "data").exists()


def test_draft_is_held_against_the_rows_and_exit_code_is_1(county):
    done = county("check", "2024年隆昌市地区生产总值为999.9亿元。", "--region", "隆昌", "--period", "2024")
    assert done.returncode == 1
    line = done.stdout.splitlines()[1]
    assert line.startswith("-:1:16: “999.9亿元” ")
    assert "464.76" in line
    right = county("check", "-", "--region", "隆昌", "--period", "2024", text="2024年隆昌市地区生产总值为464.76亿元。")
    assert (right.returncode, MARK in right.stdout) == (0, True)


def test_place_and_difference_between_counties_need_no_reference(county):
    places = "2024年隆昌市地区生产总值464.76亿元，居第3位，比资中县高27.21亿元。"
    assert county("check", places, "--region", "隆昌", "--period", "2024").returncode == 0
    wrong = county("check", places.replace("居第3", "居全市第2"), "--region", "隆昌", "--period", "2024")
    assert wrong.returncode == 1
    assert "只有4个有数值" in "".join(wrong.stdout.split())


def test_word_file_is_checked_as_the_text_that_is_read_from_it(county, world):
    docx = pytest.importorskip("docx")
    draft = docx.Document()
    draft.add_heading("运行情况", 1)
    draft.add_paragraph("2024年隆昌市地区生产总值为999.9亿元。")
    draft.save(world / "draft.docx")
    done = county("check", "draft.docx", "--region", "隆昌", "--period", "2024", "--json")
    (finding,) = json.loads(done.stdout)["gates"][0]["findings"]
    assert (done.returncode, finding["quote"], finding["code"]) == (1, "999.9亿元", "number-differs")


def test_ticket_of_a_value_that_came_is_answered_by_its_import(empty, tmp_path):
    empty("demo", "demo")
    empty("import", *TABLES)
    empty("coverage", "--years", "2019-2020", "--tickets")
    (tmp_path / "late.csv").write_text(
        "2020年主要指标（合成数据）,\n地区,专利授权量（件）\n511002,321\n", encoding="utf-8"
    )
    done = empty("import", "late.csv", "--source", "late", "--vintage", "2026")
    assert "answered: 511002.patents.2020" in done.stdout, done.stdout + done.stderr
    assert [one["key"] for one in said(empty("tickets", "--open", "--json"))] == ["511025.rural_income.2019"]


def test_cause_is_written_milder_into_another_file(county, world):
    (world / "draft.md").write_text("# 隆昌市\n\n隆昌市地区生产总值增长导致税收增长。\n", encoding="utf-8")
    done = county("check", "draft.md", "--region", "隆昌", "--period", "2024", "--fix", "-o", "mended.md")
    assert done.returncode == 1
    assert "提示存在关联，需实地核验" in (world / "mended.md").read_text(encoding="utf-8")
    assert "导致" in (world / "draft.md").read_text(encoding="utf-8")


def test_draft_with_references_is_held_against_the_rows_that_it_refers_to(county, world):
    growth = "{{d:growth(gdp.511083.2024, gdp.511083.2023)|%|1|change}}"
    place = "{{d:rank(gdp.511083.2024, gdp.511024.2024, gdp.511025.2024)|位|0}}"
    text = f"2024年隆昌市地区生产总值名义{growth}，总量居{place}。"
    (world / "referring.md").write_text(text, encoding="utf-8")
    done = county("check", "referring.md", "--region", "隆昌", "--period", "2024", "--fix", "-o", "referred.md")
    assert done.returncode == 0, done.stdout
    written = (world / "referred.md").read_text(encoding="utf-8")
    assert written == "2024年隆昌市地区生产总值名义增长5.4%，总量居第2位。"


def test_change_over_a_recoding_is_written_and_passes(county):
    """隆昌 was 511028 until 2016 and is 511083 since."""
    change = "{{d:growth(gdp.511083.2017, gdp.511083.2016)|%|1|change}}"
    done = county("check", f"2017年隆昌市地区生产总值名义{change}。", "--region", "隆昌", "--period", "2017", "--json")
    assert (done.returncode, json.loads(done.stdout)["remarks"]) == (0, []), done.stdout


def test_blocked_draft_is_written_nowhere(county, world):
    text = "隆昌市联系人身份证号11010519491231002X。"
    done = county("check", text, "--fix", "-o", "blocked.md")
    assert (done.returncode, (world / "blocked.md").exists()) == (2, False)
    assert county("check", text).returncode == 1


def test_references_become_numbers_and_a_missing_one_is_told(county):
    done = county("render", "隆昌市{{m:gdp.511083.2024|亿元|1}}，{{m:gdp.511083.2031|亿元|1}}。")
    assert (done.returncode, done.stdout) == (1, "隆昌市464.8亿元，〔待核〕。\n")
    assert "-:1:31: " in done.stderr
    assert MARK in done.stderr


def test_model_says_what_is_missing(county):
    done = county("model", "panel", "--outcome", "gdp", "--feature", "pop", "--json")
    result = json.loads(done.stdout)
    assert (done.returncode, result["synthetic"], result["readiness"]["colour"]) == (4, True, "red")


def test_model_of_one_region_takes_its_rows_over_the_recoding(county):
    result = json.loads(county("model", "forecast", "--outcome", "gdp", "--region", "隆昌市", "--json").stdout)
    assert "10" in result["specification"]["sample"]["zh"]


def test_looking_at_nothing_is_one_line_and_makes_nothing(empty, tmp_path):
    for words in (("coverage",), ("indicators", "隆昌"), ("tickets",), ("sources",), ("check", "一"), ("remove", "s")):
        done = empty(*words)
        assert (done.returncode, done.stdout) == (2, ""), words
        assert "no data of counties yet" in done.stderr
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("coverage", "--years", "2024-2020"), "the first year is after the last one"),
        (("coverage", "--years", "去年"), "a year, or two"),
        (("coverage", "--region", "市中区"), "511102"),
        (("coverage", "--region", "999999"), "999999"),
        (("coverage", "--indicator", "gpd"), "no indicator is called 'gpd'"),
        (("coverage", "--indicator", "road_length"), "there is no row"),
        (("indicators", "隆昌", "--period", "2024年13月"), "names no year"),
        (("indicators", "成华区"), "there is no row"),
        (("import", "missing.xlsx"), "missing.xlsx"),
        (("import", "demo/年度快报.toml"), "not a table"),
        (("import", "demo/企业.csv", "--records", "firms"), "there are no records 'firms'"),
        (("import", *TABLES, "--mapping", "demo/年度指标.toml"), "speak of one file"),
        (("import", TABLES[0], "--source", "s"), "names the source already"),
        (("import", TABLES[0], "--mapping", "demo/企业.csv"), "is not TOML"),
        (("import", TABLES[0], "--mapping", "missing.toml"), "missing.toml"),
        (("import", "demo/企业.csv", "--vintage", "gestern"), "--vintage gestern"),
        (("import", "demo/企业.csv", "--save-mapping", "demo/企业.csv"), "would be lost"),
        (("remove", "nix"), "there is no source 'nix'"),
        (("tickets", "--answer", "nix"), "no ticket 'nix' is open"),
        (("check", ""), "nothing to check"),
        (("check", "missing.md"), "missing.md"),
        (("check", "一", "--fix"), "belong together"),
        (("check", "一", "--type", "nix"), "nix"),
        (("check", "demo/政策.yml", "--fix", "-o", "demo/政策.yml"), "would be lost"),
        (("render", ""), "nothing to check"),
        (("regions", "隆唱市"), "隆唱市"),
        (("terms", " "), "nothing to look for"),
    ],
)
def test_what_cannot_be_meant_is_one_line_and_exit_code_2(county, words, says):
    done = county(*words)
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    assert says in done.stderr


def test_a_folder_is_imported_each_file_as_what_it_is(empty, tmp_path):
    empty("demo", "demo")
    done = said(empty("import", "demo", "--json"))
    assert {one["path"]: one.get("records", one.get("rows")) for one in done}.items() >= {
        "demo/政策.yml": "policies",
        "demo/项目.csv": "projects",
        "demo/企业.csv": "enterprises",
    }.items()
    assert {one["path"]: one["rows"] for one in done if "rows" in one}["demo/季度累计.csv"] == 72
    (tmp_path / "none").mkdir()
    assert "there is no table in it" in empty("import", "none").stderr


def test_a_prefecture_stands_for_its_counties(county):
    covered = said(county("coverage", "--region", "内江市", "--json"))
    assert set(covered["by_region"]) >= {"511002", "511024", "511025", "511083"}
    assert "511102" not in covered["by_region"]


def test_quality_finds_the_one_fault_of_the_demonstration(county, tmp_path):
    done = county("quality", "--json", "--xlsx", tmp_path / "q.xlsx")
    assert done.returncode == 1, done.stderr
    found = json.loads(done.stdout)
    (misfit,) = found["misfits"]
    assert found["synthetic"]
    assert (misfit["name"], misfit["check"], misfit["where"]) == ("威远县", "parts-and-total", ["gdp", "2021"])
    assert "-9.00" in misfit["reason"]["zh"]
    assert (tmp_path / "q.xlsx").stat().st_size > 0


def test_quality_is_content_where_everything_fits_and_says_when_there_is_nothing(county):
    assert county("quality", "--region", "威远县", "--years", "2022-2024").returncode == 0
    assert county("quality", "--years", "1990").returncode == 2


def test_an_indicator_that_is_blank_everywhere_is_a_gap_of_all(empty, tmp_path):
    (tmp_path / "t.csv").write_text(
        "地区,地区生产总值（亿元）,粮食产量（万吨）\n隆昌市,464.8,\n威远县,493.2,\n", "utf-8"
    )
    (tmp_path / "t.toml").write_text(
        '[source]\nid = "t"\ntitle = "t"\nvintage = "2025"\n'
        '[[tables]]\nlayout = "regions-indicators"\nperiod = "2024"\n',
        "utf-8",
    )
    assert empty("import", "t.csv").returncode == 0
    covered = said(empty("coverage", "--tickets", "--json"))
    assert (covered["total"]["present"], covered["total"]["expected"]) == (2, 4)
    assert {gap["region"] for gap in covered["gaps"] if gap["indicator"] == "grain"} == {"511083", "511024"}
    assert len(covered["tickets_opened"]) == 2


def test_made_up_figures_never_stand_beside_real_ones(empty, tmp_path):
    (tmp_path / "t.csv").write_text("地区,2024年地区生产总值（亿元）\n隆昌市,401.2\n威远县,493.2\n", "utf-8")
    empty("demo", "demo")
    assert empty("import", "t.csv").returncode == 0
    refused = empty("import", TABLES[0])
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "t and demo-yearbook-2025" in refused.stderr or "demo-yearbook-2025 and t" in refused.stderr
    assert "demo" not in empty("sources").stdout
