#!/usr/bin/env bash
# Copies a Hermes home into one archive: a consistent copy of the session store plus the files around it.
#   backup-home.sh TARGET_FOLDER [--with-secrets]
# Without --with-secrets the keys stay behind. The archive is readable by its owner only.
set -euo pipefail
umask 077

target=${1:?backup-home: name the folder for the archive}
secrets=${2:-}
home=${HERMES_HOME:-$HOME/.hermes}
hermes=${HERMES_BIN:-hermes}
[ -d "$home" ] || { echo "backup-home: $home is not there; nothing to back up" >&2; exit 2; }
case $secrets in '' | --with-secrets) ;; *) echo "backup-home: unknown option $secrets" >&2; exit 2 ;; esac

# Compared as real paths, before anything is made.
real() { (cd "$1" 2>/dev/null && pwd -P) || echo "$(real "$(dirname "$1")")/$(basename "$1")"; }
case "$(real "$target")/" in
  "$(real "$home")"/*) echo "backup-home: $target lies inside the home; choose a folder elsewhere" >&2; exit 2 ;;
esac

mkdir -p "$target"
stage=$(mktemp -d "$target/.stage.XXXXXX")
trap 'rm -rf "$stage"' EXIT
mkdir "$stage/home"

# A store of an earlier version gets its present name with the first command.
[ -f "$home/sessions.db" ] || HERMES_HOME="$home" "$hermes" sessions list --limit 1 >/dev/null

# Everything but what is derived, what belongs to the live database, and keys.
leave=(--exclude=./sessions.db --exclude=./sessions.db-wal --exclude=./sessions.db-shm --exclude=./cache --exclude=./logs)
[ "$secrets" = --with-secrets ] || leave+=(--exclude=./.env --exclude=./auth.json --exclude=./mcp-tokens)
tar -C "$home" "${leave[@]}" -cf - . | tar -C "$stage/home" -xpf -
# Of the cache only the spilled results count: stored sessions refer to them by path.
if [ -d "$home/cache/spillover" ]; then
  mkdir -p "$stage/home/cache"
  cp -Rp "$home/cache/spillover" "$stage/home/cache/"
fi

if [ -f "$home/sessions.db" ]; then
  HERMES_HOME="$home" "$hermes" sessions backup "$stage/home/sessions.db" >/dev/null
  # A backup that was not read back is a hope.
  HERMES_HOME="$stage/home" "$hermes" sessions list --json --limit 1000000 >"$stage/sessions.json"
  if command -v sqlite3 >/dev/null; then
    found=$(sqlite3 "$stage/home/sessions.db" 'pragma integrity_check')
    [ "$found" = ok ] || { echo "backup-home: the copy is damaged: $found" >&2; exit 1; }
  fi
  rows=$(grep -o '"id"' "$stage/sessions.json" | wc -l)
  echo "sessions in the copy: $((rows))"
fi

archive="$target/hermes-home-$(date +%Y%m%d-%H%M%S).tar.gz"
tar -C "$stage/home" -czf "$archive.part" .
tar -tzf "$archive.part" >/dev/null
mv "$archive.part" "$archive"
echo "$archive"
(cd "$target" && { sha256sum "${archive##*/}" 2>/dev/null || shasum -a 256 "${archive##*/}"; }) | tee "$archive.sha256"
