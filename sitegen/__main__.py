"""The command. A build that has nothing to do is over before the rest is imported: that is most of its time."""

from __future__ import annotations

import gc
import os
import sys

from sitegen.unchanged import nothing_to_do


def main() -> None:
    found = nothing_to_do(sys.argv[1:])
    if found is None:
        # Almost nothing of what a build makes is garbage in circles, and to look for it takes a tenth of the time.
        gc.set_threshold(50_000, 20, 100)
        # The Parquet library keeps a thread for its memory otherwise, and a process with several cannot be copied.
        os.environ.setdefault("JE_ARROW_MALLOC_CONF", "background_thread:false")
        from sitegen.cli import main as whole

        whole()
        return
    said, summary = found
    if said:
        sys.stderr.write(f"{said}\n")
    if summary:
        sys.stdout.write(f"{summary}, nothing had changed\n")


if __name__ == "__main__":
    main()
