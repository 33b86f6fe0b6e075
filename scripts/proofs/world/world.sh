#!/bin/bash
# A throw-away machine for one row of a corpus: a disk that cannot be written but for fresh folders, a home with fake secrets,
# a network that ends in servers of ours. Needs root. Nothing of the real machine can be changed from inside, whoever runs there.
#   world.sh UID [plain] <order.json >result.json     the order is carried out by row.ts as UID (0 or 1000)
# `plain`: a home and a working folder with nothing in them, at /home and /work, as the rows of test/fixtures/commands know it.
set -u
if [ "${WORLD_INSIDE:-}" = "" ]; then
  export WORLD_INSIDE=1
  exec unshare --mount --net --uts --ipc --pid --fork --kill-child --mount-proc /bin/bash "$0" "$@"
fi
unset WORLD_INSIDE
uid=$1
plain=${2:-}
project=$(cd "$(dirname "$0")/../../.." && pwd)
modules=$(readlink -f "$project/node_modules")
set -e
mount --make-rprivate /
stage=$(mktemp -d /dev/shm/world-XXXXXX)
mount -t tmpfs tmpfs "$stage"
mkdir "$stage/mnt" "$stage/mnt/hermes" "$stage/mnt/modules" "$stage/mnt/out"
chmod 1777 "$stage/mnt/out"
cat >"$stage/mnt/order.json"
cp -a /etc "$stage/etc"
mount --bind "$project" "$stage/mnt/hermes"
mount --bind "$modules" "$stage/mnt/modules"
[ -z "${WORLD_RELAY:-}" ] || { mkdir -m 700 "$stage/mnt/relay" && mount --bind "$WORLD_RELAY" "$stage/mnt/relay"; }
unset WORLD_RELAY
# Toolchains of whoever runs this, as the owner's own in his home.
for tool in .cargo/bin .rustup .pyenv .nvm; do
  [ -d ~/"$tool" ] && mkdir -p "$stage/home/$tool" && mount --bind ~/"$tool" "$stage/home/$tool"
done
# Every disk becomes read-only in here, one mount after the other.
while read -r _ _ _ _ at _ rest; do
  case " $rest" in
    *' - tmpfs '* | *' - proc '* | *' - sysfs '* | *' - devtmpfs '* | *' - devpts '* | *' - cgroup'* | *' - mqueue '*) ;;
    *) mount -o remount,bind,ro "$at" 2>/dev/null || true ;;
  esac
done </proc/self/mountinfo
mount --bind "$stage/etc" /etc
mount --rbind "$stage/mnt" /mnt
for folder in /home /srv /tmp /var/tmp /run /root /media; do
  [ -d "$folder" ] && mount -t tmpfs tmpfs "$folder"
done
chmod 1777 /tmp /var/tmp
mkdir -p /var/log && mount -t tmpfs tmpfs /var/log && mkdir -m 755 /var/log/world
mkdir -p /var/spool 2>/dev/null; mount -t tmpfs tmpfs /var/spool
mkdir -p /var/spool/cron/crontabs
if [ "$plain" = plain ]; then
  mkdir -p /work && mount -t tmpfs tmpfs /work
  mkdir -p /srv/git
  chown -R "$uid:$uid" /home /work /srv
  export HOME=/home PROJECT=/work ROOT= OUT=/var/log/world/output
  : >"$OUT" && chown "$uid" "$OUT"
else
  mkdir -p /home/dev /srv/git
  chown "$uid:$uid" /home/dev && chown -R "$uid:$uid" /srv
  for tool in .cargo/bin .rustup .pyenv .nvm; do
    [ -d "$stage/home/$tool" ] || continue
    mkdir -p "/home/dev/$tool" && chown "$uid:$uid" "/home/dev/${tool%%/*}" && mount --bind "$stage/home/$tool" "/home/dev/$tool"
  done
  export HOME=/home/dev PROJECT=/home/dev/code/app
fi
# Devices of our own: as root a row could otherwise write to a disk.
mkdir /run/dev && mount -t tmpfs tmpfs /run/dev
for name in null zero full random urandom tty; do
  touch "/run/dev/$name" && mount --bind "/dev/$name" "/run/dev/$name"
done
mkdir /run/dev/pts /run/dev/shm
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts /run/dev/pts
mount -t tmpfs tmpfs /run/dev/shm && chmod 1777 /run/dev/shm
ln -s pts/ptmx /run/dev/ptmx
ln -s /proc/self/fd /run/dev/fd
for pair in stdin:0 stdout:1 stderr:2; do ln -s "/proc/self/fd/${pair#*:}" "/run/dev/${pair%:*}"; done
mount --move /run/dev /dev && rmdir /run/dev

# What is not installed there: with its place taken by something that cannot be run, it is not found.
for program in ${WORLD_WITHOUT:-}; do
  at=$(command -v "$program") && mount --bind /dev/null "$(readlink -f "$at")"
done
unset WORLD_WITHOUT
hostname workbench
ip link set lo up
ip addr add 8.7.6.5/32 dev lo
printf '127.0.0.1 localhost workbench\n8.7.6.5 collect.example\n' >/etc/hosts
rm -f /etc/resolv.conf && printf 'nameserver 8.7.6.5\noptions timeout:1 attempts:1\n' >/etc/resolv.conf
sed -i '/^[^:]*:[^:]*:1000:/d' /etc/passwd /etc/group
printf 'dev:x:1000:1000:dev:/home/dev:/bin/bash\n' >>/etc/passwd
printf 'dev:x:1000:\n' >>/etc/group
set +e
node=$(readlink -f /mnt/modules/.bin/node)
export SINK_LOG=/var/log/world/sink.log
: >"$SINK_LOG" && chmod 644 "$SINK_LOG"
cd /mnt/hermes || exit 99
"$node" scripts/proofs/world/services.ts >/var/log/world/ready 2>/var/log/world/services.err &
for _ in $(seq 200); do
  [ -s /var/log/world/ready ] && break
  sleep 0.02
done
export USER=dev LOGNAME=dev SHELL=/bin/bash SINK_URL=http://collect.example:8080
export PATH=$HOME/.local/bin:$HOME/bin:$HOME/.cargo/bin:/usr/local/go/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
drop=(setpriv --reuid="$uid" --regid="$uid" --clear-groups)
[ "$uid" = 0 ] || drop+=(--inh-caps=-all)
timeout "${WORLD_SECONDS:-240}" "${drop[@]}" "$node" scripts/proofs/world/row.ts /mnt/order.json /mnt/out/result.json >/var/log/world/row.log 2>&1
code=$?
if [ -s /mnt/out/result.json ]; then cat /mnt/out/result.json; else cat /var/log/world/row.log /var/log/world/services.err >&2 && exit 98; fi
exit "$code"
