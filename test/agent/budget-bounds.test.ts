import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent } from '../../src/agent/agent.ts';
import { sumUsageTokens } from '../../src/agent/budget-reservations.ts';
import { NO_USAGE, createTextBlock, type Usage } from '../../src/contracts/message.ts';
import type { ModelRequest } from '../../src/contracts/provider.ts';
import type { Runtime } from '../../src/contracts/runtime.ts';
import { windowEngine } from '../../src/parts/context/window.ts';
import { createSeededRandom, type SeededRandom } from '../../src/testing/seeded-random.ts';
import { scriptedProvider, type ScriptedAnswer } from '../../src/testing/scripted-provider.ts';
import { collect, RUNTIME, says, setup, testTool, type Setup } from './setup.ts';
import { sized } from '../size.ts';

const SESSIONS = sized(100, 200);
const LEAST_FACTOR = 0.7;
const MAX_FACTOR = 1.6;
const USD = { input: 3e-6, output: 15e-6, cacheRead: 0.3e-6, cacheWrite: 3.75e-6 } as const;
const priceOf = ({ input, output, cacheRead, cacheWrite }: Usage): number =>
  input * USD.input + output * USD.output + cacheRead * USD.cacheRead + cacheWrite * USD.cacheWrite;

/** What the agent counts a request as. */
const estimateOf = ({ system, tools, messages }: ModelRequest): number => windowEngine.estimate({ system, tools, view: messages });

/** A server that counts by a factor of its own, bills prompts in every way there is, and answers as long as it may. */
function serverOf(plan: SeededRandom, factor: number) {
  const usages: Usage[] = [];
  const answer = (request: ModelRequest, index: number): ScriptedAnswer => {
    const own = plan.fork(`call ${index}`);
    const prompt = Math.round(estimateOf(request) * factor);
    const [cacheRead, cacheWrite] = own.pick([
      [0, 0],
      [0, prompt],
      [Math.floor(prompt / 2), 0],
    ] as const);
    const most = request.adjust.maxOutput ?? 0;
    const output = own.hits(0.6) ? most : own.int(0, Math.min(most, 300));
    const usage: Usage = { ...NO_USAGE, input: prompt - cacheRead - cacheWrite, cacheRead, cacheWrite, output };
    usages.push(usage);
    if (request.toolUse === 'forbidden') return { text: 'A report.', usage };
    return own.hits(0.75) ? { calls: [{ id: `c${index}`, name: 'look', input: { index } }], usage } : { text: 'An answer.', usage };
  };
  return { usages, provider: scriptedProvider(answer) };
}

interface Spent {
  readonly over: number;
  /** What the first call took more than it was counted as: nothing was known of the server then. */
  readonly firstError: number;
}

async function spendAll(scene: Setup, plan: SeededRandom, kind: 'tokens' | 'usd'): Promise<Spent & { readonly calls: number }> {
  const factor = LEAST_FACTOR + plan.next() * (MAX_FACTOR - LEAST_FACTOR);
  const { usages, provider } = serverOf(plan.fork('server'), factor);
  const budget = kind === 'tokens' ? plan.int(2_000, 60_000) : plan.int(5, 400) / 1_000;
  const limit = kind === 'tokens' ? { 'agent.budget_tokens': budget } : { 'agent.budget_usd': budget };
  const { store, deps } = scene;
  const session = await store.create({ source: 'test', cwd: scene.folder, model: RUNTIME.model, provider: RUNTIME.provider });
  const own = { provider, settings: { ...deps.settings, ...limit }, price: (_runtime: Runtime, usage: Usage) => priceOf(usage) };
  const agent = createAgent(store, { ...deps, ...own }, RUNTIME);
  for (let turn = 0; turn < 4; turn++)
    await collect(agent.send(session, says('word '.repeat(plan.int(1, 6_000))), new AbortController().signal));
  const measure = (usage: Usage): number => (kind === 'tokens' ? sumUsageTokens({ usage }) : priceOf(usage));
  const [request, usage = NO_USAGE] = [provider.requests[0], usages[0]];
  const counted = request === undefined ? 0 : estimateOf(request);
  const believed = kind === 'tokens' ? counted : counted * USD.cacheWrite;
  return {
    over: usages.reduce((sum, each) => sum + measure(each), 0) - budget,
    firstError: Math.max(0, measure({ ...usage, output: 0 }) - believed),
    calls: usages.length,
  };
}

for (const [kind, rounding] of [
  ['tokens', 0],
  ['usd', 1e-9],
] as const) {
  test(`budgets are upper bounds: ${SESSIONS} sessions in ${kind} against a server that counts by a factor of its own`, async (t) => {
    let seen = 0;
    const look = testTool('look', async () => ({ content: [createTextBlock('seen '.repeat((seen += 37) % 900), 'tool')] }));
    const scene = await setup(scriptedProvider([]), { tools: [look] });
    let [calls, over, worst] = [0, 0, -Infinity];
    for (let seed = 1; seed <= SESSIONS; seed++) {
      const spent = await spendAll(scene, createSeededRandom(`budget ${seed}`), kind);
      calls += spent.calls;
      over += spent.over > rounding ? 1 : 0;
      worst = Math.max(worst, spent.over - spent.firstError);
      assert.ok(
        spent.over <= spent.firstError + rounding,
        `session ${seed}: ${spent.over} over, the first call was ${spent.firstError} off`,
      );
    }
    t.diagnostic(`${calls} calls; ${over} sessions over by their first call's error; at most ${worst} beyond it`);
    assert.ok(calls > 3 * SESSIONS, 'the sessions did something');
  });
}

test('a budget holds when pages of figures follow pages of prose, on a server that counts digits one by one', async () => {
  const count = (text: string): number => Math.ceil(text.replace(/\d/g, '').length / 4) + (text.match(/\d/g)?.length ?? 0);
  const BUDGET = 30_000;
  for (let pages = 1; pages <= 12; pages++) {
    let [real, calls] = [0, 0];
    const provider = scriptedProvider((request, index) => {
      const input = count(request.system + JSON.stringify(request.tools) + JSON.stringify(request.messages.map(({ message }) => message)));
      real += input + 20;
      calls++;
      const usage = { ...NO_USAGE, input, output: 20 };
      if (request.toolUse === 'forbidden' || index > 40) return { text: 'A report.', usage };
      return { calls: [{ id: `c${index}`, name: 'look', input: { index } }], usage };
    });
    let seen = 0;
    const content = () => (seen++ < pages ? 'seen again and again '.repeat(60) : '1234567890'.repeat(1_200));
    const look = testTool('look', async () => ({ content: [createTextBlock(content(), 'tool')] }));
    const scene = await setup(provider, { tools: [look], settings: { 'agent.budget_tokens': BUDGET, 'agent.max_turns': 0 } });
    await collect(createAgent(scene.store, scene.deps, RUNTIME).send(scene.session, says('go'), new AbortController().signal));
    assert.ok(calls > 1 && calls < 40);
    assert.ok(real <= BUDGET, `${pages} pages of prose: ${real} of ${BUDGET}`);
  }
});
