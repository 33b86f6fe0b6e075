#!/usr/bin/env python3
"""Checks an action list against the transcript it was made from.

    check-quotes.py ACTIONS.md TRANSCRIPT.txt

Every row of a Markdown table that has the columns Action, Owner, Due and Quote
must name an owner and a due date (or `open`), and its quote must stand in the
transcript. Case, line breaks, punctuation and timestamps are ignored; `[...]`
in a quote stands for words left out. Exit 1 when a row fails.
"""
import re
import sys

NEEDED = ("action", "owner", "due", "quote")
DATE = re.compile(r"\d{4}-\d\d-\d\d")


def plain(text):
    text = re.sub(r"\[?\b\d{1,2}:\d\d(:\d\d)?([.,]\d+)?\b\]?", " ", text)
    return " ".join(re.findall(r"\w+", text.lower()))


def cells(line):
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]


def rows(text):
    """Rows of the tables whose header has the needed columns, as dictionaries with their line number."""
    header = None
    for number, line in enumerate(text.splitlines(), 1):
        if not line.lstrip().startswith("|"):
            header = None
        elif header is None:
            names = [name.lower() for name in cells(line)]
            header = names if all(name in names for name in NEEDED) else []
        elif header and not re.fullmatch(r"[|\s:-]+", line):
            yield number, dict(zip(header, cells(line)))


def in_order(parts, words):
    """Whether the parts occur one after the other, on word borders."""
    place, haystack = 0, f" {words} "
    for part in parts:
        found = haystack.find(f" {part} ", place)
        if found < 0:
            return False
        place = found + len(part) + 1
    return True


def problems(row, words):
    if not row.get("owner") or row["owner"] in ("?", "-", "TBD"):
        yield "no owner; write the name, or `open` and ask"
    if row.get("due") != "open" and not DATE.fullmatch(row.get("due", "")):
        yield f"due is {row.get('due')!r}; a date as YYYY-MM-DD or `open`"
    parts = [plain(part) for part in re.split(r"\[\.\.\.\]|\[…\]", row.get("quote", ""))]
    parts = [part for part in parts if part]
    if not parts:
        yield "no quote"
    elif not in_order(parts, words):
        yield f"the quote is not in the transcript: {row['quote']!r}"
    owner = row.get("owner", "")
    if owner and owner not in ("open", "?", "-", "TBD") and plain(owner) not in words:
        yield f"the owner {owner!r} does not occur in the transcript"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        actions, transcript = (open(path, encoding="utf-8-sig").read() for path in sys.argv[1:])
    except OSError as error:
        sys.exit(f"check-quotes: {error}")
    words, checked, wrong = plain(transcript), 0, 0
    for number, row in rows(actions):
        checked += 1
        found = list(problems(row, words))
        wrong += bool(found)
        for problem in found:
            print(f"line {number}: {problem}")
    if checked == 0:
        sys.exit("check-quotes: no table with the columns Action, Owner, Due and Quote")
    print(f"{checked} actions, {wrong} with problems")
    sys.exit(1 if wrong else 0)


main()
