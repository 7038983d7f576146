"""Requirements from recorded text: every line is one requirement and nothing that pip would read beside it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packaging.requirements import Requirement

from sitegen.requirements import Entry, Requirements, allows, each, listed, pinned, requirements
from tests.factory import write


def lines_of(text: str) -> tuple[str, ...]:
    return requirements(tuple(listed("column extra_packages", text))).lines


def unusable_of(text: str) -> list[str]:
    return [entry.text for entry in requirements(tuple(listed("column extra_packages", text))).unusable]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ('["a", "b==1; sys_platform == \'linux\'"]', ("a", 'b==1; sys_platform == "linux"')),
        ('{"a": "1.0", "b": null, "c": ">=2", "d": ""}', ("a==1.0", "b", "c>=2", "d")),
        ('[{"name": "a", "version": "1"}]', ("a==1",)),
        ("null", ()),
        ("a==1\nb\r\n\n# why\nc # why\n", ("a==1", "b", "c")),
        ("a==1, b ; c==2 d", ("a==1", "b", "c==2", "d")),
        ("foo>=1,<2", ("foo<2,>=1",)),
        ("foo >= 1 , <2, bar", ("foo<2,>=1", "bar")),
        ("foo (>=1) bar", ("foo>=1", "bar")),
        ("foo; python_version < '3.12'", ('foo; python_version < "3.12"',)),
        (
            "foo; python_version<'3.12' and os_name != 'nt', bar; baz",
            ('foo; python_version < "3.12" and os_name != "nt"', "bar", "baz"),
        ),
        ("foo[b, a]==1 bar", ("foo[a,b]==1", "bar")),
        ("foo @ https://example.org/foo.whl bar", ("bar",)),
        ("foo===1.0", ("foo===1.0",)),
        ("neuronx-cc==2.28.7631.0+5e0f61c7", ("neuronx-cc==2.28.7631.0+5e0f61c7",)),
        ("foo==1 \\\n    --hash=sha256:00", ("foo==1",)),
        ("a A a==1", ("a==1",)),
    ],
)
def test_every_form_of_a_list_is_read(text: str, lines: tuple[str, ...]) -> None:
    assert lines_of(text) == lines


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("--index-url https://evil.example/simple", ["--index-url https://evil.example/simple"]),
        ("foo --index-url https://evil.example", ["--index-url https://evil.example"]),
        ('["foo\\n--index-url https://evil.example"]', ["foo --index-url https://evil.example"]),
        ("-r /etc/passwd\n-e .", ["-r /etc/passwd", "-e ."]),
        ("foo.zip bar.tar.gz baz-1.0-py3-none-any.whl", ["foo.zip", "bar.tar.gz", "baz-1.0-py3-none-any.whl"]),
        ("foo.TGZ[a]>=1", ["foo.TGZ[a]>=1"]),
        ("foo.zip; os_name == 'nt'", ["foo.zip; os_name == 'nt'"]),
        ("foo===1.zip", ["foo===1.zip"]),
        ('{"foo.zip": null, "bar.whl": "1"}', ["foo.zip", "bar.whl 1"]),
        ('{"foo --pre": null, "foo[x]": "1", "foo==2": ""}', ['"foo --pre": null', '"foo[x]": "1"', '"foo==2": ""']),
        ('{"foo @ https://evil.example/#": "1"}', ['"foo @ https://evil.example/#": "1"']),
        ('[{"name": "foo @ file:///x", "version": ">1"}]', ['"foo @ file:///x": ">1"']),
        ("foo; python_version > '3 -r x'", ["foo; python_version > '3 -r x'"]),
        ("foo; python_version > '3 \\'", ["foo; python_version > '3 \\'"]),
        ("fö", ["fö"]),
        ("none", ["none"]),
        ("pillow 12.0.0", ["12.0.0"]),  # a number is no name
        ('{"foo": "nightly", "bar": 3, "": "1"}', ["foo nightly", "bar 3", '"": "1"']),
        ("[1, [2]]", ["1", "[2]"]),
        ("3.5", ["3.5"]),
        ("[" * 5000, ["[" * 200 + " … (4,800 more characters)"]),
        ("foo==" + "9" * 5000, [("foo==" + "9" * 5000)[:200] + " … (4,805 more characters)"]),
        ("foo; " + "(" * 400 + "os_name == 'nt'" + ")" * 400, []),
    ],
)
def test_what_is_no_requirement_is_named_and_never_a_line(text: str, named: list[str]) -> None:
    if named:
        assert unusable_of(text) == named
    assert not [line for line in lines_of(text) if line not in ("foo", "pillow", "bar")]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("foo @ https://evil.example/${HOME}", ["foo @ https://evil.example/${HOME}"]),
        ("foo @ https://evil.example/\\", ["foo @ https://evil.example/\\"]),
        ("foo[a]@file:///tmp/foo.whl ; os_name == 'nt'", ["foo[a]@file:///tmp/foo.whl ; os_name == 'nt'"]),
        (
            "git+https://name:token@example.org/foo.git@v1#egg=foo",
            ["git+https://name:token@example.org/foo.git@v1#egg=foo"],
        ),
        ("-e git+ssh://git@example.org/foo\nbar", ["-e git+ssh://git@example.org/foo"]),
        ("https://example.org/foo.whl file:foo.zip", ["https://example.org/foo.whl", "file:foo.zip"]),
        ('["foo @ https://example.org/x y"]', ["foo @ https://example.org/x y"]),
        ('{"foo": "@ https://example.org/x"}', ["foo@ https://example.org/x"]),
    ],
)
def test_a_direct_reference_is_named_apart_and_never_a_line(text: str, named: list[str]) -> None:
    found = requirements(tuple(listed("column packages", text)))
    assert [entry.text for entry in found.references] == named
    assert found.unusable == ()
    assert set(found.lines) <= {"bar"}


def test_a_librarys_name_from_the_data_is_a_name_or_no_pin() -> None:
    found = requirements((pinned("column library_version", "x @ https://evil.example/#", "1.0"),))
    assert (found.lines, found.references) == ((), ())
    assert [entry.text for entry in found.unusable] == ['"x @ https://evil.example/#": "1.0"']


def test_pip_reads_no_line_as_a_file_of_the_folder(tmp_path: Path) -> None:
    for name in ("foo", "foo.zip", "foo.tar.gz", "foo===1.zip", "foo.whl"):
        write(tmp_path / name, b"")
    lines = lines_of('["foo", "foo.zip", "foo.tar.gz[a]", "foo===1.zip", "foo.whl; os_name == \'posix\'", "foo.zipp"]')
    write(tmp_path / "requirements.txt", "".join(f"{line}\n" for line in lines))
    pip = [sys.executable, "-m", "pip", "download", "--no-index", "--no-deps", "-r", "requirements.txt"]
    done = subprocess.run(pip, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert lines == ("foo", "foo.zipp")
    assert "No matching distribution found for foo" in done.stderr


def test_a_version_that_is_none_is_no_pin() -> None:
    found = requirements((pinned("column torch", "torch", "nightly"), pinned("column nki", "nki", "2.*")))
    assert found.lines == ()
    assert [(entry.where, entry.text) for entry in found.unusable] == [
        ("column torch", "torch nightly"),
        ("column nki", "nki 2.*"),
    ]


def together(*more: Entry) -> Requirements:
    return requirements((pinned("column torch_neuronx", "torch-neuronx", "2.14.3.0"), *more))


def test_a_pin_wins_over_what_is_looser_whatever_the_spelling() -> None:
    found = together(*each("metadata of run.py", ["Torch.Neuronx>=2", "torch_neuronx", "pillow>=11"]))
    assert found == Requirements(("torch-neuronx==2.14.3.0", "pillow>=11"), (), (), ())


def test_what_disagrees_with_a_pin_is_said_and_the_first_record_wins() -> None:
    found = together(
        *listed("column packages", '{"torch_neuronx": "2.13"}'),
        *each("metadata of run.py", ["torch-neuronx==2.12", "torch-neuronx<2"]),
    )
    assert found.lines == ("torch-neuronx==2.14.3.0",)
    assert found.conflicts == tuple(
        f"torch-neuronx is 2.14.3.0 in the column torch_neuronx, but {other}; requirements.txt has 2.14.3.0"
        for other in (
            "torch_neuronx==2.13 in the column packages",
            "torch-neuronx==2.12 in the metadata of run.py",
            "torch-neuronx<2 in the metadata of run.py",
        )
    )


def test_a_local_version_fits_a_public_one_that_is_asked_for_but_two_records_must_be_equal() -> None:
    torch = pinned("column torch", "torch", "2.13.0+cpu")
    assert requirements((torch, *each("metadata of run.py", ["torch==2.13.0"]))).conflicts == ()
    assert len(requirements((torch, pinned("column packages", "torch", "2.13.0"))).conflicts) == 1
    assert requirements((torch, pinned("column packages", "torch", "2.13.0+CPU"))).conflicts == ()


def test_extras_of_a_pinned_name_are_kept_with_its_version() -> None:
    found = together(*each("metadata of run.py", ["torch-neuronx[b,a]>=2; os_name == 'posix'"]))
    assert found.lines == ("torch-neuronx==2.14.3.0", 'torch-neuronx[a,b]==2.14.3.0; os_name == "posix"')


@pytest.mark.parametrize(
    ("specifier", "text", "found"),
    [
        (">=3.12", "3.14.0", True),
        (">=3.12", "3.11", False),
        (">=3.12", "3.15.0rc1", True),
        ("recent", "3.11", None),
        (">=3", "recent", None),
        (">=" + "9" * 5000, "3", None),
    ],
)
def test_whether_a_specifier_allows_a_version(specifier: str, text: str, found: bool | None) -> None:
    assert allows(specifier, text) is found


PARTS = st.sampled_from(
    [
        *"foo Foo_Bar .zip .tar.gz git+https://e.example file:".split(),
        *r"== === ~= >= < != 1.0 2.* , ; @ - -r --index-url https://e.example ${HOME} $ \ # #x".split(),
        *"[ ] ( ) \" ' '3' python_version os_name and or in { } : null é \ufeff".split(),
        *(" ", "\t", "\n", "\r", "\v", "\x00", "\x1c", "\x85", "\u2028", "'3 -r x'", "'3 #'", " --hash=sha256:0"),
    ]
)


def lists() -> st.SearchStrategy[str]:
    return st.one_of(
        st.lists(PARTS, max_size=12).map("".join),
        st.text(max_size=40),
        st.lists(st.lists(PARTS, max_size=6).map("".join), max_size=4).map(lambda found: repr(found).replace("'", '"')),
    )


@given(st.lists(lists(), max_size=3), st.lists(lists(), max_size=3), lists(), lists())
def test_any_text_gives_lines_that_are_requirements_or_is_named(
    columns: list[str], dependencies: list[str], name: str, text: str
) -> None:
    """As pip reads a file: by lines, without comments, `\\` joining two, `${NAME}` replaced, ` -x` an option."""

    def entries() -> Iterator[Entry]:
        yield pinned("column torch", name, text)
        for column in columns:
            yield from listed("column packages", column)
        yield from each("metadata of run.py", dependencies)

    found = requirements(tuple(entries()))
    written = "".join(f"{line}\n" for line in found.lines)
    assert written.splitlines() == list(found.lines)
    for line in found.lines:
        assert str(Requirement(line)) == line
        assert Requirement(line).url is None
        assert not line.partition(";")[0].partition("[")[0].endswith((".zip", ".tar.gz"))
        assert line.isascii()
        assert line.isprintable()
        assert not {"${", "\\", " #", " -"} & {line[i : i + n] for i in range(len(line)) for n in (1, 2)}
    for entry in (*found.unusable, *found.references):
        assert "\n" not in entry.text
