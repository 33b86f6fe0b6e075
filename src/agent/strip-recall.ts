import { isMessageEntry, type Entry } from '../contracts/entry.ts';
import type { AssistantMessage } from '../contracts/message.ts';
import type { ModelEvent } from '../contracts/provider.ts';

const OPEN = '<memory-context>';
const CLOSE = '</memory-context>';

/** Whether recalled memory stands beside any message, so that a model could repeat it. */
export const hasRecalled = (entries: readonly Entry[]): boolean =>
  entries.some((entry) => isMessageEntry(entry) && (entry.wireOnly ?? []).some(({ text }) => text.includes(OPEN)));

/** The same stream without recalled memory that the model says again: that was for the model alone, and is no part of its answer. */
export async function* withoutRecall(events: AsyncIterable<ModelEvent>): AsyncGenerator<ModelEvent> {
  const strip = createRecallStrip();
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
    yield event.type === 'done' ? { ...event, message: stripMessage(event.message) } : event;
  }
}

const stripMessage = (message: AssistantMessage): AssistantMessage => ({
  ...message,
  content: message.content.map((block) => (block.type === 'text' ? { ...block, text: stripRecall(block.text) } : block)),
});

/** A text without every fence of recalled memory that begins a line and is closed. */
export function stripRecall(text: string): string {
  const strip = createRecallStrip();
  return strip.push(text) + strip.end();
}

/**
 * Takes fences out of a text that arrives in pieces, wherever they are cut. What may become a fence is held back; one that is never
 * closed was none, and is given out in the end.
 */
export function createRecallStrip(): { push(delta: string): string; end(): string } {
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
      const rest = held;
      [held, isInside, isBehind] = ['', false, false];
      return rest;
    },
  };
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
