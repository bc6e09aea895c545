"""The set-up of docs/observability.md: its commands and files."""
import re

from harness import ROOT

PAGE = (ROOT / "docs/observability.md").read_text().split("## Set up Prometheus", 1)[1].split("\n## ", 1)[0]


def commands():
    """The lines of the shell, in their order."""
    return "".join(re.findall(r"```sh\n(.*?)```", PAGE, re.S)).splitlines()


def file(name):
    """The text of a file that the page shows."""
    return re.search(rf"```yaml\n# {re.escape(name)}.*?\n(.*?)```", PAGE, re.S).group(1)
