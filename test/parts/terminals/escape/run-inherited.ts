/** Started with descriptors that lead out: whether a command finds them. */
import { run } from '../../../../src/testing/conformance/terminal-commands.ts';
import { probeFloor } from '../../../../src/parts/terminals/sandbox/floor-probe.ts';
import { sandboxTerminal } from '../../../../src/parts/terminals/sandbox/sandbox.ts';

const [wall, tier] = process.argv.slice(2);
const tools = tier === 'floor' ? await probeFloor('the sandbox around it is one') : undefined;
if (tools !== undefined && 'why' in tools) throw new Error(tools.why);
const terminal = await sandboxTerminal({
  wall: wall === 'attended' ? 'attended' : 'unattended',
  ...(tools !== undefined && { tools }),
}).open({
  cwd: `${process.env['HOME'] ?? ''}/project`,
  env: { PATH: '/usr/bin:/bin' },
});
const look =
  'cat /proc/[0-9]*/fd/250/key /dev/fd/250/key; ls -l /proc/self/fd | grep "out$"; echo x >&251; ls -l /proc/[0-9]*/fd | grep -a "/out"';
for (const pty of [false, true]) console.log((await run(terminal, look, { pty })).output);
console.log('files', await terminal.files.list('/dev/fd/250').then((found) => found.map(({ name }) => name), String));
await terminal[Symbol.asyncDispose]();
process.exit(0);
