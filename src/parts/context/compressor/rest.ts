import type { CompactionRefusal, CompactionReport, Entry } from '../../../contracts/entry.ts';
import type { CompressReason } from '../../../contracts/context-engine.ts';

/** How long automatic compactions rest after a first refusal, by its kind: a restart reads it back from the log. Each further one in a row doubles it. */
const REST_MS = [
  // A model could not be asked this time; it answered and the answer could not be used; the result would have been too large.
  ['failed', 60_000],
  ['invalid', 60_000],
  ['too_large', 60_000],
  // Nobody can be asked at all.
  ['hopeless', 600_000],
  // The user stopped it.
  ['stopped', 0],
] as const satisfies readonly (readonly [CompactionRefusal, number])[];

/** Reports of earlier versions have the kind as the first word of `why`. One nobody knows counts as a failure that may pass. */
const kindOf = ({ kind, why }: CompactionReport): (typeof REST_MS)[number] =>
  REST_MS.find(([known]) => known === (kind ?? why?.split(':', 1)[0])) ?? REST_MS[0];

/** A result that saves less than this share is weak; after two in a row only a probe now and then is worth its price. */
const WEAK_SHARE = 0.1;
const WEAK_IN_A_ROW = 2;
const PROBE_AFTER_MS = 300_000;

export interface CompactionRest {
  readonly since: number;
  /** Automatic compactions wait until then. */
  readonly until: number;
  readonly why: string;
}

/** Whether a compaction should wait, by the log alone: nothing is remembered elsewhere, so a restart changes nothing. */
export function findCompactionRest(
  entries: readonly Entry[],
  engine: string,
  reason: CompressReason,
  now: number,
): CompactionRest | undefined {
  const tried = entries.flatMap(attemptOf).filter(({ report }) => report.engine === engine);
  return RESTS.filter(({ holds }) => holds.includes(reason))
    .map(({ rest }) => rest(tried))
    .find((rest) => rest !== undefined && holdsAt(rest, now));
}

/** A clock that was set back would make a rest as long as the jump: one that lies further ahead than it lasts has lost its meaning. */
const holdsAt = ({ since, until }: CompactionRest, now: number): boolean => now < until && since - now < until - since;

interface PastCompaction {
  readonly at: number;
  readonly report: CompactionReport;
}
function attemptOf(entry: Entry): PastCompaction[] {
  const report = entry.type === 'compaction' ? entry.report : entry.type === 'note' ? entry.compaction : undefined;
  return report === undefined ? [] : [{ at: entry.at, report }];
}

/** What may hold a compaction back, and for which reasons. One that was asked for, or that the window forces, never waits. */
const RESTS: readonly {
  readonly holds: readonly CompressReason[];
  readonly rest: (tried: readonly PastCompaction[]) => CompactionRest | undefined;
}[] = [
  { holds: ['threshold', 'hygiene'], rest: afterRefusal },
  { holds: ['threshold'], rest: afterWeakResults },
];

const isFailure = ({ report }: PastCompaction): boolean => kindOf(report)[0] !== 'stopped';
const MAX_REST_MS = 3_600_000;

/** Notes that nobody could write are not paid for again and again. What the window forced in their place does not end the row. */
function afterRefusal(tried: readonly PastCompaction[]): CompactionRest | undefined {
  const refused = tried
    .slice(tried.findLastIndex(({ report }) => report.outcome === 'summary') + 1)
    .filter(({ report }) => report.outcome === 'refused');
  const last = refused.at(-1);
  if (last === undefined) return undefined;
  const restMs = Math.min(kindOf(last.report)[1] * 2 ** (refused.filter(isFailure).length - 1), MAX_REST_MS);
  return { since: last.at, until: last.at + restMs, why: `the last attempt was refused (${last.report.why ?? 'no reason stored'})` };
}

function afterWeakResults(tried: readonly PastCompaction[]): CompactionRest | undefined {
  const results = tried.filter(({ report }) => report.outcome !== 'refused' || kindOf(report)[0] === 'too_large').slice(-WEAK_IN_A_ROW);
  const last = results.at(-1);
  if (last === undefined || results.length < WEAK_IN_A_ROW || !results.every(isWeak)) return undefined;
  return { since: last.at, until: last.at + PROBE_AFTER_MS, why: `the last ${WEAK_IN_A_ROW} attempts saved less than a tenth` };
}

const isWeak = ({ report: { outcome, tokensBefore, tokensAfter } }: PastCompaction): boolean =>
  outcome === 'refused' || tokensBefore - tokensAfter < tokensBefore * WEAK_SHARE;
