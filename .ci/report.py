#!/usr/bin/env python3
"""What ends a run of CI: report.py FOLDER [--seed N].

FOLDER has `steps.tsv` (name, seconds, exit status, seconds of processor time), `NAME.log` of each step, and the JUnit reports `*.xml` of test runners.
A run that passed: the time of each step, the slowest test programs and tests, and the sum. One that failed, in at most
thirty lines: the step, each failing test with the first line of its panic, the seed, and the sum.
"""

import argparse
import collections
import dataclasses
import pathlib
import re
import xml.etree.ElementTree

LINES = 30
SLOWEST = 10


@dataclasses.dataclass(frozen=True)
class Test:
    """A test as its runner reported it; `reason` is None where it did not fail."""

    program: str
    name: str
    seconds: float
    skipped: bool
    reason: str | None


def first_line(text):
    """The line of a failure's output that says most: a panic's message, pytest's `E`, or the first."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    for number, line in enumerate(lines):
        if "panicked at" in line:
            place = re.search(r"panicked at ([^\s,]+?):?$", line)
            message = lines[number + 1] if number + 1 < len(lines) else ""
            return f"{place.group(1)}: {message}" if place else line
        if line.startswith("E  "):
            return line[3:].strip()
    return lines[0] if lines else "no output"


def of_junit(path):
    """The tests of a JUnit report: nextest's have a suite a program, pytest's a class a file."""
    tests = []
    for suite in xml.etree.ElementTree.parse(path).getroot().iter("testsuite"):
        for case in suite.iter("testcase"):
            wrong = [kind for kind in ("failure", "error") if case.find(kind) is not None]
            reason = None
            if wrong:
                failure = case.find(wrong[0])
                texts = [failure.text, case.findtext("system-err"), case.findtext("system-out"), failure.get("message")]
                said = [text for text in texts if text]
                told = [text for text in said if "panicked at" in text or "\nE  " in text]
                reason = first_line((told or said or [""])[0])
            program = case.get("classname") if suite.get("name") == "pytest" else suite.get("name")
            tests.append(
                Test(program, case.get("name"), float(case.get("time") or 0), case.find("skipped") is not None, reason)
            )
    return tests


def of_libtest(path):
    """The tests of logs that libtest wrote, as it does for examples in docs."""
    text = path.read_text(errors="replace")
    outputs = dict(re.findall(r"^---- (.+?) stdout ----\n(.*?)(?=^---- |^failures:|\Z)", text, re.M | re.S))
    tests = []
    for name, result in re.findall(r"^test (.+?) \.\.\. (ok|FAILED|ignored)", text, re.M):
        reason = first_line(outputs.get(name, "")) if result == "FAILED" else None
        tests.append(Test(path.stem, name, 0.0, result == "ignored", reason))
    return tests


def clipped(line):
    """A line that fits a screen."""
    return line if len(line) <= 200 else line[:197] + "..."


def of_failed_step(log):
    """The lines of a step's log that say why it failed, where no test does."""
    lines = [line.rstrip() for line in log.read_text(errors="replace").splitlines() if line.strip()]
    wrong = [line for line in lines if re.match(r"error|\s*--> |failed |fatal|ivy: |.*(rror:|: there is no|No space left)", line)]
    return (wrong or lines)[-12:]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seed", default="1")
    arguments = parser.parse_args()
    folder = arguments.folder
    tests = [test for path in sorted(folder.glob("*.xml")) for test in of_junit(path)]
    tests += [test for path in sorted(folder.glob("*.log")) for test in of_libtest(path)]
    steps = [line.split("\t") for line in (folder / "steps.tsv").read_text().splitlines()]
    failed = [test for test in tests if test.reason is not None]
    broken = [name for name, _, status, _ in steps if status != "0"]
    skipped = sum(test.skipped for test in tests)
    total = f"{len(tests) - len(failed) - skipped} passed, {len(failed)} failed, {skipped} skipped"

    if broken:
        print(f"FAILED: step `{broken[0]}` (IVY_TEST_SEED={arguments.seed}, log {folder / broken[0]}.log)")
        told = [f"  {test.program} {test.name}: {test.reason}" for test in failed]
        told = told or [f"  {line}" for line in of_failed_step(folder / f"{broken[0]}.log")]
        most = LINES - 3
        print(*map(clipped, told[:most]), sep="\n")
        if len(told) > most:
            print(f"  and {len(told) - most} more")
        print(total)
        return

    print("seconds of each step, and of its processors' time:")
    for name, seconds, _, busy in steps:
        print(f"{int(seconds):6} {int(busy):6} {name}")
    programs = collections.Counter()
    for test in tests:
        programs[test.program] += test.seconds
    print("slowest test programs (s, of all their tests):")
    for program, seconds in programs.most_common(SLOWEST):
        print(f"{seconds:6.1f} {program}")
    print("slowest tests (s):")
    for test in sorted(tests, key=lambda test: -test.seconds)[:SLOWEST]:
        print(f"{test.seconds:6.1f} {test.program} {test.name}")
    print(f"all steps: {sum(int(seconds) for _, seconds, *_ in steps)} s (seed {arguments.seed})")
    print(total)


if __name__ == "__main__":
    main()
