import { join } from 'node:path';
import { findPreviousAnsweredCall, explainCall } from '../../src/agent/attribution.ts';
import type { CacheCause, CacheFinding } from '../../src/contracts/services/insight.ts';
import { createSeededRandom, type SeededRandom } from '../../src/testing/seeded-random.ts';
import type { ScriptedAnswer } from '../../src/testing/scripted-provider.ts';
import { PROTOCOLS } from '../agent/invariants/story.ts';
import { FILES, FOLDERS, put } from './place.ts';
import { runSession } from './run.ts';
import { routeTo, type Between, type SessionPlan, type TurnPlan } from './sessions.ts';
import { words } from './words.ts';

/** Something done between two calls of a good session, and what the attribution must call it. */
export interface Mutation {
  readonly cause: CacheCause;
  /** The first part of the prefix that is not what was sent before; absent where all of it stands, `any` where it depends. */
  readonly segment?: string;
  readonly before: readonly Between[];
  /** What the model says first after it. */
  readonly lines?: readonly ScriptedAnswer[];
}

/** The eight kinds, then others like them and some with nobody to blame. */
export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  tools: { cause: 'tools_changed', segment: 'tools', before: ['toolset'] },
  'memory (rebuilt)': { cause: 'memory_changed', segment: 'system', before: ['memory', 'rebuild'] },
  'skills (rebuilt)': { cause: 'skills_changed', segment: 'system', before: ['skill', 'rebuild'] },
  'project context (rebuilt)': { cause: 'project_changed', segment: 'system', before: ['rules', 'rebuild'] },
  model: { cause: 'model_changed', segment: 'system', before: ['model'] },
  'provider or route': { cause: 'provider_changed', segment: 'any', before: ['provider'] },
  compaction: {
    cause: 'compaction',
    segment: 'message:0',
    before: [],
    lines: [{ fails: { type: 'context_overflow', detail: 'made up' } }],
  },
  'time-out': { cause: 'cache_expired', before: ['time'] },
};
export const OTHERS: Readonly<Record<string, Mutation>> = {
  'another key': { cause: 'route_changed', before: ['key'] },
  'soul (rebuilt)': { cause: 'prompt_changed', segment: 'system', before: ['soul', 'rebuild'] },
  nothing: { cause: 'prefix_unchanged', before: [] },
  'much on disk, nothing rebuilt': { cause: 'prefix_unchanged', before: ['soul', 'memory', 'skill', 'rules', 'nested rules', 'cwd'] },
};

/** Injects a mutation into the session of a seed and gives what the call after it is explained by. */
export async function injected(seed: string, mutation: Mutation, root: string): Promise<CacheFinding> {
  const plan = goodSession(createSeededRandom(seed), mutation);
  const ttl = plan.chance.fork('ttl').pick(['5m', '1h']);
  const { entries, ledger } = await runSession(plan, root, {}, ({ home }) =>
    put(join(home, 'config.yaml'), `prompt_caching:\n  cache_ttl: ${ttl}\n`),
  );
  const call = ledger.at(-1);
  if (call === undefined) throw new Error('a session has calls');
  return explainCall(findPreviousAnsweredCall(ledger, call), call, entries);
}

export const isRight = ({ cause, segment }: Mutation, found: CacheFinding): boolean =>
  found.cause === cause && (segment === 'any' || found.segment === segment);

/** Turns that read and end well, then the mutation and one more. Nothing in them writes what a new prompt would show. */
function goodSession(own: SeededRandom, { before, lines = [] }: Mutation): SessionPlan {
  const plan = own.fork('plan');
  const turn = (index: number, over: Partial<TurnPlan>): TurnPlan => ({
    words: `Question ${index}: ${words(plan)}`,
    image: plan.hits(0.2),
    steps: 0,
    before: [],
    restart: index > 0 && plan.hits(0.5),
    deeds: new Map(),
    ...over,
  });
  const turns = plan.list(2, 4, (index) => turn(index, { lines: plan.list(1, 3, (step) => reading(plan, index * 10 + step)) }));
  const route = routeTo('anthropic', 'claude-sonnet-5', plan.pick(PROTOCOLS), 200_000);
  const last = turn(turns.length, { before, restart: true, lines });
  return { chance: own, runtime: route, flags: { yolo: false, ignoreRules: false }, turns: [...turns, last] };
}

const reading = (plan: SeededRandom, index: number): ScriptedAnswer => ({
  ...(plan.hits(0.5) && { thinking: words(plan) }),
  calls: plan.list(1, 3, (place) => ({
    id: `call_${index}_${place}`,
    name: 'read_file',
    input: { path: `${plan.pick(FOLDERS)}/${plan.pick(FILES)}`, offset: place + 1 },
  })),
});
