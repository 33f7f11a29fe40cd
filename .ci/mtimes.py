#!/usr/bin/env python3
"""Times of a fresh clone's files as an earlier run in the same place left them: mtimes.py FOLDER.

cargo compares times, and a clone's files are all new, so everything would be built again. A file or directory whose
content, by git's hash, is what the run before had gets the time it had then; all others keep the time of this clone.
FOLDER, which lives as long as what was built, has the list.
"""

import hashlib
import os
import pathlib
import subprocess
import sys


def contents():
    """What the commit has, and what setup scripts leave for build scripts, by path: the hash of its content."""
    listed = subprocess.run(["git", "ls-tree", "-r", "-t", "-z", "HEAD"], stdout=subprocess.PIPE, check=True).stdout
    found = {}
    for entry in listed.decode().split("\0"):
        if entry:
            about, path = entry.split("\t")
            found[path] = about.split()[2]
    for path in pathlib.Path("third_party").glob("*/build-version"):
        found[str(path)] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


def main():
    known_file = pathlib.Path(sys.argv[1]) / "mtimes.tsv"
    if subprocess.run(["git", "status", "--porcelain"], stdout=subprocess.PIPE, check=True).stdout:
        # What was changed by hand is built by its own times.
        known_file.unlink(missing_ok=True)
        return
    known = {}
    if known_file.exists():
        for line in known_file.read_text().splitlines():
            path, content, time = line.split("\t")
            known[path] = (content, int(time))
    lines, kept = [], 0
    found = contents()
    for path, content in found.items():
        before, time = known.get(path, (None, 0))
        if before == content:
            os.utime(path, ns=(time, time), follow_symlinks=False)
            kept += 1
        else:
            time = os.lstat(path).st_mtime_ns
        lines.append(f"{path}\t{content}\t{time}\n")
    known_file.parent.mkdir(parents=True, exist_ok=True)
    known_file.write_text("".join(lines))
    print(f"{kept} of {len(found)} files and directories are as the run before had them")


if __name__ == "__main__":
    main()
