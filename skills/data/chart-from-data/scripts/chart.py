#!/usr/bin/env python3
"""Draws a chart as SVG from CSV or JSON; standard library only.

    chart.py FILE --x COLUMN --y COLUMN[,COLUMN] [--kind line|bar|scatter|hist]
             [--title T] [--xlabel T] [--ylabel T] [--out FILE.svg] [--sort]
             [--log] [--from-zero] [--bins N] [--width N] [--height N]

FILE is CSV (comma, semicolon or tab; header row), a JSON array of objects, JSON
lines, or - for standard input. x is read as numbers when all values are
numbers, as time when all are ISO dates, else as categories. A hist needs only --y.
"""
import argparse
import csv
import datetime
import io
import json
import math
import sys
from html import escape

# Okabe-Ito: told apart by colour-blind readers as well.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
LEFT, RIGHT, TOP, BOTTOM = 76, 24, 48, 84


def fail(text):
    sys.exit(f"chart.py: {text}")


def read_rows(path):
    try:
        raw = sys.stdin.buffer.read() if path == "-" else open(path, "rb").read()
    except OSError as error:
        fail(str(error))
    text = raw.decode("utf-8-sig", "replace").strip()
    if text[:1] in ("[", "{"):
        return read_json(text)
    header = text.split("\n", 1)[0]
    mark = max(",;\t", key=header.count)
    return list(csv.DictReader(io.StringIO(text), delimiter=mark))


def read_json(text):
    try:
        return json.loads(text) if text[0] == "[" else [json.loads(line) for line in text.splitlines() if line.strip()]
    except json.JSONDecodeError as error:
        fail(f"not a JSON array and not JSON lines: {error}")


def number(value):
    if isinstance(value, bool) or value is None:
        return None
    try:
        found = float(value)
    except (TypeError, ValueError):
        return None
    return found if math.isfinite(found) else None


def moment(value):
    try:
        found = datetime.datetime.fromisoformat(str(value).strip().replace("Z", "+00:00"))
    except ValueError:
        return None
    zoned = found if found.tzinfo else found.replace(tzinfo=datetime.timezone.utc)
    return zoned.timestamp()


def read_x(values):
    """How x is to be understood, and its positions."""
    for kind, read in (("number", number), ("time", moment)):
        found = [read(value) for value in values]
        if values and all(item is not None for item in found):
            return kind, found
    order = {value: index for index, value in enumerate(dict.fromkeys(map(str, values)))}
    return "category", [float(order[str(value)]) for value in values]


def nice_ticks(low, high, count=6):
    span = (high - low) or abs(high) or 1.0
    raw = span / count
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= raw)
    first = math.floor(low / step) * step
    ticks = [first + index * step for index in range(int(math.ceil((high - first) / step - 1e-9)) + 1)]
    return ticks if len(ticks) > 1 else [first, first + step]


def log_ticks(low, high):
    return [10.0**power for power in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)]


def figure(value):
    for size, mark in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e4, "k")):
        if abs(value) >= size:
            return f"{value / (1e3 if mark == 'k' else size):.4g}{mark}"
    return f"{value:.4g}"


def date_label(seconds, span):
    shape = "%H:%M" if span < 2 * 86400 else "%d %b" if span < 120 * 86400 else "%b %Y" if span < 1500 * 86400 else "%Y"
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime(shape)


class Axis:
    """Maps values to pixels."""

    def __init__(self, low, high, start, end, log=False):
        self.log, self.start, self.end = log, start, end
        self.low, self.high = self.scaled(low), self.scaled(high)

    def scaled(self, value):
        return math.log10(value) if self.log else value

    def at(self, value):
        share = (self.scaled(value) - self.low) / ((self.high - self.low) or 1.0)
        return self.start + share * (self.end - self.start)


