#!/usr/bin/env bash
# Everything a reviewer should know before reading the diff. Reads only.
#   review-pack.sh [BASE] [HEAD]      BASE defaults to the remote's main branch, HEAD to HEAD
set -euo pipefail

git rev-parse --git-dir >/dev/null 2>&1 || { echo 'review-pack: not inside a git repository' >&2; exit 2; }

default_base() {
  git symbolic-ref -q --short refs/remotes/origin/HEAD ||
    for name in origin/main origin/master main master; do
      git rev-parse -q --verify "$name" >/dev/null && echo "$name" && return
    done
}
base=${1:-$(default_base)}
head=${2:-HEAD}
[ -n "$base" ] || { echo 'review-pack: no base found; name one' >&2; exit 2; }
fork=$(git merge-base "$base" "$head") || { echo "review-pack: $base and $head have no common commit, or one of them is unknown" >&2; exit 2; }

section() { printf '\n== %s\n' "$1"; }
added() { git diff --unified=0 --no-color "$fork" "$head" -- "$@" | grep -E '^(\+\+\+ |\+)' || true; }
# Prints "file: line" for added lines that match a pattern.
flag() {
  added . | awk -v pattern="$1" '
    /^\+\+\+ / { file = substr($0, 7); next }
    substr($0, 2) ~ pattern { print file ": " substr($0, 2) }' | head -n 25
}

section "range"
echo "$base..$head, fork point ${fork:0:12}; $(git rev-list --count "$fork..$head") commits, base is $(git rev-list --count "$fork..$base") ahead of the fork"
git log --oneline --no-decorate "$fork..$head" | head -n 30

section "files by size of change (added, removed, name)"
git diff --numstat -M "$fork" "$head" | sort -k1,1nr | head -n 40

section "source without a test change"
if git diff --name-only "$fork" "$head" | grep -qiE '(^|/)(tests?|spec|__tests__)/|[._-](test|spec)\.|_test\.'; then
  echo "tests are touched; check that they cover the changed behaviour"
else
  echo "no test file is touched"
fi

section "manifests, lock files, migrations, CI, permissions"
git diff --name-only "$fork" "$head" | grep -iE 'package.json|lock|requirements|pyproject|go\.(mod|sum)|Cargo\.|Gemfile|migrations?/|\.github/|\.gitlab|Dockerfile|compose' || echo none
git diff --summary "$fork" "$head" | grep -E 'mode change|delete mode|create mode 1207' || true

section "added lines to look at: leftovers"
flag 'TODO|FIXME|XXX|HACK|console\.log|debugger|dbg!|breakpoint\(|import pdb|fdescribe|[.]only\(|xit\(|skip\('
section "added lines to look at: swallowed errors and silenced checks"
flag 'catch *(\([^)]*\))? *[{] *[}]|except *(Exception)?:|pass *$|@ts-ignore|@ts-expect-error|eslint-disable|# *noqa|# *type: *ignore|nosec|unwrap\(\)|--no-verify'
section "added lines to look at: shell, SQL, deserialisation"
flag 'shell *= *True|os\.system|child_process|exec\(|eval\(|pickle\.|yaml\.load\(|innerHTML|dangerouslySetInnerHTML|(SELECT|INSERT|UPDATE|DELETE) .*(\+|\$[{]|%s|[{][a-z])'

section "whitespace and conflict markers"
git diff --check "$fork" "$head" | head -n 10 || true

section "merge with the base now"
if git merge-tree --write-tree "$base" "$head" >/dev/null 2>&1; then echo "merges cleanly"; else echo "CONFLICTS (or git older than 2.38)"; fi
