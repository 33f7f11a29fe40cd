#!/usr/bin/env python3
"""Runs the workspace's tests as `cargo test` does, but as many of its programs at a time as there are processors, four at
most: many have one test that takes longest, for which all other processors would wait. Arguments go to cargo.

A program's output is printed when it has ended, its own summary line with it; all are run, and the exit status is 1 if one failed.
"""

import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import time


def build_tests(arguments):
    """Builds the test programs, and gives each with the folder that it runs in."""
    command = ["cargo", "test", *arguments, "--no-run", "--message-format", "json-render-diagnostics"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        sys.exit(done.returncode)
    messages = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return [
        (pathlib.Path(m["executable"]), pathlib.Path(m["manifest_path"]).parent)
        for m in messages
        if m["reason"] == "compiler-artifact" and m["executable"] and m["profile"]["test"]
    ]


def run_program(program, folder):
    """Runs a program, and gives its exit status, its output and how long it took."""
    begin = time.monotonic()
    environment = dict(os.environ, CARGO_MANIFEST_DIR=str(folder))
    if folder.name == "jit":
        # Most of its kernels would be interpreted otherwise, since they run once; all other programs have them so.
        environment.setdefault("IVY_JIT_TIERED", "off")
    done = subprocess.run(
        [program], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    return done.returncode, done.stdout.decode(errors="replace"), time.monotonic() - begin


def main():
    programs = build_tests(sys.argv[1:])
    failed = []
    # Each takes memory, and has threads of its own.
    with concurrent.futures.ThreadPoolExecutor(min(os.cpu_count() or 1, 4)) as pool:
        running = {pool.submit(run_program, *one): one for one in programs}
        for done in concurrent.futures.as_completed(running):
            (program, folder), (status, output, seconds) = running[done], done.result()
            name = f"{folder.name}: {program.stem.rsplit('-', 1)[0]}"
            print(f"     Running {name} ({seconds:.1f} s)\n{output}", flush=True)
            if status != 0:
                failed.append(f"{name}: exit status {status}")
                # What has no summary line has not come to its end.
                if "test result:" not in output:
                    print(f"test result: FAILED. 0 passed; 1 failed; 0 ignored; {name} ended early")
    print(*failed, sep="\n", end="\n" if failed else "")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
