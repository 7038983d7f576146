"""Finds the Parquet files of a data folder and opens them; says in plain words why one cannot be read."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from sitegen.arrow import is_bytes, is_text
from sitegen.errors import Place, Problems
from sitegen.given import LFS, LFS_FOUND, LFS_HINT, missing_target, shown_name

BATCH_BYTES = 32 << 20  # what one batch of rows may hold in memory, by the file's own statistics
SHARED_BYTES = 512 << 20  # the same of a large row group, were each of its rows to share all that the group has
BUFFER_MIN, BUFFER_MAX = 1 << 12, 1 << 20  # bytes that are read of a column at a time
READ_ELSEWHERE = ("lists", "rankings")  # folders of the data folder that hold no results
BATCH_ROWS = 512
MAGIC = b"PAR1"
# The first bytes of what is often given in place of a Parquet file.
OTHER_FORMATS = (
    (b"\x1f\x8b", "a gzip file"),
    (b"PK\x03\x04", "a zip file"),
    (b"\x28\xb5\x2f\xfd", "a zstd file"),
    (b"ARROW1", "an Arrow (Feather) file"),
    (b"<", "markup (an error page of a server?)"),
    (b"{", "JSON"),
)


@dataclass(frozen=True)
class InputFile:
    """A file to read: `name` is its path relative to the data folder, with slashes, as it is shown."""

    path: Path
    name: str
    size: int


def find_files(folder: Path, problems: Problems) -> list[InputFile]:
    """All `**/*.parquet` below the folder, by name. Hidden names are skipped inside it, its own is not."""
    found: list[InputFile] = []

    def unlisted(error: OSError) -> None:
        place = Place(shown_name(Path(error.filename), folder))
        problems.error("folder-unreadable", place, f"the folder cannot be listed: {error.strerror}")

    for here, folders, files in os.walk(folder, onerror=unlisted):
        for name in sorted(folders):
            path = Path(here, name)
            if name.startswith((".", "_")):
                folders.remove(name)
                _pass_over(path, folder, problems)
            elif path.is_symlink():
                folders.remove(name)
                if here == str(folder) and name in READ_ELSEWHERE:
                    continue
                problems.notice(
                    "link-not-followed",
                    Place(shown_name(path, folder)),
                    f"a link to the folder {os.readlink(path)}, which was not followed",
                    hint="Copy the folder, or link its files one by one",
                )
        for name in sorted(files):
            if name.lower().endswith(".parquet"):
                _take(Path(here, name), folder, found, problems)
    return sorted(found, key=lambda file: file.name)


def _pass_over(hidden: Path, folder: Path, problems: Problems) -> None:
    """Says so when a folder with a hidden name holds what would else be read."""
    count = sum(name.lower().endswith(".parquet") for _, _, files in os.walk(hidden) for name in files)
    if count:
        problems.info(
            "file-hidden",
            Place(shown_name(hidden, folder)),
            f"a folder with a hidden name was skipped; it holds {count} Parquet file{'s' * (count > 1)}",
            hint="Rename it if it holds results",
        )


def _take(path: Path, folder: Path, found: list[InputFile], problems: Problems) -> None:
    place = Place(shown_name(path, folder))
    if path.name.startswith((".", "_")):
        problems.info(
            "file-hidden",
            place,
            "a file with a hidden name was skipped",
            hint="Rename it if it holds results",
        )
    elif fault := missing_target(path):
        hint = "Download the file again, or remove the link"
        problems.error("link-dangling", place, fault, expected="a Parquet file", hint=hint)
    elif not path.is_file():
        problems.error("file-not-parquet", place, "neither a file nor a folder", expected="a Parquet file")
    else:
        found.append(InputFile(path, place.file, path.stat().st_size))


def open_file(file: InputFile, problems: Problems) -> pq.ParquetFile | None:
    """The file, opened; None when it is no Parquet file, with the reason among the problems."""
    place = Place(file.name)
    expected, again = "a Parquet file", "Download or write it again"
    try:
        with file.path.open("rb") as stream:
            head = stream.read(64)
            stream.seek(max(0, file.size - 4))
            tail = stream.read(4)
        if not head:
            problems.error("file-empty", place, "the file is empty (0 bytes)", expected=expected, hint=again)
        elif head.startswith(LFS):
            problems.error("file-lfs-pointer", place, LFS_FOUND, expected=expected, hint=LFS_HINT)
        elif not head.startswith(MAGIC):
            what = next((name for magic, name in OTHER_FORMATS if head.startswith(magic)), None)
            found = what or ("plain text" if head.isascii() else "another format")
            problems.error("file-not-parquet", place, f"{found}, not Parquet", expected=expected, hint=again)
        elif tail != MAGIC:
            problems.error(
                "file-cut",
                place,
                "the file is cut short: its footer is missing",
                expected=expected,
                hint=again,
            )
        else:
            return _opened(file)
    except (OSError, ValueError, pa.ArrowException) as error:
        unreadable(problems, place, error)
    return None


def _opened(file: InputFile) -> pq.ParquetFile:
    """The file by its bytes, because a name need not be UTF-8.

    Where its writer left checksums, they are compared: a changed bit in a text is seen by nothing else. Texts that rows
    share are read once (`arrow.value_and_rows`), unless a row group is large: that is read through a buffer a column,
    so that memory follows its pages.
    """
    source = pa.OSFile(os.fsencode(file.path))
    found = pq.ParquetFile(source, pre_buffer=False)
    meta = found.metadata
    # Never a column's own metadata: where those are damaged, the library ends the process.
    sizes = [meta.row_group(n).total_byte_size for n in range(meta.num_row_groups)]
    large = max(sizes, default=0) > BATCH_BYTES
    texts = [field.name for field in found.schema_arrow if is_text(field.type) or is_bytes(field.type)]
    return pq.ParquetFile(
        source,
        metadata=meta,
        read_dictionary=[] if large else texts,
        buffer_size=max(BUFFER_MIN, min(BUFFER_MAX, BATCH_BYTES // max(1, meta.num_columns))) if large else 0,
        pre_buffer=False,
        page_checksum_verification=True,
    )


def _rows_at_a_time(meta: pq.RowGroupMetaData) -> int:
    """As many as fit, by the file's own statistics, which do not say how many rows share a value of a dictionary."""
    size: int = min(BATCH_ROWS, BATCH_BYTES * meta.num_rows // max(1, meta.total_byte_size))
    if meta.total_byte_size > BATCH_BYTES:
        size = min(size, SHARED_BYTES // meta.total_byte_size)
    return max(1, size)


def unreadable(problems: Problems, place: Place, error: Exception) -> None:
    """A fault that the Parquet library found, in its own words."""
    reason = " ".join(str(error).split()) or type(error).__name__  # cut where problems are added, after it is redacted
    problems.error(
        "file-unreadable",
        place,
        f"cannot be read: {reason}",
        expected="a Parquet file",
        hint="Write it again",
    )


def batches(file: pq.ParquetFile) -> Iterator[pa.RecordBatch]:
    """The rows in order, a bounded amount at a time: memory follows one batch, not the file.

    Raises ValueError where there are not as many as the file says: of a column that is damaged the library gives fewer
    values, and with them fewer rows, without a word.
    """
    groups = [file.metadata.row_group(group) for group in range(file.num_row_groups)]
    for number, meta in enumerate(groups):
        left = meta.num_rows
        for batch in file.iter_batches(batch_size=_rows_at_a_time(meta), row_groups=[number], use_threads=False):
            left -= batch.num_rows
            yield batch
        if left:
            found = f"and {meta.num_rows - left} can be read"
            raise ValueError(f"row group {number + 1} has {meta.num_rows} rows by its own account, {found}")
    told, read = file.metadata.num_rows, sum(meta.num_rows for meta in groups)
    if told != read:
        raise ValueError(f"the file has {told} rows by its own account, and its row groups have {read}")


def release() -> None:
    """Gives back the memory that reading took: the library keeps it, and each process that renders would have it."""
    pa.default_memory_pool().release_unused()


def column(file: pq.ParquetFile, name: str) -> Iterator[pa.Array]:
    """One column alone, a batch at a time; nothing where the file lacks it."""
    if name in file.schema_arrow.names:
        for batch in file.iter_batches(columns=[name], use_threads=False):
            yield batch.column(0)
