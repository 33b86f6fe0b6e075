#!/usr/bin/env bash
set -euo pipefail
cat >ranking.py <<'P'
"""Keeps a ranking. Reads commands from standard input, one per line, and prints the answers.

The ranking is ordered by points, most first. Among equal points, whoever has had
them for longer comes first.
"""
import sys
from bisect import bisect_left, insort

# The ranking in blocks of sorted keys (-points, since, name), each with the sum of its keys.
# Points are kept without the bonus that everybody got since.
SIZE = 600
blocks = []
sums = []
where = {}  # name: key
bonus = 0
clock = 0


def tick():
    global clock
    clock += 1
    return clock


def locate(key):
    """The block in which a key is or belongs."""
    low, high = 0, len(blocks) - 1
    while low < high:
        middle = (low + high) // 2
        if blocks[middle][-1] < key:
            low = middle + 1
        else:
            high = middle
    return low


def put(name, points, since):
    key = (-points, since, name)
    where[name] = key
    if not blocks:
        blocks.append([key])
        sums.append(points)
        return
    number = locate(key)
    block = blocks[number]
    insort(block, key)
    sums[number] += points
    if len(block) > 2 * SIZE:
        blocks[number:number + 1] = [block[:SIZE], block[SIZE:]]
        sums[number:number + 1] = [-sum(key[0] for key in part) for part in (block[:SIZE], block[SIZE:])]


def take(name):
    key = where.pop(name)
    number = locate(key)
    block = blocks[number]
    del block[bisect_left(block, key)]
    sums[number] += key[0]
    if not block:
        del blocks[number]
        del sums[number]
    return -key[0], key[1]


def before(key):
    """How many keys are smaller."""
    if not blocks:
        return 0
    number = locate(key)
    return sum(map(len, blocks[:number])) + bisect_left(blocks[number], key)


def at(place):
    for block in blocks:
        if place < len(block):
            return block[place]
        place -= len(block)
    return None


def best(count):
    """The points of the best."""
    if count < 0:
        count = max(len(where) + count, 0)
    total = 0
    for block, amount in zip(blocks, sums):
        if count < len(block):
            return total - sum(key[0] for key in block[:count]) + bonus * count
        total += amount + bonus * len(block)
        count -= len(block)
        if count == 0:
            break
    return total


def best_points(count):
    return best(count)


def command(words):
    global bonus
    what = words[0]
    if what == 'add':
        name, points = words[1], int(words[2])
        if name not in where:
            put(name, points - bonus, tick())
        elif points != 0:
            have, _ = take(name)
            put(name, have + points, tick())
    elif what == 'drop':
        if words[1] not in where:
            return 'unknown ' + words[1]
        take(words[1])
    elif what == 'bonus':
        if where:
            bonus += int(words[1])
    elif what == 'rename':
        old, new = words[1], words[2]
        if old not in where:
            return 'unknown ' + old
        if old == new:
            return None
        points, since = take(old)
        if new in where:
            more, other = take(new)
            points, since = points + more + bonus, min(since, other)
        put(new, points, since)
    elif what == 'cut':
        keep = max(int(words[1]), 0)
        while len(where) > keep:
            surplus = len(where) - keep
            block = blocks[-1]
            gone = block[-surplus:] if surplus < len(block) else block[:]
            del block[len(block) - len(gone):]
            sums[-1] += sum(key[0] for key in gone)
            for key in gone:
                del where[key[2]]
            if not block:
                blocks.pop()
                sums.pop()
    elif what == 'rank':
        if words[1] not in where:
            return 'unknown ' + words[1]
        key = where[words[1]]
        return f'{words[1]} {before((key[0],)) + 1} {-key[0] + bonus}'
    elif what == 'at':
        place = int(words[1])
        if not 1 <= place <= len(where):
            return 'nobody'
        key = at(place - 1)
        return f'{key[2]} {-key[0] + bonus}'
    elif what == 'above':
        if words[1] not in where:
            return 'unknown ' + words[1]
        place = before(where[words[1]])
        return at(place - 1)[2] if place else 'nobody'
    elif what == 'between':
        low, high = int(words[1]) - bonus, int(words[2]) - bonus
        return str(max(before((-low + 1,)) - before((-high,)), 0))
    elif what == 'sum':
        return str(best_points(int(words[1])))
    else:
        return 'what?'
    return None


def main():
    out = []
    for line in sys.stdin:
        words = line.split()
        if words:
            answer = command(words)
            if answer is not None:
                out.append(answer)
    sys.stdout.write(''.join(answer + '\n' for answer in out))


if __name__ == '__main__':
    main()
P
sed -i '/^def best_points/,/^    return best(count)/d; s/best_points(/best(/' ranking.py
python3 ranking.py <example.txt
