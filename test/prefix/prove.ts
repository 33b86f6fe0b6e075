import { join } from 'node:path';
import { replayCall } from '../../src/agent/replay.ts';
import { sha256 } from '../../src/base/sha256.ts';
import { windowEngine } from '../../src/parts/context/window.ts';
import { findProviderProfile } from '../../src/parts/providers/catalog/all.ts';
import { createWireFormats } from '../../src/parts/providers/wire-format.ts';
import { createSeededRandom } from '../../src/testing/seeded-random.ts';
import type { PlantedDefect } from './defects.ts';
import type { Defect } from './provider.ts';
import { judgeCalls, type Verdict } from './rule.ts';
import { runSession, type Told } from './run.ts';
import { randomSession } from './sessions.ts';
import { countLog, type Counts } from './tally.ts';

/** What one session showed. */
export interface Finding {
  /** One line for each breach, with the seed it is found again by. */
  readonly breaches: readonly string[];
  readonly counts: Counts;
  readonly mostMarks: number;
}

/** Runs the session of a seed and holds every request of it against the rule. */
export async function proveSession(seed: string, root: string, defect: Defect = {}): Promise<Finding> {
  const told = await runSession(randomSession(createSeededRandom(seed)), root, defect);
  return findingOf(seed, told, judgeCalls(told.calls, told.entries));
}

/** Sessions after which a defect that was not found counts as unseen. */
const PATIENCE = 15;

/** The first line that shows the planted defect as it should be shown. */
export async function firstBreach(defect: PlantedDefect, root: string): Promise<string | undefined> {
  for (let seed = 1; seed <= PATIENCE; seed++) {
    const { breaches } = await proveSession(String(seed), join(root, String(seed)), defect);
    const shown = breaches.find((breach) => defect.shows.test(breach));
    if (shown !== undefined) return shown;
  }
  return undefined;
}

export function findingOf(seed: string, told: Told, verdict: Verdict): Finding {
  const { restarts, kills, calls, outcomes } = told;
  const breaches = [
    ...verdict.violations.map(({ request, protocol, segment, words }) => `${protocol}, request ${request}, ${segment}: ${words}`),
    ...unexcused(told, verdict),
    ...unrepeatable(told).map((row) => `replay of call ${row}`),
    ...unknownRows(told),
    ...outcomes.flatMap(({ exitReason, text }) => (BROKEN.has(exitReason) ? [`the turn broke down: ${text}`] : [])),
  ];
  const explained = Object.entries(verdict.explained).map(([name, count]) => [`explained, ${name}`, count] as const);
  return {
    breaches: breaches.map((words) => `seed ${seed}: ${words}`),
    mostMarks: verdict.mostMarks,
    counts: {
      sessions: 1,
      requests: calls.length,
      'pairs of neighbours': verdict.pairs,
      restarts,
      kills,
      branches: new Set(told.entries.map(({ sessionId }) => sessionId)).size - 1,
      ...Object.fromEntries(explained),
      ...countLog(told.entries),
      ...endings(told),
    },
  };
}

const BROKEN: ReadonlySet<string> = new Set(['internal_error', 'store_failed']);

const endings = ({ outcomes }: Told): Counts =>
  Object.fromEntries(Object.entries(Object.groupBy(outcomes, ({ type }) => `turns ${type}`)).map(([name, all]) => [name, all.length]));

/** How often each reason may have changed the bytes, from what was done on purpose. Adjustments come and go: twice each. */
const EXCUSES: Readonly<Record<string, (done: (name: string) => number) => number>> = {
  rewind: (done) => done('rewind'),
  branch: (done) => done('branch'),
  // A new prompt that was taken back, or that a branch began before, is made once more.
  'epoch: toolset changed': (done) => done('toolset') && done('toolset') + wentBack(done),
  'epoch: model changed': (done) => done('model') && done('model') + wentBack(done),
  'epoch: rebuilt by the user': (done) => done('rebuild') && done('rebuild') + wentBack(done),
  compaction: (done) => done('context_overflow'),
  images: (done) => 2 * done('image_refused'),
  // Once and for all.
  signatures: (done) => done('bad_signature'),
  plainSchemas: (done) => 2 * done('schema_refused'),
  route: (done) => done('provider') + done('model') + 2 * FALLING_BACK.reduce((all, name) => all + done(name), 0),
};
const wentBack = (done: (name: string) => number): number => done('rewind') + done('branch');
const FALLING_BACK = ['overloaded', 'network', 'unauthorized', 'silence', 'context_overflow'];

/** A reason in the log is none when nobody gave it: a prompt rebuilt with every turn would explain itself, too. */
function unexcused({ reasons }: Told, { explained }: Verdict): string[] {
  const done = (name: string) => reasons[name] ?? 0;
  return Object.entries(explained).flatMap(([name, count]) => {
    const most = EXCUSES[name]?.(done) ?? 0;
    return count <= most ? [] : [`${name} happened ${count} times and was asked for at most ${most} times`];
  });
}

/** Every row of the ledger is a request that really left; only one that was called off may have stayed. */
function unknownRows({ ledger, calls }: Told): string[] {
  const sent = new Set(calls.map(({ bodies, ask }) => sha256(bodies[ask.runtime.protocol])));
  return ledger.flatMap(({ id, bodyHash, result }) =>
    sent.has(bodyHash) || result === 'cancelled' ? [] : [`the ledger knows a call that never left: ${id}`],
  );
}

/** Ledger rows that cannot be made again from the log. */
function unrepeatable({ ledger, entries }: Told): string[] {
  const formatOf = createWireFormats(findProviderProfile);
  const own = Object.groupBy(entries, ({ sessionId }) => sessionId);
  return ledger
    .map((call) => replayCall(call, own[call.sessionId] ?? [], windowEngine, (request) => formatOf(request.runtime).encode(request)))
    .flatMap((replayed) => (replayed.identical ? [] : [`${replayed.call.id}: ${replayed.firstDifference}`]));
}
