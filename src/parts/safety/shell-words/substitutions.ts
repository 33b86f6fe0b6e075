import { fields, MARK } from '../marks.ts';
import type { Reading } from './reading.ts';
import { spoken, type Step } from './simple-command.ts';
import { aside, inside } from './subshells.ts';

/** Longer texts of a substitution are not followed. */
const MAX_LITERAL = 1_000;

/** `$( … )`: its output becomes part of the word. */
export function commandSubstitution(reading: Reading, quoted: boolean): boolean {
  const first = reading.steps.length;
  const done = enclosed(reading);
  reading.add(said(reading.steps, first, quoted));
  return done;
}

/** The older spelling: its text is unescaped before it is read, so it cannot be read in place. */
export function backtick(reading: Reading, quoted: boolean): boolean {
  const found = reading.match(/`((?:\\[\s\S]|[^`\\])*)`/y);
  if (found === null) return false;
  const first = reading.steps.length;
  const text = (found[1] ?? '').replace(/\\([`\\$])/g, '$1');
  if (!aside(reading, text, (inner) => inner.walk(inner, ''))) return false;
  reading.add(said(reading.steps, first, quoted));
  return true;
}

/** `<( … )` and `>( … )`: what becomes part of the word is the name of a pipe, never the output. */
export function processSubstitution(reading: Reading): boolean {
  const done = enclosed(reading);
  reading.add(MARK.unknown);
  return done;
}

/** What stands between the two characters that open a substitution and the parenthesis that closes it. */
function enclosed(reading: Reading): boolean {
  const arithmetic = reading.ahead('$((');
  reading.at += 2;
  return reading.amidWord(() => inside(reading, arithmetic));
}

/** What a substitution puts in its place: its text when the steps since then are one plain `echo`, unknown otherwise. */
function said(steps: readonly Step[], first: number, quoted: boolean): string {
  // One command between entering and leaving.
  if (steps.length !== first + 3) return MARK.unknown;
  const step = steps[first + 1];
  const text = step?.type === 'command' ? spoken(step.command) : undefined;
  if (text === undefined || text.length > MAX_LITERAL) return MARK.unknown;
  return quoted ? text : fields(text);
}
