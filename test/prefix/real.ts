import { mkdirSync, rmSync } from 'node:fs';
import { sha256 } from '../../src/base/sha256.ts';
import { createModelRequest } from '../../src/agent/request.ts';
import type { Entry } from '../../src/contracts/entry.ts';
import type { CallRecord } from '../../src/contracts/ledger.ts';
import { windowEngine } from '../../src/parts/context/window.ts';
import { createSeededRandom } from '../../src/testing/seeded-random.ts';
import type { RecordedRequest } from '../../src/testing/wire-server/index.ts';
import { PROTOCOLS } from '../agent/invariants/story.ts';
import { furnish } from './place.ts';
import { findingOf, type Finding } from './prove.ts';
import { runProgram } from './program.ts';
import { freshEncoder, inAll, judgeCalls, type Call } from './rule.ts';
import { restartingSession } from './sessions.ts';

/** Runs the session of a seed through the real program, each turn a process of its own, and holds what arrived against the rule. */
export async function proveRestarts(seed: string, root: string): Promise<Finding> {
  mkdirSync(root, { recursive: true });
  try {
    const plan = restartingSession(createSeededRandom(seed));
    const ran = await runProgram(plan, furnish(plan.chance.fork('place'), root));
    const { calls, strangers } = callsOf(ran.requests, ran.entries, ran.ledger);
    const finding = findingOf(seed, { ...ran, calls }, judgeCalls(calls, ran.entries));
    const breaches = [...strangers, ...ran.troubles].map((words) => `seed ${seed}: ${words}`);
    return { ...finding, breaches: [...finding.breaches, ...breaches] };
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Requests as they arrived, each with the log it was made from; in the other wire formats as that log gives them. */
function callsOf(requests: readonly RecordedRequest[], log: readonly Entry[], ledger: readonly CallRecord[]) {
  const found = requests
    .filter(({ protocol }) => PROTOCOLS.some((each) => each === protocol))
    .map((request) => callOf(request, log, ledger));
  const calls = found.filter((call) => call !== undefined);
  const strangers = found.flatMap((call, index) => (call === undefined ? [`request ${index + 1} cannot be made again from the log`] : []));
  return { calls, strangers };
}

function callOf({ text }: RecordedRequest, log: readonly Entry[], ledger: readonly CallRecord[]): Call | undefined {
  const hash = sha256(text);
  const row = ledger.find(({ bodyHash }) => bodyHash === hash) ?? unfinished(text, log, ledger);
  if (row === undefined) return undefined;
  const { runtime, adjust, toolUse, cacheTtl } = row;
  const ask = { runtime, adjust, toolUse, cacheTtl };
  const entries = log.filter(({ seq }) => seq <= row.throughSeq);
  const bodies = inAll(createModelRequest(entries, ask, windowEngine), freshEncoder());
  return { entries, ask, bodies: { ...bodies, [runtime.protocol]: text } };
}

/** A call whose process was killed has no row of its own: the log must give its bytes at some point, asked as a neighbour was. */
function unfinished(text: string, log: readonly Entry[], ledger: readonly CallRecord[]): CallRecord | undefined {
  const encode = freshEncoder();
  for (const row of ledger) {
    for (const { seq } of log.filter(({ type }) => type === 'message' || type === 'compaction')) {
      const then = log.filter((entry) => entry.seq <= seq);
      if (encode(createModelRequest(then, row, windowEngine)) === text) return { ...row, throughSeq: seq };
    }
  }
  return undefined;
}
