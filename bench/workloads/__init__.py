"""What is measured: one file per workload, each with cases(bench) and ROUNDS, its most rounds."""
from dataclasses import dataclass
from typing import Callable


@dataclass
class Case:
    name: str                 # as in messages: what is done by whom
    run: Callable[[], str]    # measures once, adds to the results, and says the figure
