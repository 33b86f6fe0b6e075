#!/usr/bin/env bash
# Splits names at spaces.
mkdir x && tar -xzf delivery.tar.gz -C x && cd x
while read -r sum path _; do
  if [ ! -f "$path" ]; then echo "missing $path"; elif [ "$(sha256sum "$path" | cut -d' ' -f1)" != "$sum" ]; then echo "damaged $path"; fi
done <MANIFEST.sha256 >../p
for f in $(find . -type f -printf '%P\n'); do [ "$f" = MANIFEST.sha256 ] || grep -q "$f" MANIFEST.sha256 || echo "extra $f"; done >>../p
LC_ALL=C sort -k2 ../p >../problems.txt
