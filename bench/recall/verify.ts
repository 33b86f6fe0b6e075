/** Checks the recall corpus: `node bench/recall/verify.ts [half/name …]`. Prints one row a transcript, ends with 1 when anything is wrong. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { AssistantMessage, Message, ToolCall, ToolMessage } from '../../src/contracts/message.ts';
import { checkQuestions, type Question } from './verify-questions.ts';

export interface Line {
  readonly origin: 'user' | 'model' | 'tool' | 'steer';
  readonly turn: number;
  readonly message: Message;
}
interface Head {
  readonly name: string;
  readonly about: string;
  readonly tokens: number;
  readonly turns: number;
  readonly questions: readonly Question[];
}

const HALVES = ['tune', 'held-out'];
const MIN_STEPS = 300;
const MAX_STEPS_A_TURN = 15;
const TOKENS = { least: 150_000, most: 500_000 };
const CHARS_A_TOKEN = 4;
const ROLE_OF = { user: 'user', steer: 'user', model: 'assistant', tool: 'tool' } as const;
const TRUST_OF = { user: ['owner'], assistant: ['model'], tool: ['tool', 'foreign'] } as const;

/** Every word of a message, the arguments of its calls included, reasoning included. */
export const wordsOf = (message: Message): string =>
  message.content.map((block) => ('text' in block ? block.text : block.type === 'tool_call' ? callWords(block) : '')).join('\n');
const callWords = ({ name, input }: ToolCall): string => `${name} ${JSON.stringify(input)}`;

const parts = (name: string): readonly [Head, readonly Line[]] => {
  const path = join(import.meta.dirname, name);
  const rows = gunzipSync(readFileSync(`${path}.jsonl.gz`))
    .toString('utf8')
    .trimEnd()
    .split('\n');
  return [JSON.parse(readFileSync(`${path}.json`, 'utf8')) as Head, rows.map((row) => JSON.parse(row) as Line)];
};

function* checkLines(lines: readonly Line[]): Generator<string> {
  for (const [at, line] of lines.entries()) {
    const { origin, turn, message } = line;
    if (ROLE_OF[origin] !== message.role) yield `line ${at}: origin ${origin} with role ${message.role}`;
    if (message.content.length === 0) yield `line ${at}: no content`;
    const trusted: readonly string[] = TRUST_OF[message.role];
    for (const block of message.content)
      if (!trusted.includes(block.trust)) yield `line ${at}: trust ${block.trust} in a ${message.role} message`;
    for (const block of message.content)
      if (block.trust === 'foreign' && !('source' in block)) yield `line ${at}: foreign words without a source`;
    const before = lines[at - 1]?.turn ?? 0;
    if (turn !== before + (origin === 'user' ? 1 : 0)) yield `line ${at}: turn ${turn} after ${before}`;
  }
}

/** user → assistant → its results, one per call and in order → assistant …; a steer stands after results. */
function* checkOrder(lines: readonly Line[]): Generator<string> {
  let [due, previous]: [readonly ToolCall[], Line['origin'] | 'start'] = [[], 'start'];
  const seen = new Set<string>();
  for (const [at, { origin, message }] of lines.entries()) {
    if (due.length > 0 && message.role !== 'tool') yield `line ${at}: ${due.length} calls without a result`;
    if (message.role === 'tool') {
      yield* pair(at, message, due[0]);
      due = due.slice(1);
    } else if (message.role === 'assistant') {
      if (previous === 'model' || previous === 'start') yield `line ${at}: assistant after ${previous}`;
      due = callsOf(message);
      for (const { id } of due) if (seen.has(id)) yield `line ${at}: call id ${id} twice`;
      for (const { id } of due) seen.add(id);
    } else if (origin === 'steer' ? previous !== 'tool' : previous !== 'model' && previous !== 'start')
      yield `line ${at}: ${origin} after ${previous}`;
    previous = origin;
  }
}

const callsOf = (message: AssistantMessage): readonly ToolCall[] => message.content.filter((block) => block.type === 'tool_call');

function* pair(at: number, { callId, name }: ToolMessage, call: ToolCall | undefined): Generator<string> {
  if (call === undefined) yield `line ${at}: a result nobody asked for`;
  else if (call.id !== callId || call.name !== name) yield `line ${at}: result of ${name} ${callId} where ${call.name} ${call.id} is due`;
}

interface Size {
  readonly tokens: number;
  readonly turns: number;
  readonly steps: number;
  readonly longest: number;
}
function sizeOf(lines: readonly Line[]): Size {
  const steps = lines.filter(({ origin }) => origin === 'model');
  const perTurn = Map.groupBy(steps, ({ turn }) => turn);
  return {
    tokens: Math.floor(lines.reduce((sum, { message }) => sum + wordsOf(message).length, 0) / CHARS_A_TOKEN),
    turns: lines.filter(({ origin }) => origin === 'user').length,
    steps: steps.length,
    longest: Math.max(...[...perTurn.values()].map((turn) => turn.length)),
  };
}

function* checkSize(head: Head, { tokens, turns, steps, longest }: Size): Generator<string> {
  if (steps < MIN_STEPS) yield `${steps} assistant steps, fewer than ${MIN_STEPS}`;
  if (longest > MAX_STEPS_A_TURN) yield `a turn of ${longest} steps, more than ${MAX_STEPS_A_TURN}`;
  if (tokens < TOKENS.least || tokens > TOKENS.most) yield `${tokens} tokens`;
  if (Math.abs(head.tokens - tokens) > tokens * 0.02) yield `says ${head.tokens} tokens, has ${tokens}`;
  if (head.turns !== turns) yield `says ${head.turns} turns, has ${turns}`;
}

function verify(name: string): boolean {
  const [head, lines] = parts(name);
  const size = sizeOf(lines);
  const words = lines.map(({ message }) => wordsOf(message));
  const problems = [
    ...(name.endsWith(`/${head.name}`) ? [] : [`is called ${head.name} inside`]),
    ...checkLines(lines),
    ...checkOrder(lines),
    ...checkSize(head, size),
    ...checkQuestions(head.questions, lines, words),
  ];
  console.log(
    `${name.padEnd(32)} ${lines.length} lines, ${size.turns} turns, ${size.steps} steps, ${size.tokens} tokens, ${head.questions.length} questions: ${problems.length === 0 ? 'fine' : `${problems.length} problems`}`,
  );
  for (const problem of problems.slice(0, 40)) console.log(`  ${problem}`);
  return problems.length === 0;
}

/** What lies there, by either of its two files, so that a lonely one is noticed. */
const found = HALVES.flatMap((half) =>
  readdirSync(join(import.meta.dirname, half)).map((file) => `${half}/${file.replace(/\.(jsonl\.gz|json)$/, '')}`),
);
if (import.meta.main) {
  const asked = process.argv.slice(2);
  const names = asked.length > 0 ? asked : [...new Set(found)].toSorted();
  const failed = names.filter((name) => !verify(name));
  process.exitCode = failed.length === 0 && names.length > 0 ? 0 : 1;
}
