/** Holds a floor with a command in it until it is killed: `node floor-owner.ts FOLDER`. */
import { probeFloor } from '../../../src/parts/terminals/sandbox/floor-probe.ts';
import { sandboxTerminal } from '../../../src/parts/terminals/sandbox/sandbox.ts';

const [folder = '/'] = process.argv.slice(2);
const tools = await probeFloor('a test asked for it');
if ('why' in tools) throw new Error(tools.why);
const terminal = await sandboxTerminal({ tools }).open({ cwd: folder, env: { PATH: '/usr/bin:/bin' } });
await terminal.start(`(setsid env -i sh -c 'echo $$ > ${folder}/pid; exec sleep 300' </dev/null >/dev/null 2>&1 &); sleep 300`, {
  maxOutput: 100,
});
setInterval(() => {}, 60_000);
