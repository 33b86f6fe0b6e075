import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { toErrorMessage } from '../../../base/errors.ts';
import type { JsonObject } from '../../../base/json-types.ts';
import { replaceFile } from '../../../base/replace-file.ts';
import { formatCount } from '../../../base/screen/figures.ts';
import type { KeptBackReason, ServeCounts } from '../../../contracts/services/environments.ts';
import type { ScoredGroup } from '../group.ts';
import { eachObject, openLineFile } from '../result-file.ts';
import type { Rollout } from '../rollout.ts';

/**
 * What was begun and finished, and what became of it. Written before anything is sent; a kill loses none of it.
 *
 * A push that got no answer may have arrived all the same, and the API knows no names of groups. So it is sent again: a trainer
 * gets every group, and at most one repeat for each answer that was withheld.
 */
export interface Outbox extends Disposable {
  readonly counts: ServeCounts;
  /** The next group nobody has begun. */
  readonly next: number;
  /** Groups that were begun, with the attempts that are complete. */
  readonly halfDone: ReadonlyMap<number, ReadonlyMap<number, Rollout>>;
  addAttempt(group: number, attempt: number, rollout: Rollout): void;
  addGroup(group: number, scored: ScoredGroup): void;
  /** It is not sent, and why. */
  keepBack(group: number, reason: KeptBackReason): void;
  /** The oldest finished group that is to be sent. */
  readonly waiting: WaitingGroup | undefined;
  /** Noted before the first byte goes out. */
  noteSending(group: number): void;
  /** `unsent`: it cannot have arrived. */
  noteOutcome(group: number, outcome: 'accepted' | 'unsent'): void;
}
export interface WaitingGroup {
  readonly group: number;
  readonly scored: ScoredGroup;
}

interface OpenGroup {
  readonly attempts: Map<number, Rollout>;
  scored?: ScoredGroup;
  /** Pushes that may have arrived. */
  sent: number;
}
/** What became of groups that need nothing more. */
interface Settled {
  next: number;
  accepted: number;
  repeated: number;
  readonly keptBack: Partial<Record<KeptBackReason, number>>;
}
interface OutboxState {
  readonly open: Map<number, OpenGroup>;
  readonly settled: Settled;
}
type OutboxLine =
  | ({ readonly type: 'settled' } & Settled)
  | { readonly type: 'attempt'; readonly group: number; readonly attempt: number; readonly rollout: Rollout }
  | { readonly type: 'group'; readonly group: number; readonly scored: ScoredGroup }
  | { readonly type: 'kept'; readonly group: number; readonly reason: KeptBackReason }
  | { readonly type: 'sending' | 'accepted' | 'unsent'; readonly group: number };

/** A file below this is not worth being written anew. */
const MIN_COMPACT_BYTES = 64 << 20;

export interface OutboxOptions {
  /** What the owner should know of it. */
  readonly onNews?: (words: string) => void;
  readonly minCompactBytes?: number;
}

export function openOutbox(
  folder: string,
  configHash: string,
  { onNews = () => {}, minCompactBytes = MIN_COMPACT_BYTES }: OutboxOptions = {},
): Outbox {
  const path = join(folder, 'outbox.jsonl');
  const state: OutboxState = { open: new Map(), settled: { next: 0, accepted: 0, repeated: 0, keptBack: {} } };
  const ofOthers = new Set<string>();
  for (const { value: line } of eachObject(path))
    if (line['config_hash'] !== configHash) noteOther(line, ofOthers);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a line of ours, by its hash
    else applyLine(state, line as unknown as OutboxLine);
  if (ofOthers.size > 0) onNews(describeOthers(ofOthers.size));
  const compact = createCompaction(path, configHash, state, onNews);
  if (existsSync(path)) compact();
  let file = openLineFile(path);
  let compacted = file.size;
  /** Twice what was left of it last time, so that a line is written anew once at most on average. */
  const compactIfLong = (): void => {
    if (file.size < Math.max(minCompactBytes, 2 * compacted)) return;
    if (compact()) {
      file[Symbol.dispose]();
      file = openLineFile(path);
    }
    compacted = file.size;
  };
  const write = (line: OutboxLine): void => {
    file.append({ config_hash: configHash, ...line });
    applyLine(state, line);
    compactIfLong();
  };
  return {
    get counts() {
      return countGroups(state);
    },
    get next() {
      return state.settled.next;
    },
    get halfDone() {
      return new Map(
        [...state.open].flatMap(([group, { scored, attempts }]) => (scored === undefined ? [[group, attempts] as const] : [])),
      );
    },
    get waiting() {
      for (const [group, { scored }] of state.open) if (scored !== undefined) return { group, scored };
      return undefined;
    },
    addAttempt: (group, attempt, rollout) => write({ type: 'attempt', group, attempt, rollout }),
    addGroup: (group, scored) => write({ type: 'group', group, scored }),
    keepBack: (group, reason) => write({ type: 'kept', group, reason }),
    noteSending: (group) => write({ type: 'sending', group }),
    noteOutcome: (group, type) => write({ type, group }),
    [Symbol.dispose]: () => file[Symbol.dispose](),
  };
}

