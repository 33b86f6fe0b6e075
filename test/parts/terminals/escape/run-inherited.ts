/** Started with descriptors that lead out: whether a command finds them. */
import { run } from '../../../../src/testing/conformance/terminal-commands.ts';
import { sandboxTerminal } from '../../../../src/parts/terminals/sandbox/sandbox.ts';

const [wall] = process.argv.slice(2);
const terminal = await sandboxTerminal({ wall: wall === 'attended' ? 'attended' : 'unattended' }).open({
  cwd: `${process.env['HOME'] ?? ''}/project`,
  env: { PATH: '/usr/bin:/bin' },
});
const look =
  'cat /proc/[0-9]*/fd/250/key /dev/fd/250/key; ls -l /proc/self/fd | grep "out$"; echo x >&251; ls -l /proc/[0-9]*/fd | grep -a "/out"';
for (const pty of [false, true]) console.log((await run(terminal, look, { pty })).output);
console.log('files', await terminal.files.list('/dev/fd/250').then((found) => found.map(({ name }) => name), String));
await terminal[Symbol.asyncDispose]();
process.exit(0);
