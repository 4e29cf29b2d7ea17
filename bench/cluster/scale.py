#!/usr/bin/env python3
"""How long large libraries take on many cores, from measured costs of units of work: a model and a simulation.

  bench/cluster/scale.py COSTS.tsv [--plot scale.svg] [--check]

COSTS.tsv has a row for each unit that was measured on one core, `molecules seconds`: `quarry work --shard` of a job whose
shards have 8,192 molecules. The model says time = molecules x mean cost / cores + the last unit. The simulation draws unit
costs with replacement, seed 1, and hands units to cores as they become free, or all at the start (static). --check ends with
1 where the simulation of units is more than 2 % from the model.
"""
import argparse
import heapq
import random
import sys

UNIT = 8192
SIZES = (10**6, 10**7, 10**8, 10**9, 10**10)
MACHINES = (("64 cores", 64), ("100 nodes of 64 cores", 6400))
SIMULATED = 10**9  # 10^10 molecules are a million units on 6,400 cores: the same picture, ten times as slow


def read_costs(path):
    with open(path) as file:
        rows = [line.split() for line in file if line.strip() and not line.startswith("#")]
    return [float(seconds) / int(molecules) for molecules, seconds in rows if int(molecules) > 0]


def model(molecules, cores, costs):
    """Seconds: all cores are busy until the last unit, which is on average half done when the others end."""
    mean = sum(costs) / len(costs)
    return molecules * mean / cores + UNIT * max(costs) / 2


def simulate(molecules, cores, costs, slow_share=0.0, dynamic=True, seed=1):
    """Seconds until the last core ends, and the ideal: work divided by speed. A slow core has half the speed."""
    draw = random.Random(seed)
    speeds = [0.5 if draw.random() < slow_share else 1.0 for _ in range(cores)]
    units = [UNIT * draw.choice(costs) for _ in range(-(-molecules // UNIT))]
    ideal = sum(units) / sum(speeds)
    if not dynamic:
        return max(sum(units[core::cores]) / speed for core, speed in enumerate(speeds)), ideal
    free = [(0.0, core) for core in range(cores)]
    end = 0.0
    for cost in units:
        time, core = heapq.heappop(free)
        time += cost / speeds[core]
        end = max(end, time)
        heapq.heappush(free, (time, core))
    return end, ideal


def duration(seconds):
    for unit, length in (("days", 86400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.1f} {unit}"
    return f"{seconds:.1f} seconds"


def plot(path, costs):
    """Seconds over molecules, both by powers of ten, a line for each machine."""
    width, height, left, top = 560, 320, 70, 20
    low, high = -1, 7

    def place(molecules_log, seconds):
        import math
        x = left + (molecules_log - 6) / 4 * (width - left - 20)
        y = top + (high - math.log10(max(seconds, 10**low))) / (high - low) * (height - top - 50)
        return x, y

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
             f'font-size="12"><rect width="{width}" height="{height}" fill="white"/>']
    for power in range(6, 11):
        x = place(power, 1)[0]
        parts.append(f'<path d="M{x:.1f} {top}V{height - 50}" stroke="#ddd"/><text x="{x:.1f}" y="{height - 32}" '
                     f'text-anchor="middle">10<tspan dy="-5" font-size="9">{power}</tspan></text>')
    for seconds, name in ((1, "1 s"), (60, "1 min"), (3600, "1 h"), (86400, "1 day"), (2592000, "30 days")):
        y = place(6, seconds)[1]
        parts.append(f'<path d="M{left} {y:.1f}H{width - 20}" stroke="#ddd"/><text x="{left - 6}" y="{y + 4:.1f}" '
                     f'text-anchor="end">{name}</text>')
    for (name, cores), colour in zip((("1 core", 1),) + MACHINES, ("#888", "#1f77b4", "#d62728")):
        points = [place(6 + index, model(size, cores, costs)) for index, size in enumerate(SIZES)]
        line = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        x, y = points[2]
        parts.append(f'<path d="M{line}" fill="none" stroke="{colour}" stroke-width="2"/>'
                     f'<text x="{x + 6:.1f}" y="{y + 16:.1f}" fill="{colour}">{name}</text>')
    parts.append(f'<text x="{(width + left) / 2}" y="{height - 10}" text-anchor="middle">molecules</text></svg>\n')
    with open(path, "w") as file:
        file.write("\n".join(parts))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("costs")
    parser.add_argument("--plot")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    costs = read_costs(options.costs)
    mean = sum(costs) / len(costs)
    print(f"{len(costs)} units; {mean * 1e6:.2f} microseconds of one core a molecule, "
          f"{min(costs) * 1e6:.2f} to {max(costs) * 1e6:.2f}")
    print("molecules\tcores\tmodel")
    for size in SIZES[3:]:
        for name, cores in MACHINES:
            print(f"{size:.0e}\t{name}\t{duration(model(size, cores, costs))}")
    worst = 0.0
    print("\nsimulated with 1e9 molecules: time over the ideal\ncores\tslow\tunits as cores become free\tall at the start")
    for name, cores in MACHINES:
        for slow in (0.0, 0.01):
            end, ideal = simulate(SIMULATED, cores, costs, slow)
            fixed, _ = simulate(SIMULATED, cores, costs, slow, dynamic=False)
            print(f"{name}\t{slow:.0%}\t{end / ideal:.3f}\t{fixed / ideal:.3f}")
            if slow == 0:
                worst = max(worst, abs(end / model(SIMULATED, cores, costs) - 1))
    if options.plot:
        plot(options.plot, costs)
    if options.check and worst > 0.02:
        print(f"the model is {worst:.1%} from the simulation", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
