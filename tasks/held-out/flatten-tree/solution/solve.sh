#!/usr/bin/env bash
set -euo pipefail
cat >flatten.sh <<'S'
#!/usr/bin/env bash
if [ $# -ne 2 ] || [ ! -d "$1" ]; then
  echo 'usage: flatten.sh SOURCE TARGET' >&2
  exit 2
fi
export LC_ALL=C
source=$1
target=$2
case $source in /*) ;; *) source=./$source ;; esac
case $target in /*) ;; *) target=./$target ;; esac
# The list is complete before anything is copied: TARGET may be inside SOURCE.
mapfile -d '' -t paths < <(cd -- "$source" && find . -type f -print0 | sort -z)
mkdir -p -- "$target" || exit 1
for path in "${paths[@]}"; do
  name=${path##*/}
  stem=$name
  end=
  case ${name#?} in *.*) stem=${name%.*} end=.${name##*.} ;; esac
  try=$name
  number=1
  while :; do
    if [ -f "$target/$try" ] && [ ! -L "$target/$try" ] && cmp -s -- "$source/$path" "$target/$try"; then
      printf 'same %s\n' "$try"
      break
    fi
    if [ ! -e "$target/$try" ] && [ ! -L "$target/$try" ]; then
      cp -- "$source/$path" "$target/$try" || exit 1
      printf 'new %s\n' "$try"
      break
    fi
    number=$((number + 1))
    try=$stem~$number$end
  done
done
S
bash flatten.sh example/tree "$(mktemp -d)/flat"
