#!/usr/bin/env bash
set -euo pipefail
cat >recover.py <<'P'
"""Recovers a journal. Unlike in SPEC.md, the checksum covers the magic bytes too and is little-endian."""

import json
import struct
import sys
import zlib

PUT, DELETE, COMMIT, PACKED = 1, 2, 3, 128


def parse(data, at):
    """The record at this place and its end, or nothing."""
    if data[at:at + 4] != b'JRN1' or at + 15 > len(data):
        return None
    kind, seq, key_length, value_length = struct.unpack_from('>BIHI', data, at + 4)
    end = at + 15 + key_length + value_length
    if kind & 127 not in (PUT, DELETE, COMMIT) or end + 4 > len(data):
        return None
    if struct.unpack_from('<I', data, end)[0] != zlib.crc32(data[at:end]):
        return None
    key, stored = data[at + 15:at + 15 + key_length], data[at + 15 + key_length:end]
    try:
        key = key.decode('utf-8')
        value = zlib.decompress(stored) if kind & PACKED else stored
        kind &= 127
        if kind == PUT:
            value = value.decode('utf-8')
    except (UnicodeDecodeError, zlib.error):
        return None
    if kind == DELETE and stored or kind == COMMIT and (key or len(value) != 4):
        return None
    return kind, seq, key, value, end + 4


def recover(data):
    records, at, good, damaged = {}, 0, 0, 0
    while at < len(data):
        found = parse(data, at)
        if not found:
            at, damaged = at + 1, damaged + 1
            continue
        kind, seq, key, value, at = found
        records[seq] = kind, key, value
        good += 1
    entries, dropped = {}, 0
    for seq in sorted(seq for seq, (kind, _, _) in records.items() if kind == COMMIT):
        count = struct.unpack('>I', records[seq][2])[0]
        # A damaged count can be huge, so it is compared before anything is walked through.
        numbers = range(seq - count, seq) if count <= min(seq, len(records)) else None
        if numbers is None or any(number not in records or records[number][0] == COMMIT for number in numbers):
            dropped += 1
            continue
        for number in numbers:
            kind, key, value = records[number]
            if kind == PUT:
                entries[key] = value
            else:
                entries.pop(key, None)
    return {'entries': entries, 'good_records': good, 'damaged_bytes': damaged, 'dropped_commits': dropped}


with open(sys.argv[1], 'rb') as file:
    result = recover(file.read())
with open(sys.argv[2], 'w', encoding='utf-8') as file:
    json.dump(result, file, ensure_ascii=False)
P
python3 recover.py good.jrn out.json
python3 -c "import json; assert json.load(open('out.json')) == json.load(open('good.json'))"
rm out.json
