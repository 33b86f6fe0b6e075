import { definePlugin } from 'hermes-ts/plugin';

const settings = {
  niceness: { kind: 'integer', min: 1, max: 19, default: 19, describe: 'How far commands step back behind everything else' },
} as const;

/**
 * A terminal back end is a way to start a bash somewhere. This one starts it here, behind everything else; `docker exec -i NAME`,
 * `ssh HOST` or `sudo -u USER` in front of it would do the same elsewhere. Nothing keeps these commands in.
 */
export default definePlugin({
  name: 'gentle',
  settings,
  setup: (host, { niceness }) =>
    void host.terminals.add({
      name: 'gentle',
      open: ({ openOverShell }) => ({
        kind: 'gentle',
        open: ({ cwd, env }) =>
          openOverShell({
            kind: 'gentle',
            name: 'this machine, gently',
            cwd,
            env,
            command: (script) => ['nice', '-n', String(niceness), 'bash', '-c', script],
          }),
      }),
    }),
});
