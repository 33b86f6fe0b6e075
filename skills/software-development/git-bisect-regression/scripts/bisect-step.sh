#!/usr/bin/env bash
# One step for `git bisect run`: build, then repeat a test, and answer in the exit codes bisect understands.
#   bisect-step.sh [-b BUILD] [-n TIMES] [-t SECONDS] [-m TEXT] -- TEST...
#   -b  build command; when it fails the commit is skipped (125)
#   -n  run the test this often; one failure makes the commit bad (for flaky faults)
#   -t  limit of one test run in seconds; running into it counts as bad
#   -m  only a failure whose output holds this text is bad; any other failure is skipped (125)
set -u

build='' times=1 limit=0 text=''
while getopts 'b:n:t:m:' flag; do
  case $flag in
    b) build=$OPTARG ;;
    n) times=$OPTARG ;;
    t) limit=$OPTARG ;;
    m) text=$OPTARG ;;
    *) exit 128 ;;
  esac
done
shift $((OPTIND - 1))
if [ $# -eq 0 ]; then
  echo 'bisect-step: no test command after --' >&2
  exit 128 # 128 and above stops the whole bisect instead of blaming a commit
fi

log=$(mktemp) || exit 128
trap 'rm -f "$log"' EXIT

run_test() {
  if [ "$limit" -gt 0 ]; then timeout "$limit" "$@"; else "$@"; fi
}

if [ -n "$build" ] && ! bash -c "$build" >"$log" 2>&1; then
  echo "bisect-step: build failed, skipped" >&2
  tail -n 5 "$log" >&2
  exit 125
fi

for round in $(seq "$times"); do
  run_test "$@" >"$log" 2>&1
  code=$?
  [ "$code" -eq 0 ] && continue
  # 126 and 127 are a command that could not start: that says nothing about the commit.
  if [ "$code" -eq 126 ] || [ "$code" -eq 127 ]; then
    echo "bisect-step: the test could not be started ($code), skipped" >&2
    exit 125
  fi
  if [ -n "$text" ] && ! grep -qF -- "$text" "$log"; then
    echo "bisect-step: failed for another reason ($code), skipped" >&2
    tail -n 5 "$log" >&2
    exit 125
  fi
  echo "bisect-step: bad in round $round (exit $code)" >&2
  exit 1
done
exit 0
