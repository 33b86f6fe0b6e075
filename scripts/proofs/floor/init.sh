#!/bin/busybox sh
# The first process of a machine without anything but busybox: tries every attempt at every level of Landlock that the kernel has.
/bin/busybox --install -s /bin
export PATH=/bin
mount -t proc proc /proc
mount -t devtmpfs dev /dev
mkdir -p /home /work /run /own/tmp /own/home /own/bin /own/room /own/sockets
ifconfig lo 127.0.0.1 up
chown -R 1000:1000 /home /work /run /own
as="inside as 1000"
level=$(launcher level)
echo "@kernel $(uname -r)"
echo "@level $level"
if [ "$level" = 0 ]; then
  echo "@none $(launcher hold /plans/rules-1 /run/none 2>&1 </dev/null)"
  poweroff -f
fi
[ "$level" -gt 6 ] && level=6
for port in 8080 8001 8090 @engine /home/socket; do $as inside serve $port & done
at=1
while [ $at -le $level ]; do
  rm -rf /work/* /run/*
  victim=none
  echo notes >/home/notes
  echo secret >/home/key
  [ -c /home/device ] || mknod -m 666 /home/device c 1 5
  chown -R 1000:1000 /home
  chmod 600 /home/key
  chmod 644 /home/notes
  touch -d "2001-09-09 01:46:40" /home/notes
  $as inside serve /work/socket & inner=$!
  $as inside control /run/control 8080 & echo $! >/control.pid
  sleep 9999 | $as launcher hold /plans/rules-$at /run/ruleset >/dev/null &
  while [ ! -S /run/ruleset ] || [ ! -S /run/control ] || [ ! -S /work/socket ]; do sleep 1; done
  for each in /attempts/*/inside; do
    folder=${each%/inside}
    if ! grep -q "^State:.[RS]" "/proc/$victim/status" 2>/dev/null; then
      $as sleep 8888 &
      victim=$!
      echo $victim >/work/victim
    fi
    said=$($as launcher run /plans/plan-$at - /bin/sh $each 3</dev/null 9</home/notes; echo $?; [ -f $folder/outside ] && $as /bin/sh $folder/outside)
    echo "@said $at ${folder##*/} "$said
  done
  kill $inner
  at=$((at + 1))
done
poweroff -f
