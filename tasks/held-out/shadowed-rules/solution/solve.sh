#!/usr/bin/env bash
set -euo pipefail
cat >audit.py <<'P'
import sys

TOP = 2 ** 32 - 1
PROTOCOLS = {'tcp': 0, 'udp': 1, 'icmp': 2}


def number(text):
    a, b, c, d = map(int, text.split('.'))
    return ((a * 256 + b) * 256 + c) * 256 + d


def join(ranges):
    out = []
    for low, high in sorted(ranges):
        if out and low <= out[-1][1] + 1:
            out[-1][1] = max(out[-1][1], high)
        else:
            out.append([low, high])
    return [tuple(one) for one in out]


def invert(ranges):
    out, begin = [], 0
    for low, high in join(ranges):
        if begin < low:
            out.append((begin, low - 1))
        begin = high + 1
    if begin <= TOP:
        out.append((begin, TOP))
    return out


def address(text, groups):
    if text == 'any':
        return [(0, TOP)]
    if text.startswith('!'):
        return invert(address(text[1:], groups))
    if text.startswith('@'):
        return groups[text[1:]]
    if '/' in text:
        base, bits = text.split('/')
        size = 2 ** (32 - int(bits))
        low = number(base) // size * size
        return [(low, low + size - 1)]
    low, _, high = text.partition('-')
    return [(number(low), number(high or low))] if number(low) <= number(high or low) else []


def boxes(protocol, source, destination, ports, groups):
    """What a rule applies to, as boxes of (low, high) for protocol, source, destination and port."""
    if ports == 'any':
        wanted = [(0, 65535)]
    else:
        wanted = []
        for part in ports.split(','):
            low, _, high = part.partition('-')
            if int(low) <= int(high or low):
                wanted.append((int(low), int(high or low)))
        wanted = join(wanted)
    out = []
    for name, value in PROTOCOLS.items():
        if protocol not in (name, 'any'):
            continue
        if name == 'icmp':
            here = [(0, 0)] if ports == 'any' else []
        else:
            here = wanted
        out += [((value, value), s, d, p) for s in join(address(source, groups))
                for d in join(address(destination, groups)) for p in here]
    return out


def common(a, b):
    out = tuple((max(x[0], y[0]), min(x[1], y[1])) for x, y in zip(a, b))
    return out if all(low <= high for low, high in out) else None


def minus(a, b):
    both = common(a, b)
    if both is None:
        return [a]
    out = []
    rest = list(a)
    for axis in range(4):
        low, high = rest[axis]
        if low < both[axis][0]:
            out.append(tuple(rest[:axis] + [(low, both[axis][0] - 1)] + rest[axis + 1:]))
        if both[axis][1] < high:
            out.append(tuple(rest[:axis] + [(both[axis][1] + 1, high)] + rest[axis + 1:]))
        rest[axis] = both[axis]
    return out


def without(areas, others):
    for other in others:
        areas = [part for area in areas for part in minus(area, other)]
        if not areas:
            break
    return areas


def main(path):
    groups, rules = {}, []
    for line_number, line in enumerate(open(path), 1):
        line = line.split('#')[0].strip()
        if not line:
            continue
        if line.startswith('group '):
            name, _, members = line[6:].partition('=')
            groups[name.strip()] = [one for part in members.split(',') for one in address(part.strip(), groups)]
            continue
        action, *rest = line.split()
        rules.append((line_number, action, boxes(*rest, groups)))
    for index, (line_number, action, areas) in enumerate(rules):
        for _, _, others in rules[:index]:
            areas = without(areas, others)
        if not areas:
            print(line_number, 'shadowed')
            continue
        for _, decision, others in rules[index + 1:]:
            if decision != action and any(common(a, b) for a in areas for b in others):
                break
            areas = without(areas, others)
        else:
            if not areas or action == 'deny':
                print(line_number, 'redundant')


main(sys.argv[1])
P
python3 audit.py example.rules
