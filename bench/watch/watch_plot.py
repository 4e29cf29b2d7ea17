#!/usr/bin/env python3
"""Draws the section `rates` of a record of bench/run.sh watch: response times and busy threads over the rate of arrivals.

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


def panel(left, title, rates, values, y_ticks, logarithmic, label):
    """The lines of one picture: axes with ticks, and a line for each series."""
    bottom = TOP + HEIGHT
    x_ticks = decades(rates)
    x = Scale(x_ticks[0], x_ticks[-1], left, left + WIDTH, True)
    y = Scale(y_ticks[0], y_ticks[-1], bottom, TOP, logarithmic)
    lines = [f'<text x="{left + WIDTH / 2}" y="{TOP - 16}" text-anchor="middle" {TEXT}>{title}</text>',
             f'<text x="{left + WIDTH / 2}" y="{bottom + 36}" text-anchor="middle" {TEXT}>updates a second</text>']
    for tick in x_ticks:
        lines.append(f'<path d="M{x(tick):.1f} {TOP}V{bottom}" stroke="#ddd"/>'
                     f'<text x="{x(tick):.1f}" y="{bottom + 18}" text-anchor="middle" {TEXT}>{with_unit(tick)}</text>')
    for tick in y_ticks:
        lines.append(f'<path d="M{left} {y(tick):.1f}H{left + WIDTH}" stroke="#ddd"/>'
                     f'<text x="{left - 6}" y="{y(tick) + 4:.1f}" text-anchor="end" {TEXT}>{label(tick)}</text>')
    for name, _, colour, dashes in SERIES:
        points = " ".join(f"{x(rate):.1f},{y(value):.1f}" for rate, value in zip(rates, values[name]))
        lines.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2" '
                     f'stroke-dasharray="{dashes}"/>')
    return lines


def picture(rows):
    rates = [row["rate"] for row in rows]
    times = {name: [row[name]["start_p99_us"] for row in rows] for name, *_ in SERIES}
    busy = {name: [min(100, 100 * row[name]["busy"]) for row in rows] for name, *_ in SERIES}
    right = LEFT + WIDTH + GAP
    lines = panel(LEFT, "arrival to start, 99 of 100, microseconds", rates, times,
                  decades([value for values in times.values() for value in values]), True, with_unit)
    lines += panel(right, "busy threads, percent", rates, busy, [0, 25, 50, 75, 100], False, with_unit)
    for i, (_, title, colour, dashes) in enumerate(SERIES):
        left, height = LEFT + 190 * i, TOP + HEIGHT + 62
        lines.append(f'<path d="M{left} {height}h30" stroke="{colour}" stroke-width="2" stroke-dasharray="{dashes}"/>'
                     f'<text x="{left + 36}" y="{height + 4}" {TEXT}>{title}</text>')
    width, height = right + WIDTH + 20, TOP + HEIGHT + 80
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">',
                      f'<rect width="{width}" height="{height}" fill="white"/>', *lines, "</svg>"]) + "\n"


def main(record="bench/baselines/watch.json", target="docs/engines/watch.svg"):
    rows = json.loads(pathlib.Path(record).read_text())["rates"]
    if not rows:
        sys.exit(f"{record} has no rates: measure with the data folder (QUARRY_DATA)")
    pathlib.Path(target).write_text(picture(rows))


if __name__ == "__main__":
    main(*sys.argv[1:])
