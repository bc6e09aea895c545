"""The one table, for the terminal and for docs/benchmarks.md."""
from harness.results import COLUMNS

HEADS = {"wal": "WAL B", "commits": "commits", "worker_cpu": "worker us", "server_cpu": "server us", "rss": "MB",
         "connections": "conns"}


def number(value):
    """Three or four digits that matter."""
    if value is None:
        return ""
    if value == int(value) and abs(value) < 100:
        return str(int(value))
    if abs(value) >= 100:
        return f"{value:,.0f}"
    if abs(value) >= 10:
        return f"{value:.1f}"
    return f"{value:.2f}" if abs(value) >= 0.1 else f"{value:.3f}"


def rows_of(results, group):
    """Cells of a group: name, median, spread, ratio, costs."""
    base = results.median(group.title, group.baseline) if group.baseline else None
    for name, values in group.samples.items():
        value = results.median(group.title, name)
        spread = f"{number(min(values))} - {number(max(values))}" if len(values) > 1 else ""
        ratio = "1" if name == group.baseline else (f"{value / base:.2f}" if base else "")
        yield [name, number(value), spread, ratio, *(number(results.cost(group.title, name, c)) for c in COLUMNS)]


def head_of(group):
    ratio = "ratio" if group.baseline else ""
    return [f"{group.title} ({group.unit})", "median", "min - max", ratio, *(HEADS[c] for c in COLUMNS)]


def text_table(results):
    lines = []
    for group in results.groups.values():
        table = [head_of(group), *rows_of(results, group)]
        wide = [max(len(r[i]) for r in table) for i in range(len(table[0]))]
        wide[0] = max(wide[0], 56)
        for i, row in enumerate(table):
            first = row[0] if i == 0 else "  " + row[0]
            lines.append("  ".join([first.ljust(wide[0] + 2), *(c.rjust(w) for c, w in zip(row[1:], wide[1:]))]).rstrip())
        if group.baseline:
            lines.append(f"  ratio: to {group.baseline}")
        lines.append("")
    return "\n".join(lines)


def markdown_table(results):
    lines = []
    for group in results.groups.values():
        ratio = f"ratio to {group.baseline}" if group.baseline else "ratio"
        lines.append(f"### {group.title}\n")
        lines.append(f"| {group.unit} | median | min - max | {ratio} | " + " | ".join(HEADS[c] for c in COLUMNS) + " |")
        lines.append("|---|" + "---:|" * (3 + len(COLUMNS)))
        lines += ["| " + " | ".join(row) + " |" for row in rows_of(results, group)]
        lines.append("")
    return "\n".join(lines)


def targets_text(rows):
    return "\n".join(f"  {verdict:12}  {what:66}  {number(value) or '-':>8}  (wanted {wanted})"
                     for what, value, wanted, verdict in rows)


def targets_markdown(rows):
    lines = ["| target | wanted | measured | |", "|---|---|---:|---|"]
    lines += [f"| {what} | {wanted} | {number(value) or '-'} | {verdict} |" for what, value, wanted, verdict in rows]
    return "\n".join(lines)


def problems_text(problems):
    return "\n".join(f"  {what}: {why}" for what, why in problems)
