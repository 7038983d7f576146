"""Input cases: how they are made, and what is right for each."""

import pytest

pytest.register_assert_rewrite("tests.cases.checks", "tests.cases.site")
