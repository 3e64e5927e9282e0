from __future__ import annotations

import pytest
import yaml
from dyngen.source import events


@pytest.fixture(params=["CSafeLoader", "SafeLoader"])
def loader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs a test on the C loader and on the Python one, which must not differ."""
    if not hasattr(yaml, request.param):
        pytest.skip("this build of PyYAML has no C loader")
    monkeypatch.setattr(events, "_LOADER", getattr(yaml, request.param))
