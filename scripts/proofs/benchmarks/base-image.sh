#!/usr/bin/env bash
# Makes localhost/hermes-tasks:1 of this machine's own files, for places that reach no registry; tasks/Dockerfile is for all others.
#   base-image.sh PODMAN [OPTION…]
set -eu
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir -p "$root"/{usr/bin,usr/lib,usr/share,tmp,root,etc,proc,sys,dev,run,var/tmp,home,app,logs,tests,solution}
chmod 1777 "$root/tmp" "$root/var/tmp"
for name in bin lib lib64; do ln -s "usr/$name" "$root/$name"; done
mkdir -p "$root/usr/lib64"
printf 'root:x:0:0:root:/root:/bin/bash\n' >"$root/etc/passwd"
printf 'root:x:0:\n' >"$root/etc/group"
programs="bash sh env python3 git awk mawk gawk sed grep find xargs tar gzip gunzip diff cmp patch sort uniq cut paste join comm tr head tail wc cat tee ls cp mv rm
 mkdir rmdir ln chmod chown touch stat readlink realpath dirname basename date seq sleep timeout printf echo test true false id whoami pwd expr nl od base64 md5sum sha1sum
 sha256sum split fold rev tac shuf mktemp mkfifo sync nproc uname hostname ps kill pkill setsid nohup xz bzip2 file perl tsort numfmt install du df which tput column cksum"
for name in $programs; do
  file=$(PATH=/usr/bin:/bin:/usr/sbin:/sbin command -v -- "$name" || true)
  # Builtins answer with their name alone.
  case $file in /*) ;; *) for place in /usr/bin /bin; do [ -x "$place/$name" ] && file=$place/$name && break; done ;; esac
  case $file in /*) cp -L "$file" "$root/usr/bin/$name" ;; esac
done
cp -a /usr/lib/python3.11 "$root/usr/lib/"
rm -rf "$root"/usr/lib/python3.11/{test,idlelib,ensurepip}
[ -d /usr/lib/git-core ] && cp -a /usr/lib/git-core "$root/usr/lib/"
[ -d /usr/share/git-core ] && cp -a /usr/share/git-core "$root/usr/share/"
[ -d /usr/lib/locale/C.utf8 ] && mkdir -p "$root/usr/lib/locale" && cp -a /usr/lib/locale/C.utf8 "$root/usr/lib/locale/"
find "$root/usr/bin" "$root/usr/lib/python3.11/lib-dynload" "$root/usr/lib/git-core" -type f -exec ldd {} + 2>/dev/null |
  grep -o '/[^ )]*' | grep -E '^/(usr/)?lib' | sort -u | while read -r library; do
  mkdir -p "$root/usr/lib/$(dirname "${library#/usr}" | sed 's#^/lib/*##')"
  case $library in
    /lib64/* | /usr/lib64/*) cp -L "$library" "$root/usr/lib64/" ;;
    *) mkdir -p "$root$(dirname "$library")" && cp -nL "$library" "$root$library" ;;
  esac
done
tar -C "$root" -cf "$root.tar" .
"$@" import -q "$root.tar" localhost/hermes-tasks:1
rm -f "$root.tar"
