#!/usr/bin/env bash
set -euo pipefail
work=$(mktemp -d)
tar -xzf delivery.tar.gz -C "$work"
here=$PWD
cd "$work"
export LC_ALL=C
{
  while IFS= read -r line; do
    sum=${line%%  *} path=${line#*  }
    if [ ! -f "$path" ]; then echo "missing $path"
    elif [ "$(sha256sum <"$path" | cut -d ' ' -f 1)" != "$sum" ]; then echo "damaged $path"; fi
  done <MANIFEST.sha256
  comm -13 <(cut -c 67- MANIFEST.sha256 | sort) <(find . -type f ! -path ./MANIFEST.sha256 -printf '%P\n' | sort) | sed 's/^/extra /'
} | sort -k 2 >"$here/problems.txt"
rm -rf "$work"
