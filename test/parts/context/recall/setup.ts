import type { Entry, EntryBody, EntryOrigin } from '../../../../src/contracts/entry.ts';
import { createTextBlock, type Json, type TextBlock, type ToolMessage } from '../../../../src/contracts/message.ts';
import type { ToolContext, ToolOutput } from '../../../../src/contracts/tool.ts';
import { createSessionIndexes } from '../../../../src/parts/context/recall/session-indexes.ts';
import type { ContextRecallInput } from '../../../../src/parts/context/recall/recall.ts';
import { contextRecallTool } from '../../../../src/parts/context/recall/tool.ts';

const START = Date.parse('2026-11-15T08:00:00Z');

/** Writes a log row by row, the way a session does. Each row is half a minute later than the one before. */
export function writeLog(sessionId = 's1') {
  const entries: Entry[] = [];
  const push = (origin: EntryOrigin, body: EntryBody): number => {
    const seq = entries.length + 1;
    entries.push({ id: `${sessionId}-${seq}`, sessionId, seq, at: START + seq * 30_000, origin, ...body });
    return seq;
  };
  const result = (name: string, callId: string, words: string, block: Partial<TextBlock> = {}, failed = false): number => {
    const message: ToolMessage = { role: 'tool', callId, name, content: [{ ...createTextBlock(words, 'tool'), ...block }], failed };
    return push('tool', { type: 'message', message });
  };
  const user = (words: string, origin: EntryOrigin = 'user') =>
    push(origin, { type: 'message', message: { role: 'user', content: [createTextBlock(words, 'owner')] } });
  const model = (words: string) =>
    push('model', { type: 'message', message: { role: 'assistant', content: [createTextBlock(words, 'model')] } });
  /** Words and a call, then its result; gives the number of the result. */
  const act = (words: string, name: string, input: Json, output: string, block: Partial<TextBlock> = {}, failed = false): number => {
    const id = `call-${entries.length + 1}`;
    const said = words === '' ? [] : [createTextBlock(words, 'model')];
    push('model', {
      type: 'message',
      message: { role: 'assistant', content: [...said, { type: 'tool_call', id, name, input, trust: 'model' }] },
    });
    return result(name, id, output, block, failed);
  };
  const compact = (fromSeq: number, toSeq: number) =>
    push('summary', { type: 'compaction', fromSeq, toSeq, summary: { role: 'user', content: [createTextBlock('a summary', 'tool')] } });
  return { entries, push, user, model, act, result, compact };
}
export type LogWriter = ReturnType<typeof writeLog>;

export const contextOf = (sessionId: string): ToolContext => ({
  signal: new AbortController().signal,
  sessionId,
  turnId: 't1',
  callId: 'c1',
  taint: [],
  // Nothing here touches a terminal or a port.
  terminal: {} as never,
  ports: {},
  report: () => {},
  approve: async () => ({ allow: false, by: 'test', reason: 'no' }),
  call: () => Promise.reject(new Error('no other tools here')),
});

export const wordsOf = ({ content }: ToolOutput): string => content.map((block) => (block.type === 'text' ? block.text : '')).join('');

/** The tool over logs in memory. */
export function openTool(...logs: readonly LogWriter[]) {
  const indexes = createSessionIndexes();
  const read: number[] = [];
  const tool = contextRecallTool({
    entries: async (id) => logs.find(({ entries }) => entries[0]?.sessionId === id)?.entries ?? [],
    indexOf: (id, entries) => {
      const index = indexes(id, entries);
      read.push(index.rowsRead);
      return index;
    },
  });
  const output = (input: ContextRecallInput, sessionId = 's1') => tool.run(input, contextOf(sessionId));
  const ask = async (input: ContextRecallInput, sessionId = 's1') => wordsOf(await output(input, sessionId));
  /** The passages of an answer, without opening and closing. */
  const passages = async (query: string, sessionId = 's1') =>
    (await ask({ query }, sessionId)).split('\n\n').filter((block) => /^(?:#|\(before)/.test(block));
  return { tool, read, output, ask, passages };
}

/** The same numbers every time, whatever the machine. */
export function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
