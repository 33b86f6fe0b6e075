import { setTimeout as sleep } from 'node:timers/promises';
import type { ModelRequest } from '../../../../src/contracts/provider.ts';
import type { GatewayAccount } from '../../../../src/faces/gateway/accounts/account.ts';
import { createSeededRandom, type SeededRandom } from '../../../../src/testing/seeded-random.ts';
import type { ScriptedAnswer } from '../../../../src/testing/scripted-provider.ts';
import type { ChatStage, StageChat } from '../stages/contract.ts';
import { STAGES } from '../stages/index.ts';
import { openLocalGateway } from './local-gateway.ts';

export interface StreamingResult {
  readonly texts: number;
  /** Messages that the texts came to, and changes of a message while a text was written. */
  readonly messages: number;
  readonly edits: number;
  readonly faults: readonly string[];
}

const MAX_WAIT_MS = Number(process.env['HERMES_KILL_WAIT'] ?? 120_000);
/** Turns that run at once. */
const AT_ONCE = 20;

/**
 * Each text is given twice to the same person: by a bot that shows it while it is written, over a line with faults, and by one
 * that does not. In the end both chats must read the same.
 */
export async function runStreaming(platform: ChatStage['platform'], seed: string, texts: number): Promise<StreamingResult> {
  await using stage = await STAGES[platform]({ chats: Math.min(AT_ONCE, texts), accounts: ['main', 'plain'] });
  const answers = Array.from({ length: texts }, (_, index) =>
    index === 0 ? UNHURRIED : writeAnswer(createSeededRandom(`${seed}/${index}`)),
  );
  await using _local = await openLocalGateway({
    stages: [stage],
    script: (request) => answers[Number(/\d+$/.exec(lastWords(request))?.[0] ?? 0)] ?? { text: 'nothing' },
    change: (account) => loosen(account),
  });
  // The very first start of a bot begins with now.
  while (stage.sockets('main') === 0 || stage.sockets('plain') === 0) await sleep(10);
  const chance = createSeededRandom(`${seed}/faults`);
  const pairs = stage.chats.filter(({ account }) => account === 'main').map((main) => ({ main, plain: twinOf(stage, main) }));
  const faults: string[] = [];
  for (let from = 0; from < texts; from += pairs.length) {
    const batch = pairs.slice(0, texts - from);
    const before = batch.map(({ main, plain }) => [stage.ours(main).length, stage.ours(plain).length] as const);
    for (const [offset, { main, plain }] of batch.entries()) {
      if (from + offset > 0) stage.disturb(main, chance.weighed({ none: 5, limited: 1, edit_lost: 2, edit_failed: 2 }));
      for (const chat of [main, plain]) stage.say(chat, { text: `text ${from + offset}` });
    }
    const read = (index: number, which: 0 | 1): string[] => {
      const pair = batch[index];
      const chat = which === 0 ? pair?.main : pair?.plain;
      return chat === undefined
        ? []
        : stage
            .ours(chat)
            .slice(before[index]?.[which] ?? 0)
            .map(({ text }) => text);
    };
    const isSame = (index: number): boolean => read(index, 1).length > 0 && read(index, 0).join('\0') === read(index, 1).join('\0');
    await waitUntilStill(
      batch.map((_, index) => index),
      isSame,
      () => stage.calls().length,
    );
    for (const index of batch.keys()) if (!isSame(index)) faults.push(describe(`${seed}/${from + index}`, read(index, 0), read(index, 1)));
  }
  const ours = pairs.flatMap(({ main }) => stage.ours(main)).length;
  const edits = stage.calls().filter(({ account, method }) => account === 'main' && /edit|PATCH|update/.test(method)).length;
  return { texts, messages: ours, edits, faults };
}

