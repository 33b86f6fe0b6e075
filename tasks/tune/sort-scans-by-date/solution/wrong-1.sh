#!/usr/bin/env bash
# Does not ask the calendar and forgets hidden files.
find inbox -type f ! -name '.*' | while IFS= read -r file; do
  name=${file##*/}
  if [[ $name =~ ([0-9]{4})[-._]([0-9]{2})[-._][0-9]{2} ]]; then to=sorted/${BASH_REMATCH[1]}/${BASH_REMATCH[2]}; else to=sorted/undated; fi
  mkdir -p "$to" && cp "$file" "$to/"
done
