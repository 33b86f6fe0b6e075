#!/usr/bin/env bash
set -euo pipefail
for door in north south yard; do sed "s/\$/ door=$door/" "doors/$door.log"; done | sort |
  awk '$1 < "13:30:00" && $2 != "DENIED" && !/note=no-passage/ {
      badge = substr($3, 7); door = $NF; sub("door=", "", door)
      last[badge] = $2; line[badge] = badge " " $1 " " door
    }
    END { for (badge in last) if (last[badge] == "IN") print line[badge] }' | sort >inside.txt
