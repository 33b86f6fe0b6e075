#!/usr/bin/env bash
# One read-only snapshot of a host and, when named, of one systemd unit. Works without root, shows more with it.
#   triage.sh [UNIT] [PORT]
set -u
unit=${1:-} port=${2:-}

section() { printf '\n== %s\n' "$1"; }
have() { command -v "$1" >/dev/null 2>&1; }
quick() { timeout 10 "$@" 2>&1; }

section "host"
date -u '+%F %T UTC'
uptime
echo "cores: $(nproc)"
if [ -r /proc/pressure/memory ]; then
  for kind in cpu memory io; do printf '%s ' "$kind"; grep -m1 some "/proc/pressure/$kind"; done
fi
free -m
df -hP -x tmpfs -x devtmpfs -x overlay 2>/dev/null | awk 'NR == 1 || int($5) >= 85'
df -iP -x tmpfs -x devtmpfs -x overlay 2>/dev/null | awk 'NR > 1 && int($5) >= 85 { print "inodes: " $0 }'

section "who uses the CPU and the memory"
# The second round of top is the load now; pcpu of ps is the average over a process's whole life.
if have top; then top -b -n 2 -d 1 -w 120 2>/dev/null | awk '/^top -/ { round++ } round == 2 && /^ *[0-9]|PID/' | head -n 8; fi
ps -eo pid,stat,rss,pmem,comm --sort=-rss | head -n 6

section "processes that wait for the disk (state D)"
ps -eo pid,stat,wchan:24,comm | awk 'NR == 1 || $2 ~ /^D/'

section "killed for lack of memory"
{ quick journalctl -k --no-pager -q --since '-24h' || quick dmesg; } 2>/dev/null | grep -iE 'out of memory|oom-kill|killed process' | tail -n 5

if [ -n "$unit" ] && have systemctl; then
  section "unit $unit"
  quick systemctl show "$unit" -p ActiveState,SubState,Result,ExecMainStatus,NRestarts,MainPID,ActiveEnterTimestamp,MemoryCurrent,MemoryMax,TasksCurrent,TasksMax,LimitNOFILE,FragmentPath,DropInPaths,NeedDaemonReload
  quick journalctl -u "$unit" --no-pager -q -n 40 -o short-iso
  pid=$(quick systemctl show "$unit" -p MainPID --value)
  if [ "${pid:-0}" -gt 0 ] 2>/dev/null && [ -d "/proc/$pid" ]; then
    echo "open files: $(ls "/proc/$pid/fd" 2>/dev/null | wc -l) of $(awk '/open files/ { print $4 }' "/proc/$pid/limits" 2>/dev/null)"
    echo "threads: $(ls "/proc/$pid/task" | wc -l)"
  fi
fi

section "listening sockets (Recv-Q near Send-Q means the accept queue is full)"
have ss && quick ss -ltnp | head -n 25
section "TCP states"
have ss && quick ss -s | head -n 8
if [ -n "$port" ] && have ss; then
  echo "connections on port $port by state:"
  quick ss -Htan "( sport = :$port or dport = :$port )" | awk '{ n[$1]++ } END { for (s in n) print n[s], s }' | sort -nr
fi
exit 0
