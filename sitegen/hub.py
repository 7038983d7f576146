"""What a fetch asks of the Hugging Face Hub, and what its refusals mean. The only module that knows its client.

Never part of a build. A token comes from where the client looks for one (HF_TOKEN, `hf auth login`), goes to the Hub
alone, and is in no message: whatever ends a fetch, and whatever it says before that, is masked.
"""

from __future__ import annotations

import logging
import math
import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, Self, cast
from urllib.parse import urlsplit

import httpx2
import huggingface_hub
from huggingface_hub import HfApi, constants, errors
from huggingface_hub.hf_api import ModelInfo, RepoFile
from huggingface_hub.utils import logging as hub_logging

from sitegen import __version__
from sitegen.config import hub_endpoint
from sitegen.errors import BadInput, Refused, SitegenError, Unfinished, plain
from sitegen.fetched import HUB_ID
from sitegen.masks import mask_of
from sitegen.refusals import LOG_IN, REASON_MAX, broken, refusal
from sitegen.retry import BROKEN, Account, Patience, PatientClient

# Without Xet all bytes come by plain HTTP, under one set of rules for waits, cuts and messages; the files are small.
# Nothing is asked or told but what is fetched.
constants.HF_HUB_DISABLE_XET = True
constants.HF_HUB_DISABLE_TELEMETRY = True

COMMIT = re.compile(r"[0-9a-f]{40}")
SHA256 = re.compile(r"[0-9a-f]{64}")
ENTRIES_MAX = 100_000  # files of any kind in a dataset
SORTS = {"trending": "trending_score", "downloads": "downloads"}
SHOWN_SORTS = {"trending": "trending", "downloads": "downloads"}  # in the address of the Hub's own list
PATIENCE = Patience()
# What the client raises where an answer has not the shape that it expects.
MISSHAPEN = (ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)


class _Odd(ValueError):
    """What an answer holds that cannot be meant, in words of our own."""


@dataclass(frozen=True)
class Source:
    """A dataset at one commit."""

    id: str
    commit: str
    licence: str | None


@dataclass(frozen=True)
class RemoteFile:
    """A file of the dataset: its path, its bytes, and the hash that the Hub has of them.

    That is the SHA-256 of a large file and else the SHA-1 that Git makes of a blob, in hex.
    """

    path: str
    size: int
    digest: str


@dataclass(frozen=True)
class Listed:
    """A ranking as the Hub gave it: the moment of its answer and a record a model, best first."""

    taken_at: datetime
    models: tuple[dict[str, Any], ...]


