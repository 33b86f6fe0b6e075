#!/usr/bin/env bash
# Line by line; hyphens, line breaks and links in the target go wrong.
cat >flatten.sh <<'S'
[ $# -eq 2 ] && [ -d "$1" ] || { echo usage >&2; exit 2; }
export LC_ALL=C
mkdir -p "$2"
find "$1" -type f | sort | while read -r path; do
  name=$(basename "$path"); stem=$name; end=
  case ${name#?} in *.*) stem=${name%.*} end=.${name##*.} ;; esac
  try=$name; number=1
  while [ -e "$2/$try" ]; do
    cmp -s "$path" "$2/$try" && { echo "same $try"; continue 2; }
    number=$((number + 1)); try=$stem~$number$end
  done
  cp "$path" "$2/$try"; echo "new $try"
done
S
