import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Entry, EntryBody, EntryOrigin } from '../../src/contracts/entry.ts';
import { createTextBlock, type Json, type Message, type ToolMessage } from '../../src/contracts/message.ts';

/** A question of `exam-f`; the fields are told in its README. */
export interface FreshQuestion {
  readonly id: string;
  readonly kind: string;
  readonly answer: readonly string[];
  readonly question: string;
  readonly paraphrase: string;
  readonly cross: string;
  readonly source: string;
  readonly cue?: boolean;
  readonly stale?: readonly string[];
}
export interface FreshTranscript {
  readonly name: string;
  readonly questions: readonly FreshQuestion[];
  readonly entries: readonly Entry[];
}

type Line =
  | { readonly role: 'user'; readonly text: string }
  | {
      readonly role: 'assistant';
      readonly text: string;
      readonly calls: readonly { readonly id: string; readonly name: string; readonly input: Json }[];
    }
  | { readonly role: 'tool'; readonly id: string; readonly text: string; readonly isError?: boolean };

export function readFresh(half: 'tune' | 'held-out'): FreshTranscript[] {
  const folder = join(import.meta.dirname, 'exam-f', half);
  return readdirSync(folder)
    .filter((file) => /^\w+\.jsonl$/.test(file))
    .toSorted()
    .map((file) => {
      const name = file.replace('.jsonl', '');
      return {
        name,
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the form is told in the README of the exam
        questions: rowsIn(join(folder, `${name}.questions.jsonl`)) as FreshQuestion[],
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the form is told in the README of the exam
        entries: entriesOf(name, rowsIn(join(folder, file)) as Line[]),
      };
    });
}

const rowsIn = (path: string): unknown[] =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));

/** Messages come half a minute apart: rests of the engine are judged by the log's own times. */
const START = Date.parse('2026-01-05T09:00:00Z');
const STEP_MS = 30_000;
const ORIGINS = { user: 'user', assistant: 'model', tool: 'tool' } as const;

/** The log as the agent would have kept it: the messages, and how each turn ended. */
function entriesOf(name: string, lines: readonly Line[]): Entry[] {
  const calls = new Map<string, { readonly name: string; readonly input: Json }>();
  const entries: Entry[] = [];
  let turn = 0;
  const add = (origin: EntryOrigin, body: EntryBody): void => {
    const seq = entries.length + 1;
    entries.push({ id: `e${seq}`, sessionId: name, seq, turnId: `t${turn}`, at: START + seq * STEP_MS, origin, ...body });
  };
  for (const line of lines) {
    if (line.role === 'user') turn++;
    if (line.role === 'assistant') for (const call of line.calls) calls.set(call.id, call);
    add(ORIGINS[line.role], { type: 'message', message: messageOf(line, calls) });
    if (line.role === 'assistant' && line.calls.length === 0)
      add('system', { type: 'outcome', outcome: 'answered', exitReason: 'answered', messageId: `e${entries.length}` });
  }
  return entries;
}

function messageOf(line: Line, calls: ReadonlyMap<string, { readonly name: string; readonly input: Json }>): Message {
  if (line.role === 'user') return { role: 'user', content: [createTextBlock(line.text, 'owner')] };
  if (line.role === 'tool') return resultOf(line, calls.get(line.id)?.name ?? 'unknown');
  return {
    role: 'assistant',
    content: [
      ...(line.text === '' ? [] : [createTextBlock(line.text, 'model')]),
      ...line.calls.map(({ id, name, input }) => ({ type: 'tool_call', id, name, input, trust: 'model' }) as const),
    ],
  };
}

/** What a page says comes from outside. */
const resultOf = (line: Extract<Line, { readonly role: 'tool' }>, name: string): ToolMessage => ({
  role: 'tool',
  callId: line.id,
  name,
  failed: line.isError === true,
  content: [
    name === 'web_extract' ? { type: 'text', text: line.text, trust: 'foreign', source: 'web' } : createTextBlock(line.text, 'tool'),
  ],
});
