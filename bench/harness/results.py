"""Samples of all rounds, kept by group (one question, one unit) and name (who was measured)."""
from dataclasses import dataclass, field
from statistics import median

COLUMNS = ("wal", "commits", "worker_cpu", "server_cpu", "rss", "connections")


@dataclass
class Group:
    title: str
    unit: str
    baseline: str | None  # the name that ratios refer to
    samples: dict = field(default_factory=dict)  # name -> values, one per round
    costs: dict = field(default_factory=dict)    # name -> column -> values


class Results:
    def __init__(self):
        self.groups = {}
        self.problems = []  # (what, why)
        self.series = {}    # title -> name -> [(second, tasks per second)]

    def add(self, title, name, value, unit="/s", baseline=None, **costs):
        group = self.groups.setdefault(title, Group(title, unit, baseline))
        group.samples.setdefault(name, []).append(value)
        for column, cost in costs.items():
            group.costs.setdefault(name, {}).setdefault(column, []).append(cost)

    def problem(self, what, why):
        if (what, why) not in self.problems:
            self.problems.append((what, why))

    def median(self, title, name):
        """None: not measured."""
        group = self.groups.get(title)
        return median(group.samples[name]) if group and name in group.samples else None

    def cost(self, title, name, column):
        values = self.groups[title].costs.get(name, {}).get(column)
        return median(values) if values else None

    def peak_memory(self, prefix):
        """The largest resident size in any round of any group, of names that start so."""
        return max((v for g in self.groups.values() for n, c in g.costs.items() if n.startswith(prefix)
                    for v in c.get("rss", [])), default=None)
