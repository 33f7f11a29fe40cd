"""CI's own scripts: how a run ends (`report.py`), which files of a clone count as unchanged (`mtimes.py`), and pages of docs (`rustdoc`)."""

import os
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).parent
NEXTEST = """<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="nextest-run" tests="3" failures="1">
  <testsuite name="ivy-core" tests="3" failures="1">
    <testcase name="shape::ok" classname="ivy-core" time="0.5"/>
    <testcase name="shape::left" classname="ivy-core" time="0"><skipped/></testcase>
    <testcase name="shape::bad" classname="ivy-core" time="2.25">
      <failure message="thread panicked" type="test failure with exit code 101">test failed</failure>
      <system-err>
thread 'shape::bad' (1) panicked at ivy-core/src/shape.rs:10:5:
assertion `left == right` failed: of 2 x 3
  left: 5</system-err>
    </testcase>
  </testsuite>
</testsuites>"""
PYTEST = """<testsuites><testsuite name="pytest" tests="2">
  <testcase classname="tests.test_nests" name="test_fine" time="0.25"/>
  <testcase classname="tests.test_nests" name="test_wrong" time="0.5"><failure message="assert 1 == 2">def test_wrong():
>       assert 1 == 2
E       assert 1 == 2</failure></testcase>
</testsuite></testsuites>"""
DOCTESTS = """test src/lib.rs - add (line 3) ... ok
test src/lib.rs - mul (line 9) ... FAILED

failures:

---- src/lib.rs - mul (line 9) stdout ----
Test executable failed (exit status: 101).
thread 'main' (1) panicked at src/lib.rs:4:1:
no result

failures:
    src/lib.rs - mul (line 9)
"""


def ending(folder, steps, **files):
    (folder / "steps.tsv").write_text("".join(f"{name}\t{seconds}\t{status}\t{2 * seconds}\n" for name, seconds, status in steps))
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text)
    command = [sys.executable, HERE / "report.py", folder, "--seed", "7"]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()


def test_failing_tests_are_named_with_what_they_said(tmp_path):
    lines = ending(tmp_path, [("build", 9, 0), ("tests", 4, 1)], ci_xml=NEXTEST, pytest_xml=PYTEST, docs_log=DOCTESTS)
    assert lines[0].startswith("FAILED: step `tests` (IVY_TEST_SEED=7, log ")
    assert lines[1:] == [
        "  ivy-core shape::bad: ivy-core/src/shape.rs:10:5: assertion `left == right` failed: of 2 x 3",
        "  tests.test_nests test_wrong: assert 1 == 2",
        "  docs src/lib.rs - mul (line 9): src/lib.rs:4:1: no result",
        "3 passed, 3 failed, 1 skipped",
    ]


def test_a_step_without_tests_says_its_errors_in_at_most_thirty_lines(tmp_path):
    log = "   Compiling x\n" + "error[E0308]: mismatched types\n  --> src/x.rs:1:2\n" * 40
    lines = ending(tmp_path, [("build", 9, 101)], build_log=log)
    assert len(lines) <= 30
    assert lines[0].startswith("FAILED: step `build`")
    assert "  error[E0308]: mismatched types" in lines and "Compiling" not in "".join(lines)


def test_a_run_that_passed_ends_with_its_sum(tmp_path):
    passing = NEXTEST[: NEXTEST.index('    <testcase name="shape::bad"')] + "</testsuite></testsuites>"
    lines = ending(tmp_path, [("build", 90, 0), ("tests", 4, 0)], ci_xml=passing)
    assert lines[1:3] == ["    90    180 build", "     4      8 tests"]
    assert lines[-2:] == ["all steps: 94 s (seed 7)", "1 passed, 0 failed, 1 skipped"]


def stepped(folder, script):
    """What a script of steps prints, and the names and ends of its steps."""
    variables = {name: value for name, value in os.environ.items() if name != "IVY_CI_FOLDER"} | {"CARGO_TARGET_DIR": str(folder)}
    text = f"set -euo pipefail\n. {HERE}/steps.sh\n{script}\nreport"
    run = subprocess.run(["bash", "-c", text], env=variables, stdout=subprocess.PIPE, text=True)
    rows = [row.split("\t") for row in (folder / "ci/steps.tsv").read_text().splitlines()]
    return run, [(row[0], row[2]) for row in rows]


