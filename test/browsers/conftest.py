"""The furnished shop of test/browser, for the tests with browsers and tools that come from npm."""
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test/browser"))

import importlib.util  # noqa: E402

_spec = importlib.util.spec_from_file_location("shop_fixtures", ROOT / "test/browser/conftest.py")
_module = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_module)
shop = _module.shop
