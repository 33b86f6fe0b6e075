import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Mcp } from '../../../src/parts/mcp/open.ts';
import { ODD_SERVER } from './odd-server.ts';
import { processesWith } from '../../processes.ts';
import { call, odd, openIn, until, wordsOf } from './setup.ts';

/** How a connection is lost, in turn. */
export const LOSSES = ['killed while idle', 'died in a call', 'closed by us'] as const;
export type Loss = (typeof LOSSES)[number];

export interface Reconnects {
  readonly loss: Loss;
  readonly reconnects: number;
  /** Calls after a loss that did not work. */
  readonly failed: number;
  /** Marks in the file beyond one for each call that was made. */
  readonly repeated: number;
  /** Processes of the servers that outlived the session, zombies left out. */
  readonly orphans: number;
  /** Dead children this process never collected. */
  readonly zombies: number;
  readonly seconds: number;
}

/** Loses and finds a server again and again, a third of the rounds in each way; those closed by us are servers that will not go. */
export async function reconnects(count: number, tell: (done: number) => void = () => {}): Promise<Reconnects[]> {
  const rows: Reconnects[] = [];
  for (const [index, loss] of LOSSES.entries()) {
    const share = Math.floor(count / LOSSES.length) + (index < count % LOSSES.length ? 1 : 0);
    rows.push(await inWay(loss, share, (done) => tell(rows.reduce((sum, row) => sum + row.reconnects, 0) + done)));
  }
  return rows;
}

async function inWay(loss: Loss, count: number, tell: (done: number) => void): Promise<Reconnects> {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-mcp-'));
  const mark = `reconnect-${process.pid}-${LOSSES.indexOf(loss)}`;
  const file = join(folder, 'marks');
  const started = performance.now();
  const server = odd('plain', { args: [ODD_SERVER, loss === 'closed by us' ? 'stubborn' : 'plain', mark] });
  const found = { failed: 0, marks: 0 };
  try {
    let mcp = await openIn(folder, [server]);
    for (let round = 0; round < count; round++) {
      found.marks += await lose(loss, mcp, file);
      if (loss === 'closed by us') {
        await mcp[Symbol.asyncDispose]();
        mcp = await openIn(folder, [server]);
      }
      found.failed += wordsOf(await call(mcp, 'mcp__odd__echo', { text: `${round}` })) === `${round}` ? 0 : 1;
      tell(round + 1);
    }
    await mcp[Symbol.asyncDispose]();
    const orphans = await until(
      () => processesWith(mark),
      (left) => left.length === 0,
      5_000,
    ).catch(() => processesWith(mark));
    const repeated = found.marks === 0 ? 0 : readFileSync(file, 'utf8').split('\n').length - 1 - found.marks;
    const seconds = Math.round((performance.now() - started) / 1_000);
    return { loss, reconnects: count, failed: found.failed, repeated, orphans: orphans.length, zombies: zombies(), seconds };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Loses the connection; gives how many marks it should have left. */
async function lose(loss: Loss, mcp: Mcp, file: string): Promise<number> {
  if (loss === 'died in a call') {
    await call(mcp, 'mcp__odd__mark_and_die', { file });
    return 1;
  }
  const pid = Number(wordsOf(await call(mcp, 'mcp__odd__pid')));
  if (loss === 'killed while idle') {
    process.kill(pid, 'SIGKILL');
    await until(
      () => isThere(pid),
      (there) => !there,
    );
  }
  return 0;
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Children of this process that are dead and not collected; 0 where the system does not tell. */
function zombies(): number {
  if (process.platform !== 'linux') return 0;
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
  return children.filter((pid) => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
  }).length;
}
