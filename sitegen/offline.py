"""`site.zip`: the whole site as one file, to be unpacked anywhere and read without a server.

The same files give the same bytes: in the order of their paths, with fixed dates and modes. Paths are legal on every
system (`urls.py` sees to that) and at most 200 characters long.
"""

from __future__ import annotations

import filecmp
from collections.abc import Iterable
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from sitegen import urls
from sitegen.archives import entry
from sitegen.write import Stage


def pack(stage: Stage, paths: Iterable[str]) -> bool:
    """Puts the archive of these files on the stage unless the target has it with the same bytes. Whether it changed."""
    target = Path(stage.place(urls.ZIP))
    with ZipFile(target, "x", ZIP_DEFLATED, compresslevel=6) as archive:
        for path in sorted(paths):
            archive.writestr(entry(path), stage.read(path), ZIP_DEFLATED)
    if stage.held(urls.ZIP, target.stat().st_size) and filecmp.cmp(stage.out / urls.ZIP, target, shallow=False):
        target.unlink()
        return False
    return True