def test_a_step_in_the_background_ends_with_the_next(tmp_path):
    run, rows = stepped(tmp_path, 'in_background slow sh -c "sleep 1; echo slept"\nstep quick echo said\nstep last true')
    assert run.returncode == 0 and rows == [("quick", "0"), ("slow", "0"), ("last", "0")]
    lines = [line for line in run.stdout.splitlines() if line in ("said", "slept") or line.endswith(" s") and line.startswith("==> ")]
    assert [line.split(":")[0] for line in lines] == ["said", "==> quick", "slept", "==> slow", "==> last"]
    run, rows = stepped(tmp_path, "in_background wrong false\nstep quick true\nstep never true")
    assert run.returncode == 1 and rows == [("quick", "0"), ("wrong", "1")] and "FAILED: step `wrong`" in run.stdout
    run, rows = stepped(tmp_path, "in_background long sleep 60\nstep wrong false\nstep never true")
    assert run.returncode == 1 and rows == [("wrong", "1")] and "FAILED: step `wrong`" in run.stdout


@pytest.fixture
def clone(tmp_path):
    """A function that makes the place of a clone anew, with the files given, and returns their times after `mtimes.py`."""

    def make(files, committed=True):
        place = tmp_path / "clone"
        subprocess.run(["rm", "-rf", place], check=True)
        place.mkdir()
        for name, text in files.items():
            (place / name).parent.mkdir(exist_ok=True)
            (place / name).write_text(text)
        git = ["git", "-c", "user.name=ci", "-c", "user.email=ci@localhost"]
        for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "all"]):
            subprocess.run(git + command, cwd=place, check=True)
        if not committed:
            (place / "loose").write_text("")
        for number, path in enumerate(sorted(place.rglob("*.rs"))):
            stamp = os.stat(place.parent).st_mtime_ns + make.clones * 10**9 + number
            os.utime(path, ns=(stamp, stamp))
        make.clones += 1
        subprocess.run([sys.executable, HERE / "mtimes.py", tmp_path / "built"], cwd=place, check=True)
        return {name: os.stat(place / name).st_mtime_ns for name in files}

    make.clones = 0
    return make


def test_unchanged_files_keep_their_times(clone):
    first = clone({"src/a.rs": "a", "src/b.rs": "b"})
    second = clone({"src/a.rs": "a", "src/b.rs": "other"})
    assert second["src/a.rs"] == first["src/a.rs"]
    assert second["src/b.rs"] > first["src/b.rs"]


def test_a_checkout_with_loose_files_is_left_alone(clone):
    first = clone({"src/a.rs": "a"})
    assert clone({"src/a.rs": "a"}, committed=False)["src/a.rs"] > first["src/a.rs"]
    assert clone({"src/a.rs": "a"})["src/a.rs"] > first["src/a.rs"], "nor is there a list after it"


def documented(folder, text):
    """Runs the examples of a library, and makes its pages."""
    (folder / "lib.rs").write_text(text)
    compiled = folder / "libtiny.rlib"
    subprocess.run(["rustc", "--crate-type", "lib", "--crate-name", "tiny", "lib.rs", "-o", compiled], cwd=folder, check=True)
    own = ["--crate-type", "lib", "--crate-name", "tiny", "--extern", f"tiny={compiled}"]
    (folder / "ci").mkdir(exist_ok=True)
    return subprocess.run(
        [HERE / "rustdoc", *own, "--test", "lib.rs", "--test-run-directory", folder],
        cwd=folder, env={**os.environ, "IVY_CI_FOLDER": str(folder / "ci")}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip


def test_pages_are_made_where_examples_run(tmp_path):
    example = "//! ```\n//! assert_eq!(tiny::two(), 2);\n//! ```\n/// See [`three`].\npub fn two() -> u8 { 2 }\n"
    broken = documented(tmp_path, example)
    assert broken.returncode != 0 and "1 passed" in broken.stdout
    assert "unresolved link to `three`" in broken.stdout and "error: the pages of tiny have warnings" in broken.stdout
    whole = documented(tmp_path, example.replace("three", "two"))
    assert whole.returncode == 0 and "1 passed" in whole.stdout, whole.stdout
    page = tmp_path / "doc/tiny/fn.two.html"
    written = page.stat().st_mtime_ns
    failing = documented(tmp_path, example.replace("three", "two").replace("2);", "3);"))
    assert failing.returncode != 0 and page.stat().st_mtime_ns > written
