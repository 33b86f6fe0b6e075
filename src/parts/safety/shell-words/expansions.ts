import { MARK } from '../marks.ts';
import type { Reading } from './reading.ts';
import { backtick, commandSubstitution } from './substitutions.ts';

type TextEnd = '"' | '}' | '';

/** What means nothing, by the character that ends the text. */
const PLAIN: Readonly<Record<TextEnd, RegExp>> = { '"': /[^"\\$`]+/y, '}': /[^}\\$`]+/y, '': /[^\\$`]+/y };

/** Text in which only variables and substitutions mean something, up to the closing character. */
export function expandingText(reading: Reading, close: TextEnd): boolean {
  while (!reading.over) {
    if (reading.char === close) return reading.skip(/[\s\S]/y);
    if (!textPiece(reading, close)) return false;
  }
  return close === '';
}

function textPiece(reading: Reading, close: TextEnd): boolean {
  const { char } = reading;
  if (char === '$') return variable(reading, true);
  if (char === '`') return backtick(reading, true);
  if (char === '\\') reading.add((reading.match(/\\([\s\S]?)/y)?.[1] ?? '').replace('$', MARK.dollar));
  else reading.add(reading.take(PLAIN[close]));
  return true;
}

/** Whatever a dollar sign begins. Variables stay marked: their values are known only when the line is judged. */
export function variable(reading: Reading, quoted: boolean): boolean {
  if (reading.ahead('$(')) return commandSubstitution(reading, quoted);
  const simple = reading.match(/\$(\{\w+\}|[A-Za-z_]\w*|[0-9@*#?!$-])/y);
  if (simple !== null) reading.add((quoted ? MARK.quoted : '$') + braced(simple[1] ?? ''));
  else if (reading.ahead('${')) return modified(reading);
  else {
    reading.at++;
    reading.add(MARK.dollar);
  }
  return true;
}

/** With braces a name keeps its end, whatever is added to the word behind it. */
const braced = (name: string): string => (/^\w/.test(name) ? `{${name}}` : name);

/** `${X:-…}`: what comes out is not followed, what stands inside may run. */
function modified(reading: Reading): boolean {
  const before = reading.word ?? '';
  reading.at += 2;
  const done = reading.nested(() => expandingText(reading, '}'));
  reading.word = before + MARK.unknown;
  return done;
}
