import type { Summariser } from '../../../../src/contracts/complete.ts';
import type { CompressResult, CompressRequest, ContextEngine } from '../../../../src/contracts/context-engine.ts';
import type { CompactionReport, Entry, NewEntry } from '../../../../src/contracts/entry.ts';
import { NO_USAGE, createTextBlock, type Json, type ToolMessage, type Trust } from '../../../../src/contracts/message.ts';
import type { Runtime } from '../../../../src/contracts/runtime.ts';
import { collectDefaults } from '../../../../src/contracts/settings.ts';
import { compressorEngine, type CompressorOptions } from '../../../../src/parts/context/compressor/engine.ts';
import { contextSettings } from '../../../../src/parts/context/settings.ts';

export const DEFAULTS = collectDefaults(contextSettings);
export const RUNTIME: Runtime = {
  provider: 'scripted',
  model: 'script-1',
  baseUrl: 'http://127.0.0.1:1',
  protocol: 'openai-chat',
  credential: 'none',
  limits: { window: 200_000 },
};

/** A log that grows as the loop lets it grow. */
export interface Log {
  readonly entries: Entry[];
  add(entry: NewEntry, at?: number): number;
  user(words: string, origin?: 'user' | 'steer' | 'cron'): number;
  said(words: string): number;
  /** One step: calls of one assistant message and their results. */
  step(calls: readonly Called[], words?: string): void;
  answered(): void;
}
export interface Called {
  readonly name: string;
  readonly input?: Json;
  readonly result: string;
  readonly failed?: boolean;
  readonly trust?: Trust;
  readonly image?: boolean;
}

export function newLog(): Log {
  const entries: Entry[] = [];
  const add = (entry: NewEntry, at = entries.length + 1): number => {
    const seq = entries.length + 1;
    entries.push({ id: `e${seq}`, sessionId: 's', seq, at, ...entry });
    return seq;
  };
  const say = (words: string, calls: readonly (readonly [string, Called])[]) =>
    add({
      type: 'message',
      origin: 'model',
      message: {
        role: 'assistant',
        content: [
          ...(words === '' ? [] : [createTextBlock(words, 'model')]),
          ...calls.map(([id, { name, input = {} }]) => ({ type: 'tool_call', id, name, input, trust: 'model' }) as const),
        ],
      },
    });
  return {
    entries,
    add,
    user: (words, origin = 'user') =>
      add({ type: 'message', origin, message: { role: 'user', content: [createTextBlock(words, 'owner')] } }),
    said: (words) => say(words, []),
    step: (calls, words = '') => {
      const named = calls.map((call, place) => [`c${entries.length}_${place}`, call] as const);
      say(words, named);
      for (const [id, call] of named) add({ type: 'message', origin: 'tool', message: resultOf(id, call) });
    },
    answered: () => add({ type: 'outcome', origin: 'system', outcome: 'answered', exitReason: 'answered' }),
  };
}

const resultOf = (callId: string, { name, result, failed = false, trust = 'tool', image = false }: Called): ToolMessage => ({
  role: 'tool',
  callId,
  name,
  failed,
  content: [
    createTextBlock(result, trust),
    ...(image ? [{ type: 'image', mime: 'image/png', data: 'A'.repeat(4_000), trust: 'tool' } as const] : []),
  ],
});

/** Notes as a good model writes them. */
export const notes = (words = 'the work goes on'): string =>
  `## Goal\n- ${words}\n## Constraints & Preferences\n- none\n## Progress\n### Done\n- looked around\n### In Progress\n- ${words}\n### Blocked\n- none\n## Key Decisions\n- none\n## Relevant Files\n- src/a.ts\n## Next Steps\n- go on\n## Critical Context\n- port 8443`;

type Answer = Awaited<ReturnType<Summariser['complete']>>;
export const gives = (words: string, model = 'aux'): Answer => ({
  ok: true,
  text: words,
  usage: { ...NO_USAGE, input: 100, output: 20 },
  model,
  price: 0.01,
});
export const fails = (why: string, hopeless = false, model = 'aux'): Answer => ({ ok: false, why, model, hopeless });

/** A summariser by a script; what it was asked is kept. */
export function summariser(
  reply: (asked: Parameters<Summariser['complete']>[0], call: number) => Answer | Promise<Answer>,
  window = 200_000,
  model = 'aux',
): Summariser & { readonly asked: Parameters<Summariser['complete']>[0][] } {
  const asked: Parameters<Summariser['complete']>[0][] = [];
  return { model, window, asked, complete: async (ask) => reply(ask, asked.push(ask)) };
}
export const good = (words?: string) => summariser(() => gives(notes(words)));

export const engineWith = (
  summarisers: readonly Summariser[],
  {
    settings = {},
    now = () => 1_000_000,
    ...rest
  }: Partial<Omit<CompressorOptions, 'settings'>> & { settings?: Partial<typeof DEFAULTS>; now?: () => number } = {},
): ContextEngine => compressorEngine({ settings: { ...DEFAULTS, ...settings }, summarisers: () => summarisers, clock: { now }, ...rest });

export const askOf = (log: Pick<Log, 'entries'>, given: Partial<CompressRequest> & { readonly window?: number } = {}): CompressRequest => ({
  entries: log.entries,
  runtime: { ...RUNTIME, limits: { window: given.window ?? 200_000 } },
  system: '',
  tools: [],
  reason: 'threshold',
  calibration: 1,
  signal: new AbortController().signal,
  ...given,
});

/** Commits what an engine gave, as the agent does: a done one as an entry, a refused one as a note. */
export function commit(log: Log, result: CompressResult, at?: number): void {
  if (result.ok) {
    const { fromSeq, toSeq, summary, report } = result;
    log.add({ type: 'compaction', origin: 'summary', fromSeq, toSeq, summary, report }, at);
  } else if (result.report !== undefined) {
    log.add({ type: 'note', origin: 'system', text: result.why, compaction: result.report }, at);
  }
}

export const report = (given: Partial<CompactionReport>): CompactionReport => ({
  engine: 'compressor',
  reason: 'threshold',
  outcome: 'summary',
  tokensBefore: 1_000,
  tokensAfter: 500,
  messagesBefore: 10,
  messagesAfter: 5,
  ms: 1,
  ...given,
});

/** Text of so many estimated tokens, on lines of their own. */
export const bulk = (tokens: number, word = 'lorem'): string =>
  `${word} ipsum dolor\n`.repeat(Math.max(Math.ceil((tokens * 4) / (word.length + 13)), 1)).slice(0, tokens * 4);

/** A long working session: `turns` requests, each with some steps of about `each` tokens. */
export function workLog(turns: number, steps: number, each: number): Log {
  const log = newLog();
  for (let turn = 1; turn <= turns; turn++) {
    log.user(`request ${turn}: look after part ${turn}`);
    for (let step = 1; step <= steps; step++)
      log.step(
        [{ name: 'read_file', input: { path: `src/part-${turn}/file-${step}.ts` }, result: bulk(each, `w${turn}x${step}`) }],
        `step ${turn}.${step}`,
      );
    if (turn < turns) {
      log.said(`part ${turn} is done`);
      log.answered();
    }
  }
  return log;
}