class Hub:
    """The Hub, or the server that speaks its language at HF_ENDPOINT. Use it as a context manager."""

    def __init__(self, say: Callable[[str], None], patience: Patience | None = None) -> None:
        if constants.is_offline_mode():
            raise Refused("HF_HUB_OFFLINE is set, and a fetch needs the network; unset it")
        self.endpoint = hub_endpoint() or constants.ENDPOINT.rstrip("/")
        parts = urlsplit(self.endpoint)
        self.address = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()  # without a password
        token = huggingface_hub.get_token()
        if not re.fullmatch(r"[!-~]*", token or ""):
            raise Refused(f"the token holds a space, a letter with an accent or the like, as no token does; {LOG_IN}")
        self.mask = mask_of(token, parts.username, parts.password)
        self.account = Account(patience or PATIENCE, say, self.mask)
        self.cache = Path(constants.HF_HUB_CACHE)
        self.page: str | None = None  # of the repository that is asked for
        self.api = HfApi(endpoint=self.endpoint, library_name="sitegen", library_version=__version__)

    def __enter__(self) -> Self:
        self._verbosity = hub_logging.get_verbosity()
        hub_logging.set_verbosity(logging.CRITICAL)  # what matters is said in our words
        huggingface_hub.set_client_factory(lambda: PatientClient(self.account, self.endpoint))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            self.mask.hide(error)
        huggingface_hub.close_session()
        hub_logging.set_verbosity(self._verbosity)

    def dataset(self, dataset: str, revision: str) -> Source:
        """The dataset under the name that it has now, and the commit that a branch, tag or commit stands for."""
        self.page = f"{self.address}/datasets/{dataset}"
        with self._asking(f"the dataset {dataset} at {revision}"):
            info = self.api.dataset_info(dataset, revision=revision)
            licence = info.card_data.get("license") if info.card_data else None
            found = Source(info.id, cast(str, info.sha), plain(licence) if isinstance(licence, str) else None)
            if not (HUB_ID.fullmatch(found.id) and COMMIT.fullmatch(found.commit)):
                raise _Odd(f"found {found.id!r} at {found.commit!r}")
        return found

    def files(self, source: Source) -> list[RemoteFile]:
        """All files of the dataset, folders apart, whatever their names."""
        with self._asking(f"the files of {source.id}"):
            tree = self.api.list_repo_tree(source.id, repo_type="dataset", revision=source.commit, recursive=True)
            entries = list(islice(tree, ENTRIES_MAX + 1))
            if len(entries) > ENTRIES_MAX:
                raise BadInput(f"{source.id} has more than {ENTRIES_MAX:,} files")
            return [_remote_file(entry) for entry in entries if isinstance(entry, RepoFile)]

    def download(self, source: Source, file: RemoteFile, advance: Callable[[int], None], again: bool) -> Path:
        """The file in the client's cache, where what came whole stays for the next fetch; not yet checked.

        `again` fetches it even where it is there. `advance` takes the bytes as they come.
        """

        class Bar:
            """What the client takes for a progress bar."""

            def __init__(self, **_: Any) -> None:
                pass

            def __enter__(self) -> Self:
                return self

            def __exit__(self, *_: object) -> None:
                pass

            def update(self, count: int) -> None:
                advance(count)

        with self._asking(f"{file.path} of {source.id}"), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a disk that is nearly full: the error says it, if it comes to that
            path = self.api.hf_hub_download(
                source.id,
                file.path,
                repo_type="dataset",
                revision=source.commit,
                force_download=again,
                tqdm_class=cast(Any, Bar),
            )
        return Path(path)

    def ranking(self, kind: str, task: str, limit: int) -> Listed:
        """The first models of a ranking of one task. What the Hub does not give is None."""
        self.page = None
        with self._asking(f"the ranking of {task} by {kind}"):
            answers = self.api.list_models(
                pipeline_tag=task,
                sort=cast(Any, SORTS[kind]),
                limit=limit,
                expand=["downloads", "likes", "trendingScore", "gated", "lastModified", "private"],
            )
            first = next(answers := iter(answers), None)
            taken_at = self._moment()  # of the first page: later ones may come after waits
            infos = [*([first] if first else []), *answers]
            for info in infos:
                if not HUB_ID.fullmatch(info.id):
                    raise _Odd(f"found the id {info.id!r}")
        # A model can move onto the next page while the pages are read: its first place counts. One that only the owner
        # of the token can see is nobody else's business.
        models: dict[str, dict[str, Any]] = {}
        for info in infos:
            if not info.private:
                models.setdefault(info.id, _record(info))
        return Listed(taken_at, tuple(models.values()))

    def ranking_address(self, kind: str, task: str) -> str:
        return f"{self.address}/models?pipeline_tag={task}&sort={SHOWN_SORTS[kind]}"

    def id_now(self, model_id: str) -> str | None:
        """The id that the Hub leads to from this one; None where it has no such model, or shows it to nobody."""
        with self._asking(f"the model {model_id}"):
            try:
                found = self.api.model_info(model_id, expand=["likes"]).id
            except errors.HfHubHTTPError as error:
                if error.response.status_code in (401, 403, 404, 410, 451):
                    return None
                raise
            return found if HUB_ID.fullmatch(found) else None

    def _moment(self) -> datetime:
        """When the last answer was given, by the server's clock, or by this machine's where it has none."""
        try:
            return parsedate_to_datetime(self.account.date or "").astimezone(UTC)
        except (TypeError, ValueError, OverflowError):
            return datetime.now(UTC).replace(microsecond=0)

    @contextmanager
    def _asking(self, what: str) -> Iterator[None]:
        """Says in plain words, with the right exit code, why something could not be had."""
        try:
            yield
        except SitegenError:
            raise
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError, errors.EntryNotFoundError) as error:
            raise self._told(error, what) from None
        except MISSHAPEN as error:
            raise self._misshapen(error, what) from None

    def _misshapen(self, error: Exception, what: str) -> BadInput:
        """What the client or Python raise names their own variables, not the answer: only our own words are quoted."""
        found = f" ({self.mask.quoted(str(error), REASON_MAX)})" if isinstance(error, _Odd) else ""
        return BadInput(f"{what}: the Hub's answer cannot be read, it has not the form of the Hub's{found}")

    def _told(self, error: Exception, what: str) -> SitegenError:
        cause = error.__cause__
        if isinstance(error, errors.LocalEntryNotFoundError) and isinstance(cause, Exception):
            error = cause  # the client looked for the file in its cache after that
        if isinstance(error, errors.HfHubHTTPError):
            return refusal(error.response, what, self.address, self.page, self.mask)
        if isinstance(error, httpx2.DecodingError):
            return self._misshapen(error, what)
        if isinstance(error, BROKEN):
            trouble = broken(error, urlsplit(self.address).hostname or "", self.mask)
            return Unfinished(f"{what}: {trouble}; try again later")
        if isinstance(error, OSError) and error.errno is not None:
            return Unfinished(f"{error.filename or what}: {error.strerror}")
        first_line = self.mask.quoted(str(error).strip().split("\n")[0], REASON_MAX) or type(error).__name__
        if isinstance(error, OSError) and not isinstance(error, errors.FileMetadataError):
            return Unfinished(f"{what}: {first_line}; try again later")  # a file that did not come whole
        hint = "check HF_ENDPOINT and the settings of the proxy"
        return BadInput(f"{what}: {self.address} does not answer as the Hub does; {hint} ({first_line})")


def _remote_file(entry: RepoFile) -> RemoteFile:
    size, digest = (entry.lfs.size, entry.lfs.sha256) if entry.lfs else (entry.size, entry.blob_id)
    # The client takes what it gets, whatever its own types say.
    path: object = entry.path
    if not isinstance(path, str) or type(size) is not int or size < 0:
        raise _Odd(f"found the file {path!r} of {size!r} bytes")
    if not (SHA256 if entry.lfs else COMMIT).fullmatch(digest):
        raise _Odd(f"{path}: found the hash {digest!r}")
    return RemoteFile(path, size, digest)


def _record(info: ModelInfo) -> dict[str, Any]:
    """A model as a snapshot has it."""
    score: Any = info.trending_score
    moment = info.last_modified
    return {
        "id": info.id,
        "downloads": _count(info.downloads),
        "likes": _count(info.likes),
        "trending_score": score if type(score) in (int, float) and math.isfinite(score) else None,
        "gated": info.gated if info.gated in (False, "auto", "manual") else None,
        "last_modified": f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}" if isinstance(moment, datetime) else None,
    }


def _count(value: object) -> int | None:
    return value if type(value) is int and value >= 0 else None
