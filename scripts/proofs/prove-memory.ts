/**
 * Memory providers in full size, with what was counted in docs/proofs/memory-sync.md:
 *   npm run prove -- memory
 */
import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { compareWithRecall, type RecallComparison } from '../../test/app/memory/compare.ts';
import { runSyncOrdeal, type SyncOrdeal } from '../../test/app/memory/ordeal.ts';

const KILLS_IN_A_ROUND = 20;

export async function proveMemory(kills: number, sessions: number): Promise<boolean> {
  const rounds: SyncOrdeal[] = [];
  for (let round = 1; round <= Math.ceil(kills / KILLS_IN_A_ROUND); round++) {
    const result = await runSyncOrdeal(Math.min(KILLS_IN_A_ROUND, kills), `memory/${round}`);
    console.log(`  memory/${round}: ${JSON.stringify(result)}`);
    rounds.push(result);
  }
  return writeMemoryProof(rounds, await compareWithRecall(sessions, 'memory/bytes'));
}

/** Whether it holds. */
export function writeMemoryProof(rounds: readonly SyncOrdeal[], compared: RecallComparison): boolean {
  const faults = [...rounds.flatMap((round) => round.faults), ...compared.faults];
  const sum = (key: Exclude<keyof SyncOrdeal, 'faults'>): number => rounds.reduce((total, round) => total + round[key], 0);
  const lines = [
    '# Memory providers',
    '',
    'What is promised: [memory](../memory.md). Repeat with `npm run prove -- memory`.',
    '',
    '## Kills',
    '',
    'A process talks on a home and is killed with SIGKILL shortly after a drawn point: it has begun, finished a turn, asked for the end of a session, ended it, or is telling its provider of an end. The next process goes on. In the end one process tells what is left, and what the provider heard is held against the log: of every session each finished turn, once by its key, in the order of the log; and behind them an end for each session that ended.',
    '',
    `- SIGKILL: ${sum('kills')}`,
    `- sessions: ${sum('sessions')}, finished turns: ${sum('finished')}, ended sessions: ${sum('ended')}`,
    `- tellings: ${sum('told')}, of these repeats of a key: ${sum('repeated')}; tellings of ends: ${sum('ends')}, of these repeats of a key: ${sum('repeatedEnds')}`,
    '',
    '## Bytes',
    '',
    'Random sessions with recall, a hook beside each message and tools of a provider. Each request must begin with the bytes of the one before it, `hermes replay` must find every call identical, and what search, export and summaries are made of must be the same as in a session without recall.',
    '',
    `- sessions: ${compared.sessions}, requests: ${compared.requests}, replayed: ${compared.replayed}`,
    '',
    `## Faults: ${faults.length}`,
    ...(faults.length === 0 ? [] : ['', ...faults.slice(0, 20).map((fault) => `- ${fault}`)]),
    '',
    `Run on ${new Date().toISOString().slice(0, 16)}Z, Node ${process.versions.node}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB.`,
    '',
  ];
  writeFileSync('docs/proofs/memory-sync.md', lines.join('\n'));
  return faults.length === 0;
}
