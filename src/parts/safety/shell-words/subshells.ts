import { MARK } from '../marks.ts';
import { freshDraft, Reading } from './reading.ts';

/** `( … )`, `(( … ))` and the values of `name=( … )`. A group that begins after a pipe hands its input to its first command. */
export function group(reading: Reading): boolean {
  const arithmetic = reading.ahead('((') && (reading.word === undefined || reading.word === '');
  const array = reading.word?.endsWith('=') === true;
  if (array) {
    reading.add(MARK.unknown);
    reading.flush();
  } else reading.end(reading.draft.words.length === 0 && reading.word === undefined && reading.draft.piped);
  const outer = reading.draft;
  reading.at++;
  reading.draft = freshDraft(!array && outer.piped);
  // The values of an array are words, but none of them is a command: they become arguments of one that does nothing.
  if (array) reading.draft.words.push(':');
  const done = inside(reading, arithmetic);
  reading.draft = array ? outer : freshDraft(false);
  return done;
}

/** What stands in parentheses, up to and with the closing one. */
export function inside(reading: Reading, arithmetic: boolean): boolean {
  reading.steps.push({ type: 'enter' });
  if (arithmetic) reading.arithmetic++;
  const done = reading.walk(reading, ')');
  if (arithmetic) reading.arithmetic--;
  reading.steps.push({ type: 'leave' });
  return done;
}

/** Another text that is read in a shell of its own. */
export function aside(outer: Reading, text: string, read: (inner: Reading) => boolean): boolean {
  const inner = new Reading(text, outer.nesting + 1, outer.walk);
  if (!read(inner)) return false;
  outer.steps.push({ type: 'enter' });
  // One by one: a spread of very many would overflow the stack.
  for (const step of inner.steps) outer.steps.push(step);
  outer.steps.push({ type: 'leave' });
  return true;
}
