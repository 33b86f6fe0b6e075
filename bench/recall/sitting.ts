/** A conversation lived through with the compressor at its defaults: what the model would see at its end, and what it could ask for. */
import { compressorEngine } from '../../src/parts/context/compressor/engine.ts';
import { contextSettings } from '../../src/parts/context/settings.ts';
import { findSummaryAnchors } from '../../src/parts/context/recall/summary-anchors.ts';
import { contextRecallTool } from '../../src/parts/context/recall/tool.ts';
import { givesOrders } from '../../src/parts/safety/scan/orders.ts';
import type { Summariser } from '../../src/contracts/complete.ts';
import type { CompressReason } from '../../src/contracts/context-engine.ts';
import type { Entry } from '../../src/contracts/entry.ts';
import { joinTextBlocks, type Message } from '../../src/contracts/message.ts';
import type { Runtime } from '../../src/contracts/runtime.ts';
import { collectDefaults } from '../../src/contracts/settings.ts';
import type { ToolContext } from '../../src/contracts/tool.ts';

export interface Sitting {
  readonly compactions: number;
  /** Of the whole view at the end, after one more compaction. */
  readonly tokens: number;
  /** The view at the end, made plain for a comparison. */
  readonly seen: string;
  readonly log: readonly Entry[];
  /** What one call of `context_recall` gives, made plain. */
  recall(query: string): Promise<string>;
}

const runtimeOf = (window: number): Runtime => ({
  provider: 'exam',
  model: 'exam',
  baseUrl: 'none:',
  protocol: 'openai-chat',
  credential: 'none',
  limits: { window },
});
const NEVER = new AbortController().signal;

export async function sitThrough(
  name: string,
  entries: readonly Entry[],
  summarisers: readonly Summariser[],
  window: number,
): Promise<Sitting> {
  let now = 0;
  const engine = compressorEngine({
    settings: collectDefaults(contextSettings),
    summarisers: () => summarisers,
    clock: { now: () => now },
    anchors: findSummaryAnchors,
    suspicious: givesOrders,
    recall: 'context_recall',
  });
  const log: Entry[] = [];
  const runtime = runtimeOf(window);
  const compact = async (reason: CompressReason): Promise<boolean> => {
    const done = await engine.compress({ entries: log, runtime, system: '', tools: [], reason, calibration: 1, signal: NEVER });
    const head = { id: `k${log.length}`, sessionId: name, seq: log.length + 1, at: now, origin: 'summary' } as const;
    if (done.ok)
      log.push({ ...head, type: 'compaction', fromSeq: done.fromSeq, toSeq: done.toSeq, summary: done.summary, report: done.report });
    else if (done.report !== undefined) log.push({ ...head, type: 'note', text: done.why, compaction: done.report });
    return done.ok;
  };
  const size = () => engine.estimate({ system: '', tools: [], view: engine.view(log) });
  for (const [index, entry] of entries.entries()) {
    log.push({ ...entry, seq: log.length + 1 });
    now = entry.at;
    const next = entries[index + 1];
    // As in a turn: before the model is asked, when every call has its result.
    const asks = next === undefined || (next.type === 'message' && next.message.role === 'assistant');
    if (!asks || !engine.shouldCompress({ tokens: size(), window })) continue;
    await compact('threshold');
    // Where no notes could be had the session goes on until the provider refuses it.
    if (size() > window) await compact('overflow');
  }
  // The exam is about what a compaction keeps, not about what came after the last one.
  if (!(await compact('asked'))) await compact('overflow');
  const view = engine.view(log);
  const tool = contextRecallTool({ entries: async () => log });
  return {
    compactions: log.filter(({ type }) => type === 'compaction').length,
    tokens: size(),
    seen: plain(view.map(({ message }) => wordsIn(message)).join('\n')),
    log,
    recall: async (query) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the tool reads the session's name and nothing else
      const { content } = await tool.run({ query }, { sessionId: name } as ToolContext);
      return plain(content.map((block) => (block.type === 'text' ? block.text : '')).join('\n'));
    },
  };
}

/** One of the strings stands there, whatever the case and the white space. */
export const holdsAny = (text: string, strings: readonly string[]): boolean => strings.some((each) => text.includes(plain(each)));

const plain = (text: string): string => text.toLowerCase().replaceAll(/[\s`*]+/g, ' ');
const wordsIn = (message: Message): string =>
  `${joinTextBlocks(message)} ${message.content.map((block) => (block.type === 'tool_call' ? JSON.stringify(block.input) : '')).join(' ')}`;
