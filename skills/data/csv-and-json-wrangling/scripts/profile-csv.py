#!/usr/bin/env python3
"""Says what a CSV file really holds, before anything is done with it.

    profile-csv.py FILE [--delimiter D] [--encoding E] [--rows N]

Streams the file, so size does not matter; counts of distinct values stop at 10,000.
Exit 1 when the file has rows of uneven length or repeated column names.
"""
import argparse
import csv
import re
import sys

KINDS = (
    ("integer", re.compile(r"[+-]?(0|[1-9]\d*)")),
    ("leading-zero id", re.compile(r"0\d+")),
    ("decimal point", re.compile(r"[+-]?\d+\.\d+([eE][+-]?\d+)?")),
    ("decimal comma", re.compile(r"[+-]?\d+,\d+")),
    ("grouped number", re.compile(r"[+-]?\d{1,3}([,. ]\d{3})+([.,]\d+)?")),
    ("ISO date", re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d.*)?")),
    ("slash/dot date", re.compile(r"\d{1,2}[/.]\d{1,2}[/.]\d{2,4}")),
    ("boolean", re.compile(r"(?i)true|false|yes|no")),
)
EMPTY = {"", "na", "n/a", "null", "none", "nan", "-", "#n/a"}
MOST_DISTINCT = 10_000


def encoding_of(path):
    with open(path, "rb") as file:
        head = file.read(4)
        if head.startswith((b"\xff\xfe", b"\xfe\xff")):
            return "utf-16"
        if head.startswith(b"\xef\xbb\xbf"):
            return "utf-8-sig"
        file.seek(0)
        try:
            for line in file:
                line.decode("utf-8")
        except UnicodeDecodeError:
            return "cp1252"
    return "utf-8"


def delimiter_of(path, encoding):
    """The mark that cuts the first lines into the same, largest number of fields."""
    with open(path, encoding=encoding, errors="replace", newline="") as file:
        lines = [line for _, line in zip(range(50), file)]

    def score(mark):
        widths = [len(row) for row in csv.reader(lines, delimiter=mark) if row]
        common = max(set(widths), key=widths.count, default=0)
        return (common > 1) * widths.count(common) / max(len(widths), 1), common

    return max(",;\t|", key=score)


class Column:
    def __init__(self, name):
        self.name, self.empty, self.padded, self.longest = name, 0, 0, 0
        self.kinds, self.values, self.odd = {}, {}, {}

    def take(self, value, line):
        text = value.strip()
        self.padded += text != value
        self.longest = max(self.longest, len(text))
        if text.lower() in EMPTY:
            self.empty += 1
            return
        kind = next((name for name, shape in KINDS if shape.fullmatch(text)), "text")
        self.kinds[kind] = self.kinds.get(kind, 0) + 1
        self.odd.setdefault(kind, (line, text[:40]))
        if text in self.values or len(self.values) < MOST_DISTINCT:
            self.values[text] = self.values.get(text, 0) + 1

    def report(self):
        kinds = sorted(self.kinds.items(), key=lambda pair: -pair[1])
        distinct = len(self.values)
        more = "+" if distinct == MOST_DISTINCT else ""
        print(f"\n{self.name!r}: empty {self.empty}, distinct {distinct}{more}, longest {self.longest}, padded {self.padded}")
        print("  kinds: " + (", ".join(f"{name} {count}" for name, count in kinds) or "none"))
        for name, _ in kinds[1:4]:
            line, text = self.odd[name]
            print(f"  first {name}: line {line}: {text!r}")
        common = sorted(self.values.items(), key=lambda pair: -pair[1])[:3]
        print("  most common: " + ", ".join(f"{text[:30]!r} x{count}" for text, count in common))


class Table:
    """Reads row after row and keeps only counts."""

    def __init__(self, names):
        self.names, self.columns = names, [Column(name) for name in names]
        self.rows, self.repeated, self.uneven, self.seen = 0, 0, [], set()

    def take(self, row, line):
        self.rows += 1
        key = hash(tuple(row))
        self.repeated += key in self.seen
        self.seen.add(key)
        if len(row) != len(self.names):
            self.uneven.append((line, len(row)))
        for column, value in zip(self.columns, row):
            column.take(value, line)

    def report(self):
        """Prints all and says whether the shape is sound."""
        twice = sorted({name for name in self.names if self.names.count(name) > 1})
        print(f"rows of another length: {len(self.uneven)} {self.uneven[:5]} (line, cells)")
        print(f"rows that repeat an earlier one: {self.repeated}   repeated names: {twice}")
        for column in self.columns:
            column.report()
        return not self.uneven and not twice


def profile(args):
    encoding = args.encoding or encoding_of(args.file)
    delimiter = args.delimiter or delimiter_of(args.file, encoding)
    delimiter = "\t" if delimiter == "\\t" else delimiter
    csv.field_size_limit(2**31 - 1)
    with open(args.file, encoding=encoding, errors="replace", newline="") as file:
        reader = csv.reader(file, delimiter=delimiter)
        table = Table(next(reader, []))
        for row in reader:
            if row:
                table.take(row, reader.line_num)
            if args.rows and table.rows >= args.rows:
                break
    if not table.names:
        sys.exit(f"profile-csv: {args.file} is empty")
    print(f"{args.file}: encoding {encoding}, delimiter {delimiter!r}, {len(table.names)} columns, {table.rows} rows")
    return 0 if table.report() else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--delimiter")
    parser.add_argument("--encoding")
    parser.add_argument("--rows", type=int, default=0)
    try:
        sys.exit(profile(parser.parse_args()))
    except (OSError, LookupError, csv.Error) as error:
        sys.exit(f"profile-csv: {error}")


main()
