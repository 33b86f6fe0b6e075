import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Entry, EntryOrigin } from '../../src/contracts/entry.ts';
import type { Message } from '../../src/contracts/message.ts';

export interface Question {
  readonly id: string;
  readonly kind: string;
  readonly question: string;
  readonly answer: readonly string[];
  readonly wrong?: readonly string[];
}
export interface Transcript {
  readonly name: string;
  readonly questions: readonly Question[];
  /** The log as the agent would have kept it, without compactions. */
  readonly entries: readonly Entry[];
}

interface Line {
  readonly origin: EntryOrigin;
  readonly turn: number;
  readonly message: Message;
}
/** Messages come half a minute apart: cooldowns are judged by the log's own times. */
const START = Date.parse('2026-01-05T09:00:00Z');
const STEP_MS = 30_000;

export function readTranscripts(half: 'tune' | 'held-out'): Transcript[] {
  const folder = join(import.meta.dirname, half);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl.gz'))
    .toSorted()
    .map((file) => {
      const name = file.replace('.jsonl.gz', '');
      const { questions } = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as { readonly questions: readonly Question[] };
      const lines = gunzipSync(readFileSync(join(folder, file)))
        .toString('utf8')
        .trim()
        .split('\n');
      return { name, questions, entries: lines.map((line, index) => entryOf(JSON.parse(line) as Line, index + 1, name)) };
    });
}

const entryOf = ({ origin, turn, message }: Line, seq: number, name: string): Entry => ({
  id: `e${seq}`,
  sessionId: name,
  seq,
  turnId: `t${turn}`,
  at: START + seq * STEP_MS,
  origin,
  type: 'message',
  message,
});
