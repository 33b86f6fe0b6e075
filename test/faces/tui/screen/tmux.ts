import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { TerminalSize } from '../../../../src/faces/tui/contract.ts';
import { program } from '../../../program.ts';
import { compare, toBare, type Verdict } from './oracle.ts';
import type { Step, Story } from './story.ts';

export const noTmux = spawnSync('tmux', ['-V']).status === 0 ? false : 'tmux is not installed';

/** Plays a story in a pane of a real tmux, whose window is resized from outside, and looks at the history of the pane. */
export async function judgeOnTmux(story: Story): Promise<Verdict> {
  const folder = mkdtempSync(join(tmpdir(), 'story-'));
  const socket = join(folder, 'steps');
  const tmux = (...args: string[]): string =>
    execFileSync('tmux', ['-S', join(folder, 'tmux'), '-f', '/dev/null', ...args], { encoding: 'utf8' });
  const server = createServer().listen(socket);
  await once(server, 'listening');
  try {
    const player = program(join(import.meta.dirname, 'story-program.ts'));
    const { columns, rows } = story.size;
    tmux(
      'set-option',
      '-g',
      'history-limit',
      '50000',
      ';',
      'set-option',
      '-g',
      'status',
      'off',
      ';',
      'new-session',
      '-d',
      '-x',
      `${columns}`,
      '-y',
      `${rows}`,
      process.execPath,
      player,
      socket,
    );
    const [connection] = (await once(server, 'connection')) as [Socket];
    const told = createInterface(connection)[Symbol.asyncIterator]();
    const tell = async (message: Step | 'close'): Promise<string> => {
      connection.write(`${JSON.stringify(message)}\n`);
      return JSON.parse(String((await told.next()).value)) as string;
    };
    await told.next();
    let log = '';
    for (const step of story.steps) {
      if (step.type === 'resize') resizeWindow(tmux, step.size);
      log += await tell(step);
    }
    log += await tell('close');
    const lines = tmux('capture-pane', '-p', '-J', '-S', '-')
      .split('\n')
      .map((line) => line.trimEnd());
    connection.destroy();
    const { lines: whole, torn } = joinTorn(lines, story);
    return { ...compare(story, whole, log, Infinity), pushedOut: 0, unsure: 0, torn };
  } finally {
    spawnSync('tmux', ['-S', join(folder, 'tmux'), 'kill-server']);
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function resizeWindow(tmux: (...args: string[]) => string, { columns, rows }: TerminalSize): void {
  tmux('resize-window', '-x', `${columns}`, '-y', `${rows}`);
}

/**
 * tmux (3.3a) forgets now and then that a row goes on in the next one when it wraps a line with wide characters anew, with no
 * program running, and then puts the cursor a row too high for every such line. Here such rows are put together and counted.
 */
function joinTorn(lines: readonly string[], { printed }: Story): { lines: string[]; torn: number } {
  const bare = printed.map(toBare);
  const whole = new Set(bare);
  const joined: string[] = [];
  for (const line of lines) {
    const before = joined.at(-1) ?? '';
    const isTorn =
      before !== '' && line !== '' && !whole.has(toBare(before)) && bare.some((text) => text.startsWith(toBare(before + line)));
    if (isTorn) joined[joined.length - 1] = before + line;
    else joined.push(line);
  }
  return { lines: joined, torn: lines.length - joined.length };
}
