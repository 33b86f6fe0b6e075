#!/usr/bin/env bash
set -euo pipefail
work=$(mktemp -d)
git clone -q till.bundle "$work/till"
mkdir -p answer
here=$PWD
cd "$work/till"
# From the newest commit backwards: the oldest wrong one after the last right one.
first=
for commit in $(git rev-list main); do
  git checkout -q "$commit"
  case $(python3 -B till.py 1x0.25 SPRING10 2>/dev/null || echo broken) in
    0.23) first=$commit ;;
    0.22) break ;;
  esac
done
echo "$first" >"$here/answer/commit.txt"
git checkout -q main
sed 's|return round(cents \* rate / 100)|return (cents * rate + 50) // 100|' money.py >"$here/answer/money.py"
rm -rf "$work"
