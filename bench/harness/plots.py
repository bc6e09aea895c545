"""Throughput over time as SVG, by gnuplot."""
import shutil
import subprocess


def draw(series, folder):
    """One picture per offered rate; returns their paths."""
    if not series or not shutil.which("gnuplot"):
        return []
    folder.mkdir(parents=True, exist_ok=True)
    return [_draw_one(rate, lines, folder / f"pinned-{rate}.svg") for rate, lines in series.items()]


def _draw_one(rate, lines, path):
    blocks = "".join(f"${'d%d' % i} << EOD\n" + "\n".join(f"{x} {y}" for x, y in points) + "\nEOD\n"
                     for i, points in enumerate(lines.values()))
    plots = ", ".join(f"$d{i} using 1:2 with lines lw 2 title '{name}'" for i, name in enumerate(lines))
    script = f"""set terminal svg size 900,420 dynamic background '#ffffff' font 'sans,12'
set output '{path}'
set title 'A snapshot is kept open; {int(rate):,} no-op jobs per second are offered'
set xlabel 'seconds'
set ylabel 'jobs done per second'
set yrange [0:{int(rate) * 1.4:.0f}]
set grid ytics
set key below
{blocks}plot {plots}
"""
    subprocess.run(["gnuplot"], input=script, text=True, check=True, timeout=60)
    return path
