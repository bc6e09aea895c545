"""Tests with Patroni and etcd; make check-patroni installs and runs them."""
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "e2e"))
import channels  # noqa: E402


@pytest.fixture(scope="module")
def provider(tmp_path_factory):
    folder = tmp_path_factory.mktemp("certificates")
    folder.chmod(0o755)
    with channels.start_provider(folder) as provider:
        yield provider
