import type { ProtocolId, Runtime } from '../../src/contracts/runtime.ts';
import type { SeededRandom } from '../../src/testing/seeded-random.ts';
import type { ScriptedAnswer } from '../../src/testing/scripted-provider.ts';
import { PROTOCOLS } from '../agent/invariants/story.ts';
import { DISTURBANCES, type Disturbance } from './place.ts';
import { words } from './words.ts';

/** One made-up session: everything that happens in it follows from this and its seed. */
export interface SessionPlan {
  readonly chance: SeededRandom;
  readonly runtime: Runtime;
  readonly flags: { readonly yolo: boolean; readonly ignoreRules: boolean };
  readonly turns: readonly TurnPlan[];
}
export interface TurnPlan {
  readonly words: string;
  readonly image: boolean;
  readonly overlay?: string;
  /** Model calls before the model gives an answer without fail. */
  readonly steps: number;
  /** What the model says first, where that is not left to chance. */
  readonly lines?: readonly ScriptedAnswer[];
  /** What is done before the turn. */
  readonly before: readonly Between[];
  /** Turns are taken back first, or the session goes on as a branch from before them. */
  readonly back?: { readonly by: 'rewind' | 'branch'; readonly turns: number };
  /** A new process begins with this turn. */
  readonly restart: boolean;
  /** What happens during a model call, by its number in the turn. */
  readonly deeds: ReadonlyMap<number, Deed>;
  /** The face stops listening after so many events. */
  readonly cutAfter?: number;
}
export type Deed = 'steer' | 'queue' | 'interrupt' | 'abort' | 'kill';
/** A change on disk, another working directory or key: nothing to the prefix. The others are reasons for a new one. */
export type Between = Disturbance | 'cwd' | 'key' | 'time' | Reason;
export type Reason = 'toolset' | 'model' | 'provider' | 'rebuild';

type Route = readonly [provider: string, model: string];
const ROUTES: readonly [Route, ...Route[]] = [
  ['custom', 'test-model'],
  ['anthropic', 'claude-sonnet-5'],
  ['openrouter', 'anthropic/claude-sonnet-5'],
  ['openai-api', 'gpt-5.2'],
  ['deepseek', 'deepseek-chat'],
  ['gemini', 'gemini-3-pro'],
];

export function randomSession(chance: SeededRandom): SessionPlan {
  const plan = chance.fork('plan');
  const [provider, model] = plan.pick(ROUTES);
  return {
    chance,
    runtime: routeTo(provider, model, plan.pick(PROTOCOLS), plan.pick([16_000, 200_000])),
    flags: { yolo: plan.hits(0.5), ignoreRules: plan.hits(0.1) },
    turns: plan.list(1, plan.pick([3, 3, 5]), (index) => randomTurn(plan.fork(`turn ${index}`), index)),
  };
}

/** Turns that are each a process of their own; what only a caller inside the process can do is left out. */
export function restartingSession(chance: SeededRandom): SessionPlan {
  const plan = chance.fork('plan');
  const turns = plan.list(2, 4, (index) => randomTurn(plan.fork(`turn ${index}`), index));
  return { ...randomSession(chance), turns };
}

export const routeTo = (provider: string, model: string, protocol: ProtocolId, window: number): Runtime => ({
  provider,
  model,
  baseUrl: `http://${provider}.test/v1`,
  protocol,
  credential: 'KEY',
  limits: { window, maxOutput: 1_000 },
});

function randomTurn(chance: SeededRandom, index: number): TurnPlan {
  const before = index === 0 ? [] : betweenTurns(chance);
  const back = chance.fork('back');
  const deeds = chance.list(0, 2, () => [chance.int(0, 5), chance.weighed(DEEDS)] as const);
  return {
    words: `Question ${index}: ${words(chance)}`,
    image: chance.hits(0.15),
    ...(chance.hits(0.25) && { overlay: words(chance) }),
    steps: chance.int(0, 6),
    before,
    ...(index > 0 && back.hits(0.3) && { back: { by: back.pick(['rewind', 'rewind', 'branch']), turns: back.int(1, index) } }),
    restart: index > 0 && (chance.hits(0.4) || before.some((each) => RESTARTS.has(each))),
    deeds: new Map(chance.hits(0.5) ? deeds : []),
    ...(chance.hits(0.1) && { cutAfter: chance.int(1, 30) }),
  };
}

const DEEDS: Readonly<Record<Deed, number>> = { steer: 5, queue: 3, interrupt: 1, abort: 1, kill: 2 };
const QUIET = [...keysOf(DISTURBANCES), 'cwd', 'key', 'time'] as const;
const REASONS = { toolset: 3, model: 2, provider: 2, rebuild: 3 } as const satisfies Record<Reason, number>;
/** What a process reads when it starts. */
const RESTARTS: ReadonlySet<Between> = new Set<Between>(['toolset', 'model', 'provider', 'cwd', 'key', 'config']);

function betweenTurns(chance: SeededRandom): Between[] {
  const quiet = chance.shuffled<Between>(QUIET).slice(0, chance.int(0, 4));
  return chance.hits(0.12) ? [...quiet, chance.weighed(REASONS)] : quiet;
}

function keysOf<Key extends string>(table: Readonly<Record<Key, unknown>>): Key[] {
  return Object.keys(table) as Key[];
}