def text(x, y, words, size=12, anchor="middle", extra=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" {extra}>{escape(str(words))}</text>'


def line(x1, y1, x2, y2, colour):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"/>'


def y_axis(args, series):
    values = [y for _, points in series for _, y in points]
    low, high = min(values), max(values)
    if args.log:
        if low <= 0:
            fail("--log needs values above 0; the smallest is %g" % low)
        ticks = log_ticks(low, high)
        ticks = ticks if len(ticks) > 1 else [ticks[0], ticks[0] * 10]
    else:
        # The length of a bar is its value, so bars always start at zero.
        if args.kind in ("bar", "hist") or args.from_zero:
            low, high = min(low, 0.0), max(high, 0.0)
        ticks = nice_ticks(low, high)
    return Axis(ticks[0], ticks[-1], args.height - BOTTOM, TOP, args.log), ticks


def draw_y(args, axis, ticks):
    for tick in ticks:
        y = axis.at(tick)
        yield line(LEFT, y, args.width - RIGHT, y, "#dddddd")
        yield text(LEFT - 8, y + 4, figure(tick), anchor="end")
    middle = (TOP + args.height - BOTTOM) / 2
    yield text(18, middle, args.ylabel, 13, extra=f'transform="rotate(-90 18 {middle:.1f})"')


def draw_x_numbers(args, kind, axis, low, high):
    y = args.height - BOTTOM
    if kind == "time":
        ticks = [(at := low + (high - low) * index / 5, date_label(at, high - low)) for index in range(6)] if high > low else [(low, date_label(low, 0))]
    else:
        ticks = [(tick, figure(tick)) for tick in nice_ticks(low, high, 8) if low <= tick <= high]
    for at, words in ticks:
        yield line(axis.at(at), y, axis.at(at), y + 5, "#333333")
        yield text(axis.at(at), y + 20, words)


def draw_x_categories(args, names, centre, room):
    """Long or many names are slanted, and thinned out when even that is too tight."""
    y = args.height - BOTTOM
    slanted = max(map(len, names)) * 7 > room
    every = max(1, math.ceil(14 / room)) if slanted else 1
    for index, name in enumerate(names):
        if index % every:
            continue
        x, short = centre(index), name if len(name) <= 14 or not slanted else name[:13] + "…"
        turn = f'transform="rotate(-35 {x:.1f} {y + 16})"' if slanted else ""
        yield text(x, y + 16, short, 11, "end" if slanted else "middle", turn)


def draw_bars(args, series, names, axis):
    room = (args.width - LEFT - RIGHT) / len(names)
    share = room * (1.0 if args.kind == "hist" else 0.8) / len(series)
    floor = axis.at(min(max(0.0, axis.low), axis.high)) if not axis.log else axis.start
    for which, (_, points) in enumerate(series):
        for x, y in points:
            left = LEFT + x * room + (room - share * len(series)) / 2 + which * share
            top, bottom = sorted((axis.at(y), floor))
            yield f'<rect x="{left:.1f}" y="{top:.1f}" width="{max(share - 1, 0.5):.1f}" height="{bottom - top:.1f}" fill="{COLOURS[which % 7]}"/>'
    yield from draw_x_categories(args, names, lambda index: LEFT + (index + 0.5) * room, room)


def draw_points(args, series, axis, across):
    for which, (_, points) in enumerate(series):
        colour = COLOURS[which % 7]
        places = [(across.at(x), axis.at(y)) for x, y in points]
        if args.kind == "line":
            path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
            yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>'
        if args.kind == "scatter" or len(places) <= 40:
            yield from (f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}" fill-opacity="0.75"/>' for x, y in places)


def draw_legend(args, series):
    x = LEFT
    for which, (name, _) in enumerate(series if len(series) > 1 else []):
        yield f'<rect x="{x}" y="{TOP - 17}" width="11" height="11" fill="{COLOURS[which % 7]}"/>'
        yield text(x + 16, TOP - 7, name, 12, "start")
        x += 34 + 7 * len(name)


def histogram(values, bins):
    low, high = min(values), max(values)
    count = bins or max(1, min(60, math.ceil(math.sqrt(len(values)))))
    width = (high - low) / count or 1.0
    counts = [0] * count
    for value in values:
        counts[min(int((value - low) / width), count - 1)] += 1
    names = [f"{figure(low + index * width)}–{figure(low + (index + 1) * width)}" for index in range(count)]
    return names, [(float(index), float(found)) for index, found in enumerate(counts)]


def gather(args, rows):
    """The series as (name, points), the names of categories and the kind of x; says what was left out."""
    wanted = [name.strip() for name in args.y.split(",")]
    missing = [name for name in [*wanted, *([args.x] if args.x else [])] if not any(name in row for row in rows)]
    if missing:
        fail(f"no column {missing}; there are {list(rows[0])}")
    if args.kind == "hist":
        values = [found for row in rows if (found := number(row.get(wanted[0]))) is not None]
        report_left(len(rows) - len(values), wanted[0])
        names, points = histogram(values, args.bins) if values else fail("no number in " + wanted[0])
        return [(wanted[0], points)], names, "category"
    if not args.x:
        fail("--x is needed for this kind of chart")
    kind, places = read_x([row.get(args.x) for row in rows])
    series = [(name, points_of(rows, name, places, args)) for name in wanted]
    if not any(points for _, points in series):
        fail(f"no number in {wanted}; with a decimal comma, replace it first")
    names = list(dict.fromkeys(str(row.get(args.x)) for row in rows))
    if args.kind == "bar" and kind != "category":
        order = {value: index for index, value in enumerate(dict.fromkeys(places))}
        series = [(name, [(float(order[x]), y) for x, y in points]) for name, points in series]
    return sorted_bars(args, series, names) + (kind,)


def points_of(rows, name, places, args):
    pairs = [(x, number(row.get(name))) for x, row in zip(places, rows)]
    points = [(x, y) for x, y in pairs if y is not None]
    report_left(len(pairs) - len(points), name)
    if args.kind == "bar" and len({x for x, _ in points}) < len(points):
        fail(f"several rows share one {args.x}; add them up first, bars would hide each other")
    return sorted(points) if args.kind == "line" else points


def sorted_bars(args, series, names):
    if not (args.sort and args.kind == "bar"):
        return series, names
    first = dict(series[0][1])
    order = sorted(range(len(names)), key=lambda index: -first.get(float(index), -math.inf))
    place = {old: new for new, old in enumerate(order)}
    return [(name, [(float(place[int(x)]), y) for x, y in points]) for name, points in series], [names[old] for old in order]


def report_left(count, name):
    if count:
        print(f"chart.py: {count} rows without a number in {name!r} were left out", file=sys.stderr)


def draw(args, rows):
    series, names, kind = gather(args, rows)
    axis, ticks = y_axis(args, series)
    yield f'<svg xmlns="http://www.w3.org/2000/svg" width="{args.width}" height="{args.height}" viewBox="0 0 {args.width} {args.height}" font-family="sans-serif" fill="#222222" role="img">'
    yield f"<title>{escape(args.title)}</title>"
    yield f'<rect width="{args.width}" height="{args.height}" fill="#ffffff"/>'
    yield text(args.width / 2, 22, args.title, 16)
    yield from draw_y(args, axis, ticks)
    if args.kind in ("bar", "hist"):
        yield from draw_bars(args, series, names, axis)
    else:
        xs = [x for _, points in series for x, _ in points]
        across = Axis(min(xs), max(xs), LEFT + 8, args.width - RIGHT - 8)
        yield from draw_points(args, series, axis, across)
        room = (args.width - LEFT - RIGHT) / len(names)
        marks = draw_x_categories(args, names, lambda index: across.at(float(index)), room)
        yield from marks if kind == "category" else draw_x_numbers(args, kind, across, min(xs), max(xs))
    yield line(LEFT, args.height - BOTTOM, args.width - RIGHT, args.height - BOTTOM, "#333333")
    yield text((LEFT + args.width - RIGHT) / 2, args.height - 8, args.xlabel, 13)
    yield from draw_legend(args, series)
    yield "</svg>"


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--x", default="")
    parser.add_argument("--y", required=True)
    parser.add_argument("--kind", choices=("line", "bar", "scatter", "hist"), default="line")
    for name in ("title", "xlabel", "ylabel"):
        parser.add_argument("--" + name)
    parser.add_argument("--out", default="chart.svg")
    for name in ("sort", "log", "from-zero"):
        parser.add_argument("--" + name, action="store_true")
    parser.add_argument("--bins", type=int, default=0)
    parser.add_argument("--width", type=int, default=860)
    parser.add_argument("--height", type=int, default=460)
    return parser.parse_args()


def main():
    args = options()
    hist = args.kind == "hist"
    args.xlabel = (args.y if hist else args.x) if args.xlabel is None else args.xlabel
    args.ylabel = ("rows" if hist else args.y) if args.ylabel is None else args.ylabel
    args.title = f"{args.ylabel} by {args.xlabel}" if args.title is None else args.title
    if hist and args.log:
        fail("--log does not go with hist")
    rows = [row for row in read_rows(args.file) if isinstance(row, dict)]
    if not rows:
        fail("no rows; a header line and at least one row are needed")
    picture = "\n".join(draw(args, rows)) + "\n"
    with open(args.out, "w", encoding="utf-8") as file:
        file.write(picture)
    print(f"{args.out}: {args.kind} of {len(rows)} rows, {len(picture)} bytes")


main()
