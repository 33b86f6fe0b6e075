#!/usr/bin/env bash
set -euo pipefail
export LC_ALL=C
names() { tr -d '\r' | sed 's/#.*//' | tr 'A-Z' 'a-z'; }
split() { tr -s ' \t' '\n\n' | sed -e 's/\.$//' -e '/^$/d'; }
{
  for list in lists/one.txt lists/three.txt; do names <"$list"; echo; done | split
  names <lists/two.txt | awk '{ for (i = 2; i <= NF; i++) print $i }' | split | sed '/^localhost$/d'
} | sort -u | awk 'NR == FNR { allowed[$0] = 1; next }
  { name = $0; while (1) { if (name in allowed) next; if (!(i = index(name, "."))) break; name = substr(name, i + 1) } print }' \
  <(names <lists/allowed.txt | split) - >blocked.txt
