#!/usr/bin/env python3
"""Writes pocket.pdb: a made-up receptor, residues on a sphere that is open at the top, with their side chains inwards.

  examples/make_pocket.py >examples/pocket.pdb

It is no protein: no two residues are bonded. It is small, has a pocket in its middle, and belongs to nobody.
"""
import math

NUM_POINTS, RADIUS, OPEN_ABOVE = 72, 10.0, 0.72
#: Side chains beyond CB: name and element of an atom, its place from CB, inwards and to two sides, in angstrom.
SIDE_CHAINS = {
    "ALA": (),
    "SER": (("OG", "O", (0.5, 1.33, 0.0)),),
    "VAL": (("CG1", "C", (0.5, 1.25, 0.72)), ("CG2", "C", (0.5, -1.25, 0.72))),
    "ASP": (("CG", "C", (1.3, 0.8, 0.0)), ("OD1", "O", (1.5, 1.4, 1.05)), ("OD2", "O", (2.1, 0.6, -0.93))),
    "ASN": (("CG", "C", (1.3, 0.8, 0.0)), ("OD1", "O", (1.5, 1.4, 1.05)), ("ND2", "N", (2.1, 0.6, -1.0))),
}
ORDER = ("ALA", "VAL", "SER", "VAL", "ALA", "ASN", "VAL", "ALA", "SER", "VAL", "ASP")


def directions():
    """Points of a unit sphere at about equal distances, along a spiral."""
    for i in range(NUM_POINTS):
        z = 1 - (2 * i + 1) / NUM_POINTS
        if z > OPEN_ABOVE:
            continue
        angle, across = i * math.pi * (3 - math.sqrt(5)), math.sqrt(1 - z * z)
        yield across * math.cos(angle), across * math.sin(angle), z


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def atoms_of(residue, out):
    """Name, element and position of each atom; `out` points away from the middle of the pocket."""
    one = cross(out, (0.0, 0.0, 1.0))
    length = math.sqrt(sum(x * x for x in one))
    one = tuple(x / length for x in one)
    two = cross(out, one)

    def at(outwards, first, second):
        return tuple((RADIUS + outwards) * o + first * a + second * b for o, a, b in zip(out, one, two))

    yield "N", "N", at(0.5, 1.37, 0.0)
    yield "CA", "C", at(0.0, 0.0, 0.0)
    yield "C", "C", at(0.52, -1.43, 0.0)
    yield "O", "O", at(1.66, -1.43, 0.47)
    yield "CB", "C", at(-1.53, 0.0, 0.0)
    for name, element, (inwards, first, second) in SIDE_CHAINS[residue]:
        yield name, element, at(-1.53 - inwards, first, second)


def main():
    serial = 0
    for number, out in enumerate(directions(), 1):
        residue = ORDER[number % len(ORDER)]
        for name, element, (x, y, z) in atoms_of(residue, out):
            serial += 1
            print(f"ATOM  {serial:5}  {name:<3} {residue} A{number:4}    {x:8.3f}{y:8.3f}{z:8.3f}  1.00  0.00"
                  f"          {element:>2}")
    print("END")


if __name__ == "__main__":
    main()
