#!/usr/bin/env bash
# Where the space went, without changing anything and without writing temporary files.
#   disk-report.sh [PATH]     PATH is any folder on the full filesystem; default /
set -u
path=${1:-/}
[ -d "$path" ] || { echo "disk-report: $path is not a folder" >&2; exit 2; }

section() { printf '\n== %s\n' "$1"; }
have() { command -v "$1" >/dev/null 2>&1; }

section "space and inodes of $path"
df -h "$path"
df -i "$path"

section "largest folders on this filesystem (KiB, two levels)"
du -xk --max-depth=2 "$path" 2>/dev/null | sort -nr | head -n 20

section "largest files on this filesystem"
find "$path" -xdev -type f -size +100M -printf '%s\t%TY-%Tm-%Td\t%p\n' 2>/dev/null | sort -nr | head -n 20

section "deleted but still open (bytes on disk, pid, descriptor, name)"
for link in /proc/[0-9]*/fd/*; do
  name=$(readlink "$link" 2>/dev/null) || continue
  case $name in /memfd:* | /dev/zero* | /SYSV* | /dev/shm/*) continue ;; *' (deleted)') ;; *) continue ;; esac
  blocks=$(stat -Lc '%b' "$link" 2>/dev/null) || continue
  pid=${link#/proc/}
  printf '%s\t%s\t%s\t%s\n' "$((blocks * 512))" "${pid%%/*}" "${link##*/}" "$name"
done | sort -nr | head -n 15
[ "$(id -u)" -eq 0 ] || echo "(not root: files of other users are not seen)"

section "things that can grow without anybody noticing"
have journalctl && journalctl --disk-usage 2>/dev/null
have docker && timeout 10 docker system df 2>/dev/null
for folder in /var/lib/docker/containers /var/log /var/crash /var/lib/systemd/coredump /var/cache/apt/archives /var/tmp /tmp; do
  [ -d "$folder" ] && timeout 20 du -xsh "$folder" 2>/dev/null
done

section "folders with the most entries (matters when inodes are full)"
find "$path" -xdev -printf '%h\n' 2>/dev/null | awk '{ n[$0]++ } END { for (d in n) if (n[d] > 5000) print n[d] "\t" d }' | sort -nr | head -n 10
exit 0
