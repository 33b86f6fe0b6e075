#!/usr/bin/env python3
"""Shows what a move or split changed besides moving lines.

    moved-only.py            working tree against HEAD (tracked files only)
    moved-only.py --cached   the index against HEAD
    moved-only.py A..B       two revisions

Lines are compared as a bag without indentation: a line that vanished in one
file and turned up in another cancels out. What is left was edited, not moved.
Exit 0 when nothing is left, 1 when something is, 2 when git failed.
"""
import collections
import subprocess
import sys


def changed_lines(args):
    command = ["git", "-c", "core.quotePath=off", "diff", "--no-color", "--no-ext-diff", "--unified=0", "-M", *args]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if done.returncode != 0:
        first = (done.stderr.strip().splitlines() or ["no message"])[0]
        print(f"moved-only: git diff failed: {first}", file=sys.stderr)
        raise SystemExit(2)
    return parse(done.stdout)


def parse(diff):
    """Yields (sign, file, text); headers are told apart by counting the lines of each hunk."""
    file, left = "?", 0
    for line in diff.splitlines():
        if left > 0 and line[:1] in "+-":
            left -= 1
            yield line[0], file, line[1:].strip()
        elif line.startswith("@@"):
            left = sum(size(part) for part in line.split()[1:3])
        elif line.startswith("--- ") or line.startswith("+++ "):
            name = line[4:]
            file = name[2:] if name != "/dev/null" else file


def size(part):
    return int(part.split(",")[1]) if "," in part else 1


def main():
    removed, added = collections.defaultdict(list), collections.defaultdict(list)
    for sign, file, text in changed_lines(sys.argv[1:] or ["HEAD"]):
        if text:
            (removed if sign == "-" else added)[text].append(file)
    gone = report("removed and not found elsewhere", "-", removed, added)
    new = report("added and not there before", "+", added, removed)
    moved = sum(min(len(files), len(added.get(text, []))) for text, files in removed.items())
    print(f"{moved} lines moved, {gone} only removed, {new} only added")
    raise SystemExit(1 if gone or new else 0)


def report(title, sign, these, others):
    rows = []
    for text, files in these.items():
        rows += [(file, text) for file in files[len(others.get(text, [])):]]
    if rows:
        print(f"== {title}")
    for file, text in rows:
        print(f"{sign} {file}: {text}")
    return len(rows)


main()
