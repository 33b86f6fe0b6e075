import { isMessageEntry, type Entry } from '../contracts/entry.ts';
import type { Failure } from '../contracts/failure.ts';
import type { AssistantMessage } from '../contracts/message.ts';
import type { ModelEvent } from '../contracts/provider.ts';

const OPEN = '<memory-context>';
const CLOSE = '</memory-context>';

/** What was recalled beside the messages of a log, by its lines: a model could repeat it. */
export function collectRecalled(entries: readonly Entry[]): ReadonlySet<string> {
  const beside = entries.flatMap((entry) => (isMessageEntry(entry) ? (entry.wireOnly ?? []) : []));
  return new Set(beside.flatMap(({ text }) => (text.includes(OPEN) ? toLines(text) : [])));
}
const toLines = (text: string): string[] => text.split('\n').map((line) => line.trim().toLowerCase());

/** The same stream without recalled memory that the model says again: that was for the model alone, and is no part of its answer. */
export async function* withoutRecall(events: AsyncIterable<ModelEvent>, recalled: ReadonlySet<string>): AsyncGenerator<ModelEvent> {
  const strip = createRecallStrip(recalled);
  for await (const event of events) {
    if (event.type === 'text_delta') {
      const delta = strip.push(event.delta);
      if (delta !== '') yield { ...event, delta };
      continue;
    }
    if (event.type === 'done' || event.type === 'failed') {
      const delta = strip.end();
      if (delta !== '') yield { type: 'text_delta', delta };
    }
    if (event.type === 'done') yield { ...event, message: stripMessage(event.message, recalled) };
    else if (event.type === 'failed') yield { ...event, failure: stripFailure(event.failure, recalled) };
    else yield event;
  }
}

const stripMessage = (message: AssistantMessage, recalled: ReadonlySet<string>): AssistantMessage => ({
  ...message,
  content: message.content.map((block) => (block.type === 'text' ? { ...block, text: stripRecall(block.text, recalled) } : block)),
});

/** What had arrived when a call broke off is kept as an answer too. */
const stripFailure = (failure: Failure, recalled: ReadonlySet<string>): Failure =>
  'partial' in failure && failure.partial !== undefined
    ? { ...failure, partial: { text: stripRecall(failure.partial.text, recalled) } }
    : failure;

/** A text without every fence of recalled memory that begins a line and is closed, or that it ends in. */
export function stripRecall(text: string, recalled: ReadonlySet<string>): string {
  const strip = createRecallStrip(recalled);
  return strip.push(text) + strip.end();
}

/**
 * Takes fences out of a text that arrives in pieces, wherever they are cut. What may become a fence is held back. One that is never
 * closed goes as far as it repeats what was recalled: the answer broke off in it. Where it repeats nothing it was none, and is given
 * out in the end.
 */
export function createRecallStrip(recalled: ReadonlySet<string>): { push(delta: string): string; end(): string } {
  let [held, isInside, isBehind, atLineStart] = ['', false, false, true];
  const emit = (text: string): string => {
    if (text !== '') atLineStart = text.endsWith('\n');
    return text;
  };
  const step = (): { readonly out: string; readonly isDone: boolean } => {
    if (isInside) {
      const close = held.toLowerCase().indexOf(CLOSE);
      if (close === -1) return { out: '', isDone: true };
      held = held.slice(close + CLOSE.length);
      [isInside, isBehind] = [false, true];
      return { out: '', isDone: false };
    }
    if (isBehind) {
      // The rest of the line it ends on goes with it.
      if (/^[ \t]*$/.test(held)) return { out: '', isDone: true };
      held = held.replace(/^[ \t]*\n/, '');
      [isBehind, atLineStart] = [false, true];
    }
    const open = findOpening(held, atLineStart);
    if (open !== undefined) {
      const out = emit(held.slice(0, open));
      held = held.slice(open);
      isInside = true;
      return { out, isDone: false };
    }
    const keep = findPossibleOpening(held, atLineStart);
    const out = emit(held.slice(0, keep));
    held = held.slice(keep);
    return { out, isDone: true };
  };
  return {
    push: (delta) => {
      held += delta;
      let all = '';
      for (let isDone = false; !isDone;) {
        const made = step();
        all += made.out;
        isDone = made.isDone;
      }
      return all;
    },
    end: () => {
      const rest = isInside || isCutMark(held) ? dropRepeated(held, recalled) : held;
      [held, isInside, isBehind] = ['', false, false];
      return rest;
    },
  };
}

/** More of the mark than any other word begins with. */
const isCutMark = (text: string): boolean => text.trim().length > '<memory-'.length && OPEN.startsWith(text.trim().toLowerCase());

/** What stands behind the lines that were recalled; the last line may have broken off. */
function dropRepeated(text: string, recalled: ReadonlySet<string>): string {
  const lines = toLines(text);
  const isRepeated = (line: string, index: number): boolean =>
    recalled.has(line) || line === '' || (index === lines.length - 1 && [...recalled].some((whole) => whole.startsWith(line)));
  const end = lines.findIndex((line, index) => !isRepeated(line, index));
  if (end === -1) return '';
  // The mark alone repeats nothing: somebody writes about it.
  return lines.slice(1, end).some((line) => line !== '') ? text.split('\n').slice(end).join('\n') : text;
}

/** Where a line begins with the mark. */
function findOpening(text: string, atLineStart: boolean): number | undefined {
  const found = (atLineStart ? /(^|\n)([ \t]*)<memory-context>/i : /(\n)([ \t]*)<memory-context>/i).exec(text);
  return found === null ? undefined : found.index + (found[1]?.length ?? 0);
}

/** Where the last line begins, if the mark may still come of it; the end otherwise. */
function findPossibleOpening(text: string, atLineStart: boolean): number {
  const start = text.lastIndexOf('\n') + 1;
  if (start === 0 && !atLineStart) return text.length;
  const line = text
    .slice(start)
    .replace(/^[ \t]+/, '')
    .toLowerCase();
  return line.length < OPEN.length && OPEN.startsWith(line) && text.length - start < 100 ? start : text.length;
}
