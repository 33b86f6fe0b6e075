import { hereDocuments } from './shell-words/here-documents.ts';
import { QUOTES } from './shell-words/quotes.ts';
import { Reading } from './shell-words/reading.ts';
import type { Step } from './shell-words/simple-command.ts';
import { group } from './shell-words/subshells.ts';
import { processSubstitution } from './shell-words/substitutions.ts';

/** The steps of a line; `undefined` when quoting does not close: what cannot be read must not be trusted. */
export function shellSteps(line: string): readonly Step[] | undefined {
  const reading = new Reading(line, 0, commands);
  return commands(reading, '') ? reading.steps : undefined;
}

/** Commands up to the closing character, or to the end of the line when there is none. */
function commands(reading: Reading, close: '' | ')'): boolean {
  return reading.nested(() => {
    while (!reading.over && reading.char !== close) if (!piece(reading)) return false;
    reading.end(false);
    return close === '' || reading.line[reading.at++] === close;
  });
}

/** The next thing in the line; false when it cannot be read. */
function piece(reading: Reading): boolean {
  const { char } = reading;
  const quote = QUOTES[char];
  if (quote !== undefined) return quote(reading);
  if (char === '#' && reading.word === undefined && reading.arithmetic === 0) return reading.skip(/[^\n]*/y);
  if (/\s/.test(char)) return space(reading);
  if (';&|()<>'.includes(char)) return operator(reading);
  reading.add(reading.take(/[^\s;&|<>()'"`\\$]+/y));
  return true;
}

/** Here-documents begin where the line that announces them ends. */
function space(reading: Reading): boolean {
  const { char } = reading;
  reading.at++;
  if (char !== '\n') return reading.flush();
  reading.end(false);
  return hereDocuments(reading);
}

function operator(reading: Reading): boolean {
  const { char } = reading;
  if (reading.ahead('<(') || reading.ahead('>(')) return processSubstitution(reading);
  // In a test or a calculation these compare and combine; nothing is redirected or piped.
  if ((reading.inTest || reading.arithmetic > 0) && '<>&|'.includes(char)) return reading.flush() && reading.skip(/[<>&|]/y);
  if (char === '<' || char === '>' || reading.ahead('&>')) return redirection(reading);
  if (char === '(') return group(reading);
  if (char === ')') {
    reading.at++;
    return reading.end(false);
  }
  const mark = reading.take(/\|&|\|\||&&|;+&?|[|&]/y);
  return reading.end(mark === '|' || mark === '|&');
}

/** Says where the next word goes. */
function redirection(reading: Reading): boolean {
  // The number before it names a descriptor and is no word of the command.
  if (/^\d+$/.test(reading.word ?? '')) reading.word = undefined;
  reading.flush();
  const mark = reading.take(/&>>?|>>|>[|&]?|<<<|<<-?|<>|<&?/y);
  reading.goal = mark.includes('>') ? 'writes' : mark === '<<<' ? 'fed' : mark.startsWith('<<') ? 'heredoc' : 'nowhere';
  if (reading.goal === 'heredoc') reading.dashed = mark.endsWith('-');
  return true;
}
