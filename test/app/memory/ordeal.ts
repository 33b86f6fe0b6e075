import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isObject, parseJson } from '../../../src/base/json.ts';
import { openSqliteStore } from '../../../src/parts/store/sqlite/store.ts';
import { createSeededRandom } from '../../../src/testing/seeded-random.ts';
import { program } from '../../program.ts';

export interface SyncOrdeal {
  readonly kills: number;
  readonly sessions: number;
  /** Turns that are over in the log. */
  readonly finished: number;
  /** Tellings of turns, repeated ones among them. */
  readonly told: number;
  readonly repeated: number;
  /** Sessions that ended in the log, and tellings of ends, repeated ones among them. */
  readonly ended: number;
  readonly ends: number;
  readonly repeatedEnds: number;
  readonly faults: readonly string[];
}

const TALKER = program(join(import.meta.dirname, 'talker.ts'));

/**
 * What a process must have done before it is killed: begun, finished a turn, asked for a session's end, had it, and told its
 * provider of an end so far that the answer is all that is missing.
 */
const MARKS = ['begun', 'turn', 'ending', 'ended', 'telling end'] as const;

/** Kills a process that talks, at random points, so many times; then lets one finish, and holds what was told against the log. */
export async function runSyncOrdeal(kills: number, seed: string, longestMs = 60): Promise<SyncOrdeal> {
  const home = mkdtempSync(join(tmpdir(), 'hermes-memory-ordeal-'));
  const file = join(home, 'told.jsonl');
  const chance = createSeededRandom(seed);
  try {
    for (let round = 0; round < kills; round++) {
      const child = start(home, file, 'talk');
      const gone = once(child, 'exit');
      await Promise.race([hasSaid(child, MARKS[round % MARKS.length] ?? 'begun'), gone]);
      await new Promise((resolve) => setTimeout(resolve, chance.int(0, longestMs)));
      child.kill('SIGKILL');
      await gone;
    }
    const last = start(home, file, 'drain');
    last.stdout?.resume();
    const [code] = await once(last, 'exit');
    return { kills, ...(await judge(home, file)), ...(code === 0 ? {} : { faults: [`the last process ended with ${String(code)}`] }) };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

const start = (home: string, file: string, what: 'talk' | 'drain'): ChildProcess =>
  spawn(process.execPath, [TALKER, home, file, what], { stdio: ['ignore', 'pipe', 'inherit'], env: { PATH: process.env['PATH'] } });

/** Reads on to the end: a process whose output nobody reads would end by itself. */
function hasSaid(child: ChildProcess, mark: string): Promise<void> {
  let said = '';
  return new Promise((resolve) => child.stdout?.on('data', (chunk) => (said += String(chunk)).includes(`${mark}\n`) && resolve()));
}

async function judge(home: string, file: string): Promise<Omit<SyncOrdeal, 'kills'>> {
  await using store = await openSqliteStore({ path: join(home, 'sessions.db') });
  const lines = (existsSync(file) ? readFileSync(file, 'utf8') : '').split('\n').map(parseJson).filter(isObject);
  const turns = lines.filter(({ type }) => type === 'turn');
  const sessions = await store.list();
  let [finished, ended] = [0, 0];
  const faults: string[] = [];
  for (const { id, endedAt } of sessions) {
    const over = (await store.entries(id)).flatMap((entry) =>
      entry.type === 'outcome' && entry.outcome === 'answered' ? [`${id}/${entry.turnId}`] : [],
    );
    finished += over.length;
    const heard = [
      ...new Set(turns.filter(({ sessionId }) => sessionId === id).flatMap(({ key }) => (typeof key === 'string' ? [key] : []))),
    ];
    if (JSON.stringify(heard) !== JSON.stringify(over)) faults.push(`${id}: ${over.length} turns are over, told were ${heard.join(', ')}`);
    const told = lines.filter(({ sessionId }) => sessionId === id).map(({ type }) => type);
    if (endedAt === undefined || over.length === 0) continue;
    ended++;
    if (!told.includes('end')) faults.push(`${id}: its end was not told`);
    else if (told.indexOf('end') < told.indexOf('turn')) faults.push(`${id}: its end was told before its turns`);
    else if (told.lastIndexOf('turn') > told.indexOf('end')) faults.push(`${id}: a turn was told behind its end`);
  }
  const keys = new Set(turns.map(({ key }) => key));
  const ends = lines.filter(({ type }) => type === 'end');
  return {
    sessions: sessions.length,
    finished,
    told: turns.length,
    repeated: turns.length - keys.size,
    ended,
    ends: ends.length,
    repeatedEnds: ends.length - new Set(ends.map(({ key }) => key)).size,
    faults,
  };
}
