"""The Hub's client is imported when a fetch runs, and not before: an extra that may be missing, or may not start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitegen.config import hub_endpoint
from sitegen.errors import Refused

if TYPE_CHECKING:
    from sitegen.hub import Hub


def hub_client() -> type[Hub]:
    """The class `Hub`. Raises Refused where what it needs is not there, or cannot read its settings."""
    hub_endpoint()
    try:
        from sitegen.hub import Hub
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in ("huggingface_hub", "httpx2"):
            raise
        raise Refused(
            "fetching needs the package huggingface_hub, which is not installed. Install it with"
            ' `pip install -e ".[hub]"` in the folder of the repository, elsewhere with `pip install "sitegen[hub]"`'
        ) from None
    except ValueError:  # a number that is none, for instance
        raise Refused("the Hub's client cannot read one of the variables HF_…; correct or unset it") from None
    return Hub
