import { GIT_SSH_PORT } from './variables.ts';

export const SHIM_NAME = 'git-ssh';

/**
 * Stands in ssh's place for git, and with `--folder` for a remote that is a folder. Four connections to our loopback: one says
 * what is wanted and hears the exit code, the others are the three streams, each its own because bash cannot close one
 * direction of a connection.
 */
export const createGitSshShim = (bash: string): string => `#!${bash}
# In ssh's place for git in this sandbox: reaches the remotes the project had when the session began.
here=/dev/tcp/127.0.0.1/${GIT_SSH_PORT}
exec 7<&0
exec 3<>$here || { echo 'Blocked by the sandbox: git over ssh is not available here.' >&2; exit 255; }
# Where the commits are that a push sends, so that they can be compared with what is there.
case "$*" in
  --folder*|*git-receive-pack*) objects=$(CDPATH= cd -P -- "$(git rev-parse --git-path objects 2>/dev/null)" 2>/dev/null && pwd -P) ;;
esac
{
  printf 'run %d %s\\n%s\\n' "$#" "\${GIT_PROTOCOL:-none}" "\${objects:-none}"
  for word; do printf '%s\\n' "$word"; done
} >&3
IFS=' ' read -r answer rest <&3
if [ "$answer" != id ]; then
  printf '%s\\n' "$rest" >&2
  exit 255
fi
exec 4<>$here 5<>$here 6<>$here || exit 255
printf 'in %s\\n' "$rest" >&4
printf 'out %s\\n' "$rest" >&5
printf 'err %s\\n' "$rest" >&6
cat <&7 >&4 3>&- 4>&- 5>&- 6>&- 7<&- &
input=$!
cat <&5 3>&- 4>&- 5>&- 6>&- 7<&- &
output=$!
cat <&6 >&2 3>&- 4>&- 5>&- 6>&- 7<&- &
errors=$!
exec 4>&- 5>&- 6>&- 7<&-
IFS=' ' read -r answer code <&3
wait "$output" "$errors"
kill "$input" 2>/dev/null
[ "$answer" = exit ] || code=255
exit "$code"
`;
