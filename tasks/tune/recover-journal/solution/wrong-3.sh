#!/usr/bin/env bash
# Believes SPEC.md about the checksum.
bash "$(dirname "$0")/solve.sh"
sed -i "s/struct.unpack_from('<I', data, end)\[0\] != zlib.crc32(data\[at:end\])/struct.unpack_from('>I', data, end)[0] != zlib.crc32(data[at + 4:end])/" recover.py
