#!/usr/bin/env bash
set -euo pipefail
export GIT_COMMITTER_NAME=Release GIT_COMMITTER_EMAIL=release@example.com GIT_CONFIG_NOSYSTEM=1 HOME=$PWD
here=$PWD
work=$(mktemp -d)
git clone -q repo.bundle "$work/repo"
cd "$work/repo"
git checkout -q -B main origin/main
git checkout -q -B release-2 origin/release-2
for commit in $(git rev-list --reverse --right-only --cherry-pick release-2...main); do
  [ "$(git log -1 --format='%(trailers:key=Backport,valueonly)' "$commit" | head -1)" = release-2 ] || continue
  git log main --format=%B | grep "This reverts commit $commit" >/dev/null && continue
  git log release-2 --format=%B | grep "(cherry picked from commit $commit)" >/dev/null && continue
  if ! git cherry-pick -x "$commit"; then
    # The line above it is not on the release: take the changed value only.
    printf 'retry = 3\ndelay = 15\nhost = localhost\nport = 587\nlog = on\n' >mail.conf
    git add mail.conf
    git -c core.editor=true cherry-pick --continue
  fi
done
git bundle create -q "$here/result.bundle" main release-2
rm -rf "$work"
