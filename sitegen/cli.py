"""The command: options, messages and exit codes. What it does stands in `build` and `serve`."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Mapping
from io import StringIO
from pathlib import Path
from typing import Any, TypeVar

import click

from sitegen import __version__, unchanged
from sitegen.build import Report, build, inspect
from sitegen.config import Settings, load_settings
from sitegen.errors import InputProblems, Level, Problems, SitegenError, Unfinished, plain
from sitegen.fetch import DATASET, TASKS, Wanted, fetch
from sitegen.messages import as_json, by_file, change_list, check_record, fetch_summary, for_github, lines, summary
from sitegen.places import named
from sitegen.progress import Progress, TerminalProgress
from sitegen.unchanged import SETTINGS_FILE
from sitegen.write import Written

Show = Callable[[Problems, Mapping[str, int], int], None]  # the problems, the counts, the exit code
Command = TypeVar("Command", bound=Callable[..., Any])
LINES_MAX = 100  # of one error
FOLDER = click.Path(path_type=Path, file_okay=True)

INPUT_OPTIONS = (
    click.option("--data", type=FOLDER, help="Folder with **/*.parquet and rankings/*.json.  [default: data]"),
    click.option("--content", type=FOLDER, help="Folder that overlays the built-in content, file by file."),
    click.option("--base-url", metavar="URL", help="Where the site will be served; only for what must be absolute."),
    click.option("--previous", type=FOLDER, metavar="FILE", help="urls.json of an earlier build: its addresses stay."),
    click.option("--strict", is_flag=True, default=None, help="Notices stop the build (exit code 1)."),
    click.option("--keep-going", is_flag=True, default=None, help="Leave out what cannot be read, and list it."),
    click.option("--json-report", type=FOLDER, metavar="FILE", help="Write counts, problems and seconds as JSON."),
    click.option("-q", "--quiet", is_flag=True, help="Only errors and notices."),
    click.option("-v", "--verbose", is_flag=True, help="Also the seconds of each stage."),
)


def input_options(command: Command) -> Command:
    for option in reversed(INPUT_OPTIONS):
        command = option(command)
    return command


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="sitegen")
def cli() -> None:
    """Build the site of a catalogue of model runs from Parquet files.

    Options may stand in sitegen.toml in the current folder; the command line wins. Exit codes: 0 ok, 1 notices under
    --strict, 2 refused as asked, 3 input, 4 could not finish.
    """


@cli.command("build")
@input_options
@click.option("--out", type=FOLDER, help="Folder to write.  [default: site]")
@click.option("--zip", is_flag=True, default=None, help="Also the whole site as one archive, site.zip.")
@click.option("--jobs", type=int, metavar="N", help="Processes that render.  [default: as many as pay]")
@click.option("--changes", type=FOLDER, metavar="FILE", help="Write the paths that this build wrote and pruned.")
def build_command(quiet: bool, verbose: bool, **given: Any) -> None:
    """Build the site."""
    settings = load_settings(Path(SETTINGS_FILE), given)
    inputs = [str(path) for path in (settings.data, settings.content, settings.previous) if path]
    was_given, were_touched = unchanged.given(sys.argv[1:], inputs), unchanged.touched(inputs)
    said: list[str] = []

    def tell(line: str) -> None:
        said.append(plain(line))
        say(line)

    report = reported(settings, lambda: build(settings, progress(quiet), tell), showing(quiet, tell))
    if settings.changes and report.written:
        write_file(settings.changes, change_list(report.written), settings.out)
    finish(settings, report, quiet, verbose, showing(quiet, tell))
    again = "" if quiet else summary(settings, report, Written((), len(report.plan.paths), ()))
    if report.state and unchanged.touched(inputs) == were_touched:
        unchanged.remember(str(settings.out), was_given, inputs, report.state, said, again)


@cli.command("check")
@input_options
@click.option("--zip", is_flag=True, default=None, help="The build will write site.zip.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "github"]),
    default="text",
    show_default=True,
    help="How problems are shown: by file; as one JSON document; as annotations of GitHub Actions.",
)
def check_command(quiet: bool, verbose: bool, form: str, **given: Any) -> None:
    """Read and check everything; write nothing."""
    settings = load_settings(Path(SETTINGS_FILE), given)

    def show_all(problems: Problems, counts: Mapping[str, int], code: int) -> None:
        if form == "json":
            click.echo(json.dumps(check_record(problems, counts, code), indent=1, ensure_ascii=False))
            return
        shown = Problems([problem for problem in problems if problem.level >= (Level.NOTICE if quiet else Level.INFO)])
        if form == "github":
            folders = [folder for folder in (settings.data, settings.content) if folder]
            click.echo("".join(f"{line}\n" for line in for_github(shown, folders)), nl=False)
        for line in by_file(shown) if form == "text" else ():
            say(line)

    report = reported(settings, lambda: inspect(settings, progress(quiet), say), show_all)
    finish(settings, report, quiet or form == "json", verbose, show_all)


@cli.command("serve")
@input_options
@click.option("--out", type=FOLDER, help="Folder to write.  [default: site]")
@click.option("--jobs", type=int, metavar="N", help="Processes that render.  [default: as many as pay]")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0: any free port.")
@click.option("--watch", is_flag=True, help="Build again when an input changes.")
def serve_command(port: int, watch: bool, quiet: bool, verbose: bool, **given: Any) -> None:
    """Build, then serve the site on 127.0.0.1."""
    from sitegen.serve import serve

    settings = load_settings(Path(SETTINGS_FILE), given)

    def rebuild() -> None:
        report = reported(settings, lambda: build(settings, progress(quiet), say), showing(quiet))
        finish(settings, report, quiet, verbose, showing(quiet))

    serve(settings, rebuild, port, watch)


@cli.command("fetch")
@click.option("--dataset", metavar="ID", default=DATASET, show_default=True, help="Dataset on the Hub.")
@click.option("--revision", metavar="REV", default="main", show_default=True, help="Branch, tag or commit.")
@click.option("--dest", type=FOLDER, default=Path("data"), show_default=True, help="Data folder to fetch into.")
@click.option("--tasks", metavar="TASK,...", multiple=True, help=f"Tasks to rank.  [default: {','.join(TASKS)}]")
@click.option("--limit", type=click.IntRange(1, 1000), default=200, show_default=True, help="Models of a ranking.")
@click.option("--no-results", is_flag=True, help="Only the rankings.")
@click.option("--no-rankings", is_flag=True, help="Only the results.")
@click.option("-q", "--quiet", is_flag=True, help="Only errors.")
def fetch_command(tasks: tuple[str, ...], no_results: bool, no_rankings: bool, quiet: bool, **given: Any) -> None:
    """Fetch results and rankings from the Hugging Face Hub into a data folder, all or nothing.

    Needs the extra `hub`. A token is used where HF_TOKEN or `hf auth login` gives one.
    """
    asked = tuple(task.strip() for text in tasks for task in text.split(",") if task.strip())
    wanted = Wanted(tasks=asked if tasks else TASKS, results=not no_results, rankings=not no_rankings, **given)
    try:
        done = fetch(wanted, progress(quiet), say)
    except InputProblems as error:
        showing(quiet)(error.problems, {}, error.exit_code)
        raise
    if not quiet:
        click.echo(plain_lines(fetch_summary(wanted, done)))


def say(line: str) -> None:
    """What a person should know before the output appears."""
    click.echo(plain(line), err=True)


def progress(quiet: bool) -> Progress:
    return TerminalProgress() if sys.stderr.isatty() and not quiet else Progress()


def reported(settings: Settings, work: Callable[[], Report], show: Show) -> Report:
    """The report of the work; when the input stops it, its problems are shown and reported all the same."""
    try:
        return work()
    except InputProblems as error:
        show(error.problems, {}, error.exit_code)
        if settings.json_report:
            write_report(settings.json_report, {"counts": {}, "problems": as_json(error.problems), "seconds": {}})
        raise


def finish(settings: Settings, report: Report, quiet: bool, verbose: bool, show: Show) -> None:
    show(report.problems, report.counts, 0)
    if settings.json_report:
        record = {"counts": report.counts, "problems": as_json(report.problems), "seconds": report.seconds}
        write_report(settings.json_report, record, settings.out if report.written else None)
    if verbose:
        for name, seconds in report.seconds.items():
            click.echo(f"{name}: {seconds:.2f} s", err=True)
    if not quiet:
        click.echo(f"{summary(settings, report, report.written)}, {sum(report.seconds.values()):.1f} s")


def showing(quiet: bool, tell: Callable[[str], None] = say) -> Show:
    """A line a problem. What stops a build is shown whatever its level."""

    def show(problems: Problems, _: Mapping[str, int], code: int) -> None:
        least = Level.NOTICE if quiet and not code else Level.INFO
        for line in lines(problem for problem in problems if problem.level >= least):
            tell(line)

    return show


def write_report(path: Path, record: Mapping[str, object], made: Path | None = None) -> None:
    write_file(path, json.dumps(record, indent=1, ensure_ascii=False) + "\n", made)


def write_file(path: Path, text: str, made: Path | None = None) -> None:
    """Writes a report. Where that fails no cut file stays, and the message says that the site `made` is there."""
    try:
        with path.open("w", encoding="utf-8", errors="surrogateescape") as stream:
            try:
                stream.write(text)
                stream.flush()
            except OSError:
                if path.is_file():
                    path.unlink(missing_ok=True)
                raise
    except OSError as error:
        there = f"; the site in {named(made)} is whole and new, but this file is missing" if made else ""
        raise Unfinished(f"{named(path)}: {error.strerror}{there}") from None


def main() -> None:
    """Runs the command. No fault in somebody's data ends in a traceback; a fault of ours says so and exits 4."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        cli.main(standalone_mode=False)
    except click.exceptions.Abort:
        click.echo("interrupted; nothing was changed", err=True)
        sys.exit(130)
    except click.ClickException as error:
        said = StringIO()
        error.show(said)
        click.echo(plain_lines(said.getvalue().rstrip()), err=True)
        sys.exit(2)
    except SitegenError as error:
        click.echo(plain_lines(str(error)), err=True)
        sys.exit(error.exit_code)
    except OSError as error:
        click.echo(plain(f"{error.filename or 'system'}: {error.strerror or error}"), err=True)
        sys.exit(4)
    except Exception as error:
        click.echo(plain(f"a fault of sitegen itself: {type(error).__name__}: {error}"), err=True)
        click.echo("What was built or fetched before is as it was. Set SITEGEN_TRACE=1 for the traceback.", err=True)
        if os.environ.get("SITEGEN_TRACE"):
            raise
        sys.exit(4)


def plain_lines(text: str) -> str:
    """The first lines of a text, as many as a person reads."""
    lines = text.split("\n")
    more = [f"… {len(lines) - LINES_MAX:,} more lines"] if len(lines) > LINES_MAX else []
    return "\n".join([*map(plain, lines[:LINES_MAX]), *more])