function countGroups({ open, settled }: OutboxState): ServeCounts {
  const finished = [...open.values()].filter(({ scored }) => scored !== undefined);
  const kept = Object.values(settled.keptBack).reduce((sum, count) => sum + count, 0);
  return {
    finished: finished.length + settled.accepted + kept,
    accepted: settled.accepted,
    waiting: finished.length,
    repeated: settled.repeated + finished.reduce((sum, { sent }) => sum + countRepeats(sent), 0),
    keptBack: { ...settled.keptBack },
  };
}

const countRepeats = (sent: number): number => Math.max(0, sent - 1);

/** A push that was begun may have arrived, until it is noted that it cannot have. */
function applyLine({ open, settled }: OutboxState, line: OutboxLine): void {
  if (line.type === 'settled') {
    const { next, accepted, repeated, keptBack } = line;
    return void Object.assign(settled, { next, accepted, repeated, keptBack: { ...keptBack } });
  }
  const group = open.get(line.group) ?? { attempts: new Map<number, Rollout>(), sent: 0 };
  open.set(line.group, group);
  settled.next = Math.max(settled.next, line.group + 1);
  switch (line.type) {
    case 'attempt':
      return void group.attempts.set(line.attempt, line.rollout);
    case 'group':
      group.scored = line.scored;
      return group.attempts.clear();
    case 'sending':
      return void group.sent++;
    case 'unsent':
      return void group.sent--;
    case 'kept':
      settled.keptBack[line.reason] = (settled.keptBack[line.reason] ?? 0) + 1;
      return void open.delete(line.group);
    case 'accepted':
      settled.accepted++;
      settled.repeated += countRepeats(group.sent);
      open.delete(line.group);
  }
}

/** Of groups that other tasks or settings made it matters only which of them are finished and were not sent. */
function noteOther({ config_hash: hash, type, group }: JsonObject, unsent: Set<string>): void {
  const name = JSON.stringify([hash, group]);
  if (type === 'group') unsent.add(name);
  else if (type === 'accepted' || type === 'kept') unsent.delete(name);
}

const describeOthers = (count: number): string =>
  `${formatCount(count, 'finished group was', 'finished groups were')} made with other tasks or settings and ${count === 1 ? 'is' : 'are'} not sent. outbox.jsonl keeps what was made: with those tasks and settings again, it is sent.`;

/** Says whether the file is a new one. Where there is no room for a second copy it stays as it is, and goes on growing. */
function createCompaction(path: string, configHash: string, state: OutboxState, onNews: (words: string) => void): () => boolean {
  let isTold = false;
  return () => {
    try {
      compactFile(path, configHash, state);
      return true;
    } catch (error) {
      if (!isTold) onNews(`outbox.jsonl could not be shortened and goes on growing: ${toErrorMessage(error)}`);
      isTold = true;
      return false;
    }
  };
}

/** What needs nothing more is a number: a long training must not keep all of it, nor read it again at each start. */
function compactFile(path: string, configHash: string, state: OutboxState): void {
  const lines = function* (): Generator<string> {
    for (const { value } of eachObject(path)) if (value['config_hash'] !== configHash) yield `${JSON.stringify(value)}\n`;
    for (const line of listLines(state)) yield `${JSON.stringify({ config_hash: configHash, ...line })}\n`;
  };
  replaceFile(path, lines());
}

function* listLines({ open, settled }: OutboxState): Generator<OutboxLine> {
  yield { type: 'settled', ...settled };
  for (const [group, { attempts, scored, sent }] of open) {
    for (const [attempt, rollout] of attempts) yield { type: 'attempt', group, attempt, rollout };
    if (scored !== undefined) yield { type: 'group', group, scored };
    for (let push = 0; push < sent; push++) yield { type: 'sending', group };
  }
}
