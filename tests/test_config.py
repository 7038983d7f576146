"""Settings and `catalog.toml`: what is not meant is refused or reported with its place."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sitegen.config import Catalog, Reproduce, Settings, checked, load_catalog, load_settings
from sitegen.errors import Level, Problems, Refused
from sitegen.redact import Redaction
from tests.factory import write


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    return tmp_path / "data"


def test_the_command_line_wins_over_the_file_and_the_file_over_the_defaults(tmp_path: Path, data: Path) -> None:
    file = write(tmp_path / "sitegen.toml", 'data = "data"\nout = "public"\nstrict = true\njobs = 2\n')
    settings = load_settings(file, {"out": Path("elsewhere"), "jobs": None, "keep_going": None})
    assert settings == Settings(data=data, out=Path("elsewhere"), strict=True, jobs=2)


def test_without_a_file_the_command_line_is_enough(tmp_path: Path, data: Path) -> None:
    assert load_settings(tmp_path / "none.toml", {"data": data}) == Settings(data=data)


def test_folders_of_the_file_are_relative_to_it(tmp_path: Path, data: Path) -> None:
    file = write(tmp_path / "sitegen.toml", 'data = "data"\nout = "site"\n')
    assert load_settings(file, {}).out == tmp_path / "site"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("colour = 1", "unknown setting 'colour'"),
        ('strict = "yes"', "strict = 'yes'; expected true or false"),
        ("jobs = true", "jobs = True; expected a whole number"),
        ("out = 3", "out = 3; expected text"),
        ("out = ", "sitegen.toml: "),
        ('json_report = "x.json"', "unknown setting 'json_report'"),
    ],
)
def test_a_bad_settings_file_is_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(Refused, match=message):
        load_settings(write(tmp_path / "sitegen.toml", text), {"data": tmp_path})


@pytest.mark.parametrize(
    "changes",
    [
        {"base_url": "example.org"},
        {"base_url": "ftp://example.org/"},
        {"base_url": "https:///x"},
        {"base_url": ""},
        {"jobs": -1},
        {"data": Path("nowhere")},
        {"content": Path("nowhere")},
    ],
)
def test_settings_that_cannot_be_meant_are_refused(data: Path, changes: dict[str, Any]) -> None:
    with pytest.raises(Refused, match="--"):
        checked(Settings(**{"data": data, **changes}))


@pytest.mark.parametrize(
    ("url", "path"),
    [
        (None, "/"),
        ("https://example.org", "/"),
        ("https://example.org/", "/"),
        ("https://example.org/catalogue", "/catalogue/"),
        ("https://example.org/a/b/", "/a/b/"),
    ],
)
def test_the_base_path_has_its_slashes(url: str | None, path: str) -> None:
    assert Settings(base_url=url).base_path == path


def catalog(tmp_path: Path, text: str | bytes) -> tuple[Catalog, Problems]:
    problems = Problems()
    return load_catalog(write(tmp_path / "catalog.toml", text), problems), problems


def test_without_a_catalog_the_defaults_speak(tmp_path: Path) -> None:
    problems = Problems()
    found = load_catalog(tmp_path / "catalog.toml", problems)
    assert found == Catalog()
    assert (found.device, found.compiler, found.memory_label) == ("Trainium", "neuronx-cc", "Peak device memory")
    assert len(problems) == 0


def test_every_key_of_the_catalog_is_read(tmp_path: Path) -> None:
    found, problems = catalog(
        tmp_path,
        """
        title = " CPU runs "
        notice = "Made on a CPU."
        device = "CPU"
        compiler = "torch"
        memory_label = "Peak memory"
        dataset = "https://x.org/d"
        model_url = ""
        [reproduce]
        image = "img:{torch}"
        instance = ""
        neff_cache = "mkdir -p DIR && fetch 's3://b/{neuronx_cc}/{model_id}' DIR"
        index = "https://x.org/simple?a&b"
        """,
    )
    assert len(problems) == 0
    assert found == Catalog(
        title="CPU runs",
        notice="Made on a CPU.",
        device="CPU",
        compiler="torch",
        memory_label="Peak memory",
        dataset="https://x.org/d",
        model_url="",
        reproduce=Reproduce(
            image="img:{torch}",
            neff_cache="mkdir -p DIR && fetch 's3://b/{neuronx_cc}/{model_id}' DIR",
            index="https://x.org/simple?a&b",
        ),
    )


@pytest.mark.parametrize(
    ("text", "level", "column"),
    [
        ('colour = "red"', Level.NOTICE, "colour"),
        ("title = 3", Level.ERROR, "title"),
        ('dataset = "javascript:alert(1)"', Level.ERROR, "dataset"),
        ('model_url = "//evil.org/{id}"', Level.ERROR, "model_url"),
        ('model_url = "https://evil.org/{id}\\n/x"', Level.ERROR, "model_url"),
        ('source = "https://evil.org/\\u202e"', Level.ERROR, "source"),
        ("report_url = 'https://evil.org/\"<b>'", Level.ERROR, "report_url"),
        ("title = ", Level.ERROR, ""),
        (b'title = "caf\xe9"', Level.ERROR, ""),
    ],
)
def test_a_fault_in_the_catalog_is_reported_with_its_key(
    tmp_path: Path, text: str | bytes, level: Level, column: str
) -> None:
    found, problems = catalog(tmp_path, text)
    assert [(p.level, p.place.file, p.place.column) for p in problems] == [(level, "catalog.toml", column)]
    assert replace(found, redact=Redaction()) == Catalog()
    assert (found.redact is None) == (column == "")  # what shall be redacted is not known then


def test_an_address_that_urlsplit_refuses_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused):
        load_settings(tmp_path / "none.toml", {"data": tmp_path, "base_url": "http://["})


@pytest.mark.parametrize(
    "text", ['dataset = "http://["', 'reproduce = "docker"', "[reproduce]\nimage = 3", "[reproduce]\nimag = 'x'"]
)
def test_faults_in_the_catalog_are_reported(tmp_path: Path, text: str) -> None:
    (tmp_path / "catalog.toml").write_text(text)
    problems = Problems()
    found = load_catalog(tmp_path / "catalog.toml", problems)
    assert len(problems) == 1
    assert found.reproduce == Reproduce()


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("neff_cache", '"""a\nb"""', "which has a line break or another control character"),
        ("neff_cache", '"fetch it\'s"', "in which a quotation mark or a backslash has no partner"),
        ("neff_cache", "'fetch \\'", "in which a quotation mark or a backslash has no partner"),
        ("neff_cache", "'fetch ${torch}'", "in which $ stands before a {field}"),
        ("index", '"--index-url"', "expected an address with https://"),
        ("index", '"file:///x"', "expected an address with https://"),
        ("index", '"https://x.org/a b"', "expected an address with https://"),
        ("index", '"https://x.org/\\nb"', "expected an address with https://"),
        ("index", '"https://x.org/{torch}"', "expected no {field}"),
    ],
)
def test_what_may_be_in_no_command_is_refused(tmp_path: Path, name: str, value: str, message: str) -> None:
    found, problems = catalog(tmp_path, f"[reproduce]\n{name} = {value}\n")
    assert [(p.level, p.code, p.place.column) for p in problems] == [(Level.ERROR, "catalog-unreadable", name)]
    assert message in str(*problems)
    if "field" not in message:
        assert found.reproduce == Reproduce()


@pytest.mark.parametrize("name", ["title", "device", "compiler", "memory_label"])
@pytest.mark.parametrize("text", ["", "  ", "\u200b"])
def test_the_words_of_every_page_can_be_seen(tmp_path: Path, name: str, text: str) -> None:
    found, problems = catalog(tmp_path, f'{name} = "{text}"')
    assert found == Catalog()
    assert [(p.place.column, p.expected) for p in problems] == [(name, "text that can be seen")]


@pytest.mark.parametrize(
    "address", ["https://h.org/a b", "https://h.org/a\\nb", "https://h.org/<x>", "https://h\u202e.org/"]
)
def test_an_address_can_stand_in_a_page_as_it_is(tmp_path: Path, address: str) -> None:
    _, problems = catalog(tmp_path, f'dataset = "{address}"')
    assert [(p.place.column, p.expected) for p in problems] == [("dataset", "an address with https://")]


def test_a_value_that_cannot_be_meant_is_named_by_the_place_that_it_comes_from(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    file = write(tmp_path / "sitegen.toml", 'base_url = "here"\njobs = -1\n')
    with pytest.raises(Refused, match=r"sitegen\.toml: base_url: found 'here'"):
        load_settings(file, {"data": data})
    with pytest.raises(Refused, match=r"^--base-url: found 'there'"):
        load_settings(file, {"data": data, "base_url": "there"})
    with pytest.raises(Refused, match=r"sitegen\.toml: jobs: found -1"):
        load_settings(file, {"data": data, "base_url": "https://example.org/"})


def test_a_table_that_is_not_known_stops_a_build_since_it_could_be_a_slip_in_redact(tmp_path: Path) -> None:
    _, problems = catalog(tmp_path, "[redcat]\ntoken = 'hf_[a-z]{30,40}'\n")
    assert [(p.level, p.code, p.place.column, p.expected) for p in problems] == [
        (Level.ERROR, "catalog-unreadable", "redcat", "[redact] or [reproduce]")
    ]
