"""Tests with Patroni and etcd; make check-patroni installs and runs them."""
import channels
import pytest


@pytest.fixture(scope="module")
def provider(tmp_path_factory):
    folder = tmp_path_factory.mktemp("certificates")
    folder.chmod(0o755)
    with channels.start_provider(folder) as provider:
        yield provider
