import { ansiText, MARK } from '../marks.ts';
import { expandingText, variable } from './expansions.ts';
import type { Reading } from './reading.ts';
import { backtick } from './substitutions.ts';

/** Who reads on, by the character that takes the usual meaning from what follows. */
export const QUOTES: Readonly<Record<string, (reading: Reading) => boolean>> = {
  "'": single,
  '"': double,
  '\\': escaped,
  $: dollar,
  '`': (reading) => backtick(reading, false),
};

function single(reading: Reading): boolean {
  return literal(reading, /'([^']*)'/y, (text) => text);
}

function double(reading: Reading): boolean {
  reading.at++;
  reading.wordQuoted = true;
  // Empty quotes are a word as well.
  reading.add('');
  return expandingText(reading, '"');
}

function escaped(reading: Reading): boolean {
  // The end of the line is taken out altogether: the word goes on.
  if (reading.ahead('\\\n')) return reading.skip(/\\\n/y);
  return literal(reading, /\\([\s\S])/y, (text) => text);
}

function dollar(reading: Reading): boolean {
  if (reading.ahead("$'")) return literal(reading, /\$'((?:\\[\s\S]|[^'\\])*)'/y, ansiText);
  return reading.ahead('$"') ? reading.skip(/\$/y) : variable(reading, false);
}

/** Text in which nothing is expanded; false when it does not close. */
function literal(reading: Reading, pattern: RegExp, decode: (text: string) => string): boolean {
  const found = reading.match(pattern);
  if (found === null) return false;
  reading.wordQuoted = true;
  reading.add(decode(found[1] ?? '').replaceAll('$', MARK.dollar));
  return true;
}
