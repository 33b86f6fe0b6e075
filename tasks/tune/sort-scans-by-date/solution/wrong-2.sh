#!/usr/bin/env bash
# Checks only that the month is between 01 and 12 and that the separators agree.
find inbox -type f | while IFS= read -r file; do
  name=${file##*/}
  date=$(grep -oE '[0-9]{4}(-(0[1-9]|1[0-2])-|\.(0[1-9]|1[0-2])\.|_(0[1-9]|1[0-2])_)[0-9]{2}' <<<"$name" | head -n 1)
  if [ -n "$date" ]; then to=sorted/${date:0:4}/${date:5:2}; else to=sorted/undated; fi
  mkdir -p "$to" && cp "$file" "$to/"
done
