#!/usr/bin/env python3
"""Draws the sections `rates` and `versions` of a record of bench/run.sh watch: response times and busy threads over the rate of
arrivals, and old versions of rows over time.

  bench/watch/watch_plot.py [bench/baselines/watch.json [docs/engines/watch.svg]]
"""
import json
import math
import pathlib
import sys

SERIES = (("watch", "watch", "#1b6ca8", ""), ("fixed_128", "batches of 128", "#c4572b", "7 3"),
          ("fixed_4096", "batches of 4096", "#5a8a3a", "2 3"))
WIDTH, HEIGHT, LEFT, TOP, GAP = 300, 220, 70, 40, 90
TEXT = 'font-family="sans-serif" font-size="12" fill="#222"'


class Scale:
    """From numbers to places, by logarithms or not."""

    def __init__(self, low, high, begin, end, logarithmic):
        self.of = math.log10 if logarithmic else float
        self.low, self.high, self.begin, self.end = self.of(low), self.of(high), begin, end

    def __call__(self, number):
        return self.begin + (self.of(number) - self.low) / (self.high - self.low) * (self.end - self.begin)


def decades(numbers):
    low, high = (math.floor(math.log10(min(numbers))), math.ceil(math.log10(max(numbers))))
    return [10.0**exponent for exponent in range(low, high + 1)]


def with_unit(number):
    for factor, suffix in ((1e6, "M"), (1e3, "k")):
        if number >= factor:
            return f"{number / factor:g}{suffix}"
    return f"{number:g}"


def steps_to(most):
    """From 0 to at least `most`, in four or five round steps."""
    step = next(digit * 10**power for power in range(12) for digit in (1, 2, 5) if digit * 10**power * 5 >= most)
    return [step * i for i in range(6) if step * (i - 1) < most]


class Axis:
    def __init__(self, title, ticks, logarithmic):
        self.title, self.ticks, self.logarithmic = title, ticks, logarithmic

    def scale(self, begin, end):
        return Scale(self.ticks[0], self.ticks[-1], begin, end, self.logarithmic)


def panel(left, title, across, up, places, values):
    """The lines of one picture: axes with ticks, and a line for each series. @param values  by the name of a series"""
    bottom = TOP + HEIGHT
    x, y = across.scale(left, left + WIDTH), up.scale(bottom, TOP)
    lines = [f'<text x="{left + WIDTH / 2}" y="{TOP - 16}" text-anchor="middle" {TEXT}>{title}</text>',
             f'<text x="{left + WIDTH / 2}" y="{bottom + 36}" text-anchor="middle" {TEXT}>{across.title}</text>']
    for tick in across.ticks:
        lines.append(f'<path d="M{x(tick):.1f} {TOP}V{bottom}" stroke="#ddd"/>'
                     f'<text x="{x(tick):.1f}" y="{bottom + 18}" text-anchor="middle" {TEXT}>{with_unit(tick)}</text>')
    for tick in up.ticks:
        lines.append(f'<path d="M{left} {y(tick):.1f}H{left + WIDTH}" stroke="#ddd"/>'
                     f'<text x="{left - 6}" y="{y(tick) + 4:.1f}" text-anchor="end" {TEXT}>{with_unit(tick)}</text>')
    for name, _, colour, dashes in SERIES:
        points = " ".join(f"{x(place):.1f},{y(value):.1f}" for place, value in zip(places, values.get(name, ())))
        lines.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2" '
                     f'stroke-dasharray="{dashes}"/>')
    return lines


def picture(rows, versions):
    rates = [row["rate"] for row in rows]
    times = {name: [row[name]["start_p99_us"] for row in rows] for name, *_ in SERIES}
    busy = {name: [min(100, 100 * row[name]["busy"]) for row in rows] for name, *_ in SERIES}
    across = Axis("updates a second", decades(rates), True)
    all_times = decades([value for values in times.values() for value in values])
    lefts = [LEFT + (WIDTH + GAP) * i for i in range(3)]
    lines = panel(lefts[0], "arrival to start, 99 of 100, microseconds", across, Axis("", all_times, True), rates, times)
    lines += panel(lefts[1], "busy threads, percent", across, Axis("", [0, 25, 50, 75, 100], False), rates, busy)
    seconds = Axis("seconds", [0.1 * i for i in range(math.ceil(10 * versions["seconds"][-1]) + 1)], False)
    alive = Axis("", steps_to(max(versions["alive"])), False)
    lines += panel(lefts[2], "old versions of rows, updates all at once", seconds, alive, versions["seconds"], {"watch": versions["alive"]})
    for i, (_, title, colour, dashes) in enumerate(SERIES):
        left, height = LEFT + 190 * i, TOP + HEIGHT + 62
        lines.append(f'<path d="M{left} {height}h30" stroke="{colour}" stroke-width="2" stroke-dasharray="{dashes}"/>'
                     f'<text x="{left + 36}" y="{height + 4}" {TEXT}>{title}</text>')
    width, height = lefts[2] + WIDTH + 20, TOP + HEIGHT + 80
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">',
                      f'<rect width="{width}" height="{height}" fill="white"/>', *lines, "</svg>"]) + "\n"


def main(record="bench/baselines/watch.json", target="docs/engines/watch.svg"):
    sections = json.loads(pathlib.Path(record).read_text())
    if not sections["rates"] or not sections["versions"]:
        sys.exit(f"{record} has no rates: measure with the data folder (QUARRY_DATA)")
    pathlib.Path(target).write_text(picture(sections["rates"], sections["versions"]))


if __name__ == "__main__":
    main(*sys.argv[1:])
