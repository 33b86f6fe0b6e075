/** Plays the steps of a story on its terminal as they are told over a socket, and says when the terminal has taken each. */
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import type { TerminalSize } from '../../../../src/faces/tui/contract.ts';
import { createMainScreen } from '../../../../src/faces/tui/screen/main-screen.ts';
import { SHELL_LINES } from './oracle.ts';
import type { Step } from './story.ts';

const steps = connect(process.argv[2] ?? '');
process.stdin.setRawMode(true);
process.stdin.setEncoding('utf8').resume();
process.stdout.on('resize', () => undefined);

let log = '';
const write = (bytes: string): void => {
  log += bytes;
  process.stdout.write(bytes);
};
/** The terminal answers once it has come to the question, so after everything before it. */
async function settle(): Promise<void> {
  const answered = new Promise<void>((done) => process.stdin.once('data', () => done()));
  process.stdout.write('\u001b[5n');
  await answered;
}
async function hearOf({ columns, rows }: TerminalSize): Promise<void> {
  for (;;) {
    const [now, high] = process.stdout.getWindowSize();
    if (now === columns && high === rows) return;
    await new Promise((done) => setTimeout(done, 2));
  }
}
const answer = (): void => {
  steps.write(`${JSON.stringify(log)}\n`);
  log = '';
};

process.stdout.write(`${SHELL_LINES.join('\r\n')}\r\n`);
await settle();
const [columns, rows] = process.stdout.getWindowSize();
let clock = 1_000;
const screen = createMainScreen(write, { columns, rows }, { reflow: () => 'exact', now: () => clock });
let told: TerminalSize | undefined;
answer();
for await (const line of createInterface(steps)) {
  const step = JSON.parse(line) as Step | 'close';
  if (step === 'close') screen.close();
  else if (step.type === 'resize') {
    await hearOf(step.size);
    if (step.unheard !== true) {
      if (told !== undefined) screen.resize(told);
      told = step.size;
    }
  } else {
    clock += step.ms;
    if (step.late === undefined && told !== undefined) screen.resize(told);
    if (step.late === undefined) told = undefined;
    screen.update(step.printed, step.frame);
  }
  await settle();
  answer();
}
