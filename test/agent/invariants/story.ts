import { parseHost } from '../../../src/base/http.ts';
import type { AgentDeps } from '../../../src/agent/deps.ts';
import type { ToolDetails } from '../../../src/contracts/details.ts';
import type { AssistantMessage, Json, UserMessage } from '../../../src/contracts/message.ts';
import type { Routes } from '../../../src/contracts/routes.ts';
import type { ProtocolId, Runtime } from '../../../src/contracts/runtime.ts';
import type { SeededRandom } from '../../../src/testing/seeded-random.ts';
import type { ScriptedAnswer } from '../../../src/testing/scripted-provider.ts';
import { NO_ROUTES, RUNTIME } from '../setup.ts';
import { lineFor } from './lines.ts';

/** One random case: everything that happens in it follows from this. */
export interface Story {
  readonly chance: SeededRandom;
  readonly runtime: Runtime;
  readonly settings: Partial<AgentDeps['settings']>;
  readonly routes: Routes;
  /** Messages of the user, each a turn. */
  readonly messages: readonly string[];
  /** What happens besides, by the moment it happens at. */
  readonly deeds: ReadonlyMap<number, Deed>;
  line(index: number): ScriptedAnswer;
  price(): number | undefined;
  /** The message of these words, when it is more than words. */
  message?(words: string, index: number): UserMessage;
  /** What the owner does between two turns. */
  between?(index: number): OwnersDeed | undefined;
  /** What a call did, for faces. */
  details?(callId: string): ToolDetails | undefined;
}
export type OwnersDeed = 'compact' | 'undo' | 'undo two' | 'change model';
export type Deed = 'kill' | 'abort' | 'terminate' | 'steer' | 'queue' | 'interrupt' | 'full';

export const PROTOCOLS = ['openai-chat', 'anthropic-messages', 'openai-responses'] as const satisfies readonly ProtocolId[];
const DEEDS: Readonly<Record<Deed, number>> = { kill: 6, abort: 2, terminate: 1, steer: 4, queue: 2, interrupt: 3, full: 1 };

export function randomStory(chance: SeededRandom, over: Partial<Story> & { readonly rates?: Partial<Record<Deed, number>> } = {}): Story {
  const { rates, ...rest } = over;
  const plan = chance.fork('plan');
  const price = plan.pick([undefined, 0.001, 0.3]);
  const moments = plan.list(0, 9, () => [plan.int(0, 120), plan.weighed({ ...DEEDS, ...rates })] as const);
  return {
    chance,
    runtime: { ...RUNTIME, protocol: plan.pick(PROTOCOLS), baseUrl: 'http://one.test/v1', limits: { window: 200_000, maxOutput: 1_000 } },
    settings: randomSettings(plan),
    routes: randomRoutes(plan),
    messages: plan.list(1, 3, (index) => `question ${index}`),
    deeds: new Map(moments),
    line: (index) => lineFor(chance, index),
    price: () => price,
    ...rest,
  };
}

const randomSettings = (plan: SeededRandom): Story['settings'] => ({
  'agent.max_turns': plan.pick([1, 2, 4, 8, 12]),
  'agent.budget_tokens': plan.pick([0, 0, 0, 3_000, 12_000]),
  'agent.budget_usd': plan.pick([0, 0, 0, 0.01, 5]),
  'agent.api_max_retries': plan.int(0, 4),
  'agent.parallel_tools': plan.pick([1, 2, 8]),
  'tool_loop_guardrails.hard_stop_enabled': plan.hits(0.7),
  'prompt_caching.cache_ttl': plan.pick(['5m', '1h', 'off']),
});

/** Some stories have other keys and providers to turn to, some even without end. */
function randomRoutes(plan: SeededRandom): Routes {
  const keys = plan.pick([0, 0, 2, Number.POSITIVE_INFINITY]);
  const others = plan.pick([0, 0, 2, Number.POSITIVE_INFINITY]);
  const refreshes = plan.hits(0.3);
  const protocol = plan.pick(PROTOCOLS);
  let facts = {};
  return {
    ...NO_ROUTES,
    refresh: async () => refreshes,
    rotate: async (runtime) => {
      const place = Number(runtime.credential.split('#')[1] ?? 0);
      return place < keys ? { ...runtime, credential: `KEY#${place + 1}` } : undefined;
    },
    fallback: async (runtime, tried) =>
      tried < others ? { ...runtime, provider: `other-${tried}`, baseUrl: `http://other-${tried}.test/v1`, protocol } : undefined,
    learnt: async () => facts,
    learn: async (_runtime, news) => void (facts = { ...facts, ...news }),
  };
}

/** Gives the reasoning of a scripted reply the opaque data a real wire would have sent with it. */
export function withNatives(message: AssistantMessage, { protocol, baseUrl }: Runtime): AssistantMessage {
  const data = (words: string): Json => NATIVE[protocol](words);
  return {
    ...message,
    content: message.content.map((block) =>
      block.type === 'thinking' ? { ...block, native: { protocol, issuer: parseHost(baseUrl), data: data(block.text) } } : block,
    ),
  };
}

const NATIVE: Readonly<Record<ProtocolId, (words: string) => Json>> = {
  'anthropic-messages': (words) => ({ type: 'thinking', thinking: words, signature: 'sig' }),
  'openai-chat': (words) => [{ type: 'reasoning.text', text: words, signature: 'sig' }],
  'openai-responses': (words) => ({
    type: 'reasoning',
    id: 'rs_1',
    summary: [{ type: 'summary_text', text: words }],
    encrypted_content: 'sig',
  }),
};
