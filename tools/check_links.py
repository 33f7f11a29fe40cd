"""Checks the links of the documents: files and headings that they name, and that the book has every page.

    python3 tools/check_links.py

It looks at the Markdown files of `docs/` and of the root. A link to another site is not followed. What is written as code and
is a path, such as `plan/decide.rs`, is to be the end of one of the repository's. The exit status is 1 where a link or a path
leads nowhere, or where a page of `docs/` is not in `docs/SUMMARY.md`.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
# A path with a folder, whose braces stand for several; words in capitals stand for names.
PATH = re.compile(r"`((?=[^`]*\w/|\./)[\w./{},-]+(?:\.(?:rs|tsv|py|sh|toml|md)|/))`")
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")


def prose(path):
    """The lines of a file, numbered, without those of code blocks and without code in them."""
    fenced = False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced:
            yield number, re.sub(r"`[^`]*`", lambda code: "x" * len(code[0]), line), line


def anchors(path):
    """The names of a file's headings, as links write them."""
    found, counts = set(), {}
    for _, _, line in prose(path):
        heading = re.match(r"#+\s+(.*)", line)
        if heading:
            name = re.sub(r"[^\w\- ]", "", heading[1].lower()).strip().replace(" ", "-")
            count = counts.get(name, 0)
            counts[name] = count + 1
            found.add(f"{name}-{count}" if count else name)
    return found


def broken(path):
    """The links of a file that lead nowhere: line, link, why."""
    for number, line, _ in prose(path):
        for link in (found[1] or found[2] for found in LINK.finditer(line)):
            if re.match(r"[a-z]+:", link):
                continue
            file, _, anchor = link.partition("#")
            target = (path.parent / file).resolve() if file else path
            if not target.exists():
                yield number, link, "there is no such file"
            elif not target.is_relative_to(ROOT):
                yield number, link, "it leads out of the repository"
            elif anchor and target.suffix == ".md" and anchor not in anchors(target):
                yield number, link, "there is no such heading"


def paths(text):
    """The paths that one with braces stands for."""
    several = re.match(r"(.*?)\{(.*?)\}(.*)", text)
    if not several:
        return [text]
    return [path for word in several[2].split(",") for path in paths(several[1] + word + several[3])]


def unknown(path, known):
    """The paths in a file's text that are not the end of one of the repository's."""
    for number, _, line in prose(path):
        for text in PATH.findall(line):
            if re.search(r"\b[A-Z]{2,}", text):
                continue
            for one in paths(text):
                if one.removeprefix("./").rstrip("/") not in known:
                    yield number, one, "there is no such path"


def ends():
    """The ends of all paths of the repository, and of their folders."""
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    whole = {path for file in files for path in [Path(file), *Path(file).parents]}
    return {"/".join(path.parts[i:]) for path in whole for i in range(len(path.parts))}


def main():
    pages = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])
    known = ends()
    found = [(path, fault) for path in pages for fault in [*broken(path), *unknown(path, known)]]
    faults = [f"{path.relative_to(ROOT)}:{line}: {link}: {why}" for path, (line, link, why) in found]
    summary = DOCS / "SUMMARY.md"
    listed = {(DOCS / link[1]).resolve() for _, line, _ in prose(summary) for link in LINK.finditer(line)}
    for path in DOCS.rglob("*.md"):
        if path != summary and path not in listed:
            faults.append(f"{path.relative_to(ROOT)}: the page is not in docs/SUMMARY.md")
    print("\n".join(faults) if faults else f"{len(pages)} files: every link leads somewhere")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
