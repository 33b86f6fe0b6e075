/** The smallest program on the device: shows each key in a frame, and does what some keys ask for. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createMainScreen } from '../../../../src/faces/tui/screen/main-screen.ts';
import { createProcessTerminal } from '../../../../src/faces/tui/terminal/process-terminal.ts';

if (process.env['KEY_PROGRAM_PID'] !== undefined) writeFileSync(process.env['KEY_PROGRAM_PID'], String(process.pid));
const device = createProcessTerminal(process);
const screen = createMainScreen(device.write, device.size, device.screenOptions);
const keys: string[] = [];
let printed: string[] = [];
let note = '';

function draw(): void {
  screen.resize(device.size);
  screen.update(printed, { lines: ['─'.repeat(device.size.columns), `keys ${keys.join(' ')}`, note], cursor: { row: 1, column: 5 } });
  printed = [];
}
async function quit(code: number): Promise<void> {
  screen.close();
  await device.stop();
  process.exitCode = code;
}
const ACTS: Readonly<Record<string, () => void>> = {
  q: () => void quit(0),
  p: () => printed.push(`printed ${keys.length}`),
  z: () => device.suspend(),
  x: () => {
    throw new Error('a crash on purpose');
  },
  e: () => void device.lend(async () => spawnSync('sh', ['-c', 'echo lent; read answer; echo "got $answer"'], { stdio: 'inherit' })),
};
device.start({
  key(data) {
    keys.push(JSON.stringify(data));
    ACTS[data]?.();
    draw();
  },
  resize: draw,
  pause: () => screen.close(),
  redraw: draw,
  leave: (signal) => void quit(signal === 'SIGHUP' ? 129 : 143),
});
void device.background.then((look) => {
  note = `background ${String(look)} reflow ${device.screenOptions.reflow?.()}`;
  draw();
});
draw();
