import type { SessionCommit } from '../../contracts/commits.ts';
import type { Outcome } from '../../contracts/event.ts';
import type { CallRecord } from '../../contracts/ledger.ts';
import { NO_USAGE, type Usage } from '../../contracts/message.ts';
import type { ExitReason } from '../../contracts/outcome.ts';

/** A turn that is over, in figures. */
export interface SettledTurn {
  readonly sessionId: string;
  readonly turnId: string;
  readonly outcome: Outcome['type'];
  readonly exitReason: ExitReason;
  readonly startedAt: number;
  readonly endedAt: number;
  /** Model calls that gave a message. */
  readonly steps: number;
  /** Where its entries begin; absent when a turn that was cut off was finished here. */
  readonly fromSeq?: number;
  /** Of what this process saw of it. */
  readonly usage: Usage;
  /** US dollars; unknown when a price it needs is unknown (never a partial sum). */
  readonly price: number | undefined;
  readonly tools: number;
}
type TurnTally = Pick<SettledTurn, 'startedAt' | 'steps' | 'fromSeq' | 'usage' | 'price' | 'tools'>;
/** More turns than can run at once: those that were left for another process to finish make room. */
const MAX_RUNNING = 1_000;

/** Follows turns from commit to commit; gives each that ended with this one. Its beginning is in its own cell, so a turn that went on after a restart has its whole length. */
export function createTurnFollower(): (commit: SessionCommit) => readonly SettledTurn[] {
  const running = new Map<string, TurnTally>();
  const follow = (turnId: string, commit: SessionCommit): TurnTally => {
    const turn = addCommit(running.get(turnId) ?? begin(turnId, commit), commit);
    running.set(turnId, turn);
    const [oldest] = running.keys();
    if (running.size > MAX_RUNNING && oldest !== undefined) running.delete(oldest);
    return turn;
  };
  return (commit) => {
    const turnId = commit.change.turnId ?? commit.change.turn?.turnId;
    if (turnId === undefined) return [];
    const turn = follow(turnId, commit);
    if (commit.change.turn === null) running.delete(turnId);
    return commit.entries.flatMap((entry) =>
      entry.type === 'outcome'
        ? [{ sessionId: commit.sessionId, turnId, outcome: entry.outcome, exitReason: entry.exitReason, endedAt: entry.at, ...turn }]
        : [],
    );
  };
}

function begin(turnId: string, { change, entries }: SessionCommit): TurnTally {
  const first = entries.find((entry) => entry.turnId === turnId);
  const isOpening = first?.type === 'message' && first.message.role === 'user' && first.origin !== 'steer';
  const startedAt = change.turn?.startedAt ?? first?.at ?? 0;
  return { startedAt, steps: 0, usage: NO_USAGE, price: 0, tools: 0, ...(isOpening && { fromSeq: first.seq }) };
}

function addCommit(turn: TurnTally, { change, entries }: SessionCommit): TurnTally {
  const calls = change.calls ?? [];
  return {
    ...turn,
    steps: change.turn?.steps ?? turn.steps,
    usage: calls.reduce((sum, { usage }) => addUsage(sum, usage), turn.usage),
    price: calls.reduce(addPrice, turn.price),
    tools: turn.tools + entries.filter((entry) => entry.type === 'message' && entry.message.role === 'tool').length,
  };
}

const addPrice = (sum: number | undefined, { price }: CallRecord): number | undefined =>
  sum === undefined || price === undefined ? undefined : sum + price;
const addUsage = (one: Usage, other: Usage): Usage => ({
  input: one.input + other.input,
  output: one.output + other.output,
  cacheRead: one.cacheRead + other.cacheRead,
  cacheWrite: one.cacheWrite + other.cacheWrite,
  reasoning: one.reasoning + other.reasoning,
});
