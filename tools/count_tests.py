#!/usr/bin/env python3
"""Counts the tests of the last run of ctest in a build folder: count_tests.py BUILD

A test of ctest may be a suite of a gtest program, whose output says what became of each test in it; any other counts as
one. Prints a line for each test that failed or was skipped, and at the end "PASSED FAILED SKIPPED"."""
import re
import sys
from pathlib import Path

RESULT = re.compile(r"^\[ *(OK|FAILED|SKIPPED|RUN) *\] ([^\s,(]+\.[^\s,(]+)", re.MULTILINE)
STATUS = {"Test Passed.": "OK", "Skip regular expression": "SKIPPED"}  # what ctest says after the output


def outcomes(name, output, status):
    """What became of each test: {name: "OK", "FAILED" or "SKIPPED"}. One that only began has failed."""
    found = {}
    for result, test in RESULT.findall(output):
        found[test] = "FAILED" if result == "RUN" else result
    # A program can also fail when all its tests have ended, or before the first.
    if not found or (status == "FAILED" and "FAILED" not in found.values()):
        found[name] = status
    return found


def main():
    text = Path(sys.argv[1], "Testing/Temporary/LastTest.log").read_text(errors="replace")
    counts = dict.fromkeys(("OK", "FAILED", "SKIPPED"), 0)
    for run in re.split(r"^\d+/\d+ Testing: ", text, flags=re.MULTILINE)[1:]:
        name = run.split("\n", 1)[0]
        output, _, end = run.partition("\n<end of output>\n")
        status = next((status for said, status in STATUS.items() if "\n" + said in "\n" + end), "FAILED")
        for test, result in outcomes(name, output, status).items():
            counts[result] += 1
            if result != "OK":
                print(f"{result}: {test}")
    print(*counts.values())


if __name__ == "__main__":
    main()
