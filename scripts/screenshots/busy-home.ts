import type { NewEntry } from '../../src/contracts/entry.ts';
import type { ExitReason } from '../../src/contracts/event.ts';
import type { CallRecord } from '../../src/contracts/ledger.ts';
import { createTextBlock } from '../../src/contracts/message.ts';
import { openSqliteStore } from '../../src/parts/store/sqlite/store.ts';
import { createCallRecord, RUNTIME } from '../../src/testing/conformance/session-store-samples.ts';
import { createSeededRandom } from '../../src/testing/seeded-random.ts';

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000];
const DAYS = 60;

/** Names, and what a million of their tokens cost: fresh, from the cache, out. */
const MODELS = [
  ['anthropic', 'claude-sonnet-4-6', 3, 0.3, 15],
  ['anthropic', 'claude-haiku-4-5', 1, 0.1, 5],
  ['openrouter', 'moonshotai/kimi-k2', 0.6, 0.15, 2.5],
  ['ollama', 'qwen3:32b', 0, 0, 0],
] as const;
const TOOLS = [
  'terminal',
  'terminal',
  'read_file',
  'read_file',
  'patch',
  'search_files',
  'web_search',
  'todo',
  'write_file',
  'skill_view',
] as const;
const WORK = [
  'Fix the flaky login test',
  'Plan the trip to Lisbon',
  'Write the release notes',
  'Why is the build slow?',
  'Translate the invoice',
] as const;
const SOURCES = ['tui', 'tui', 'cli', 'acp', 'cron'] as const;
const HOURS = [9, 10, 10, 11, 13, 14, 15, 15, 16, 20] as const;
const ENDS: readonly [ExitReason, ...ExitReason[]] = [
  'turn_limit',
  'interrupted',
  'interrupted',
  ...Array.from({ length: 16 }, () => 'answered' as const),
];
const TROUBLES = ['overloaded', 'rate_limited', 'timeout'] as const;

type Random = ReturnType<typeof createSeededRandom>;

/** A store as somebody leaves it who has worked with Hermes for two months, with a week away from the desk. */
export async function fillBusyHome(path: string, until: number): Promise<void> {
  const random = createSeededRandom('busy home');
  let now = until;
  await using store = await openSqliteStore({ path, durability: 'process', now: () => now });
  for (const start of startsOf(random, until)) {
    now = start;
    const model = MODELS[Math.min(3, Math.floor(random.next() ** 2.2 * 4))] ?? MODELS[0];
    const { id } = await store.create({
      source: random.pick(SOURCES),
      cwd: '/home/ada/weather',
      provider: model[0],
      model: model[1],
      title: random.pick(WORK),
    });
    const claim = await store.claim(id);
    let context = random.int(9, 14) * 1_000;
    for (let turn = 0, turns = random.int(2, 9); turn < turns; turn++) {
      const { append, calls, seconds, after } = makeTurn(`${id}-${turn}`, { random, model, context, isFirst: turn === 0, at: now });
      context = after;
      await store.commit(claim, { append, calls: calls.map((call) => ({ ...call, sessionId: id })) });
      now += seconds * SECOND + random.int(1, 9) * MINUTE;
    }
    await store.release(claim);
  }
}

/** When sessions begin: more of them as time goes by, few on weekends. */
function startsOf(random: Random, until: number): readonly number[] {
  return Array.from({ length: DAYS }, (_, index) => DAYS - index)
    .filter((ago) => ago >= 40 || ago <= 33)
    .flatMap((ago) => {
      const midnight = Math.floor((until - ago * DAY) / DAY) * DAY;
      const isWeekend = [0, 6].includes(new Date(midnight).getUTCDay());
      const count = Math.round((isWeekend ? random.int(0, 2) : random.int(2, 5)) * (2 - ago / DAYS));
      return Array.from({ length: count }, () => midnight + Math.round((random.pick(HOURS) + random.next()) * HOUR));
    })
    .toSorted((one, other) => one - other);
}

interface TurnPlan {
  readonly random: Random;
  readonly model: (typeof MODELS)[number];
  /** Tokens in view. */
  readonly context: number;
  readonly isFirst: boolean;
  readonly at: number;
}

function makeTurn(name: string, { random, model, context, isFirst, at }: TurnPlan) {
  const append: NewEntry[] = [
    { type: 'message', origin: 'user', message: { role: 'user', content: [createTextBlock(random.pick(WORK), 'owner')] } },
  ];
  const calls: CallRecord[] = [];
  let [view, seconds] = [context, 0];
  for (let step = 0, steps = random.int(1, 6); step < steps; step++) {
    const call = makeCall(`${name}-${step}`, { random, model, context: view, isFirst: isFirst && step === 0, at: at + seconds * SECOND });
    calls.push(call);
    view += isFirst && step === 0 ? 0 : call.usage.cacheWrite;
    append.push(makeResult(random));
    seconds += random.int(4, 40);
  }
  const exitReason = random.pick(ENDS);
  const outcome = exitReason === 'answered' ? 'answered' : exitReason === 'interrupted' ? 'stopped' : 'partial';
  append.push({ type: 'outcome', origin: 'system', outcome, exitReason });
  if (view < 60_000) return { append, calls, seconds, after: view };
  const after = random.int(14, 22) * 1_000;
  return { append: [...append, makeCompaction(view, after, random)], calls, seconds, after };
}

function makeCall(id: string, { random, model: [provider, model, fresh, cached, out], context, isFirst, at }: TurnPlan): CallRecord {
  const usage = {
    input: random.int(40, 400),
    output: random.int(60, 900),
    cacheRead: isFirst ? 0 : context,
    cacheWrite: random.int(300, 2_500) + (isFirst ? context : 0),
    reasoning: random.int(0, 60),
  };
  const price = ((usage.input + usage.cacheWrite * 1.25) * fresh + usage.cacheRead * cached + usage.output * out) / 1e6;
  return createCallRecord('', id, {
    at,
    ms: random.int(900, 9_000),
    runtime: { ...RUNTIME, provider, model },
    usage,
    price,
    result: random.int(0, 30) === 0 ? random.pick(TROUBLES) : 'stop',
  });
}

function makeResult(random: Random): NewEntry {
  const name = random.pick(TOOLS);
  const content = [createTextBlock('done', 'tool')];
  return {
    type: 'message',
    origin: 'tool',
    message: { role: 'tool', callId: 'c', name, content, failed: random.int(0, 14) === 0 },
    ms: name === 'terminal' ? random.int(80, 14_000) : random.int(4, 600),
  };
}

const makeCompaction = (tokensBefore: number, tokensAfter: number, random: Random): NewEntry => ({
  type: 'compaction',
  origin: 'system',
  fromSeq: 1,
  toSeq: 1,
  summary: { role: 'user', content: [createTextBlock('Notes.', 'model')] },
  report: {
    engine: 'compressor',
    reason: 'threshold',
    outcome: 'summary',
    tokensBefore,
    tokensAfter,
    messagesBefore: random.int(40, 80),
    messagesAfter: random.int(8, 14),
    ms: random.int(3_000, 12_000),
    model: 'claude-haiku-4-5',
  },
});