/** Every pair reads the same, and nothing moves any more that could change it. */
async function waitUntilStill(all: readonly number[], isSame: (index: number) => boolean, countCalls: () => number): Promise<void> {
  const deadline = Date.now() + MAX_WAIT_MS;
  let seen = -1;
  while (Date.now() < deadline) {
    if (all.every(isSame)) {
      const calls = countCalls();
      if (calls === seen) return;
      seen = calls;
      await sleep(30);
    } else await sleep(20);
  }
}

const describe = (seed: string, streamed: readonly string[], plain: readonly string[]): string =>
  `${seed}: streamed ${JSON.stringify(streamed).slice(0, 400)} against ${JSON.stringify(plain).slice(0, 400)}`;

const lastWords = ({ messages }: ModelRequest): string => {
  const last = messages.findLast(({ message }) => message.role === 'user');
  return last?.message.content.map((block) => (block.type === 'text' ? block.text : '')).join('') ?? '';
};

function twinOf(stage: ChatStage, { personId }: StageChat): StageChat {
  const twin = stage.chats.find((chat) => chat.account === 'plain' && chat.personId === personId);
  if (twin === undefined) throw new Error(`There is no second chat of ${personId}.`);
  return twin;
}

/** As fast as it goes: how often a service may be called is proved elsewhere. */
function loosen(account: GatewayAccount): GatewayAccount {
  const { kind, display } = account;
  const streaming = account.account === 'plain' || display.streaming === false ? false : { ...display.streaming, intervalMs: 5 };
  return {
    ...account,
    kind: { ...kind, traits: { ...kind.traits, rates: [] } },
    display: { ...display, streaming, typing: false, reactions: false, replyTo: 'off' },
  };
}

const WORDS = [
  'plain',
  'Straße',
  '漢字',
  'かな',
  '🙂',
  '👩‍👩‍👧',
  '**bold**',
  '_slanted_',
  '`code`',
  '[link](https://example.com/a_b)',
  '1 < 2 & 3',
  '#tag',
  '|',
  '*',
  '~~gone~~',
  'e\u0301',
] as const;
const LANGUAGES = ['', 'ts', 'python', 'c++'] as const;

/** Takes several times as long as an answer that is not shown before it is there: the first is seen to grow on any machine. */
const UNHURRIED: ScriptedAnswer = { text: 'one word after the other '.repeat(10), chunk: 10, paceMs: 60 };

/** Some are there at once, the others within a second. */
function writeAnswer(chance: SeededRandom): ScriptedAnswer {
  const text = chance.list(1, chance.hits(0.25) ? 40 : 6, () => writeBlock(chance)).join('\n\n');
  const chunk = Math.max(8, Math.ceil(text.length / chance.int(3, 60)));
  return { text, chunk, ...(chance.hits(0.7) && { paceMs: Math.round((chance.int(0, 900) * chunk) / text.length) }) };
}

function writeBlock(chance: SeededRandom): string {
  const line = (): string => chance.list(1, 25, () => chance.pick(WORDS)).join(' ');
  const kind = chance.weighed({ text: 6, fence: 2, list: 2, heading: 1, quote: 1, long: 1, table: 1 });
  if (kind === 'fence')
    return ['```' + chance.pick(LANGUAGES), ...chance.list(0, 30, () => line().replaceAll('```', '')), '```'].join('\n');
  if (kind === 'list') return chance.list(1, 8, (index) => `${chance.pick(['-', '*', `${index + 1}.`])} ${line()}`).join('\n');
  if (kind === 'heading') return `${'#'.repeat(chance.int(1, 4))} ${line()}`;
  if (kind === 'quote') return `> ${line()}\n> ${line()}`;
  if (kind === 'long') return chance.pick(['x', '漢', '🙂']).repeat(chance.int(500, 5_000));
  if (kind === 'table')
    return ['| a | b |', '|---|---|', ...chance.list(1, 5, () => `| ${chance.pick(WORDS)} | ${chance.pick(WORDS)} |`)].join('\n');
  return line();
}
