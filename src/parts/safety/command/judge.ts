import type { CommandVerdict, JudgeCommand } from '../../../contracts/safety.ts';
import type { Rule } from './run/call.ts';
import { takeUp } from './run/carried.ts';
import { NO_INPUT } from './run/io.ts';
import { COST, Shell } from './run/shell.ts';
import { WALK } from './run/walk.ts';
import { Meter, Unreadable } from './syntax/cursor.ts';
import { parse } from './syntax/parse.ts';
import { asSeen, UNKNOWN, withoutMarks } from './values/marks.ts';

/** Longer lines are not read but asked about: nobody reads them before consenting either, but they have to. */
const LONGEST = 128 * 1024;
/** What judging any line may cost, besides what its characters cost. */
const ROOM = 400_000;

type Place = Parameters<JudgeCommand>[1];

/** Judges every command a line would run, by these rules. With `strict`, what cannot be known counts as a danger as well. */
export const judgeBy =
  (rules: readonly Rule[], strict = false): JudgeCommand =>
  (line, place) =>
    judgeMetered(line, place, rules, strict, meterFor(line));

const meterFor = (line: string): Meter => new Meter(line.length * COST + ROOM);

/** The same with a meter of the caller's, which tells afterwards what it cost. */
export function judgeMetered(line: string, place: Place, rules: readonly Rule[], strict: boolean, meter: Meter): CommandVerdict {
  if (line.length > LONGEST) return unreadable('it is too long to be read');
  const plain = withoutMarks(line);
  const seen = asSeen(plain);
  const verdict = judged(plain, place, rules, strict, meter);
  if (verdict.type === 'refuse' || seen === plain) return verdict;
  // The same line as a reader sees it: whoever copies it, or a shell that folds letters, runs that.
  const other = judged(seen, place, rules, strict, meter);
  if (meter.spent > meter.most && verdict.type === 'fine') return unreadable('it takes too much to read it through');
  return other.type === 'refuse' || (verdict.type === 'fine' && other.type === 'ask' && other.key !== 'unreadable') ? other : verdict;
}

const unreadable = (reason: string): CommandVerdict => ({ type: 'ask', reason, key: 'unreadable' });

function judged(line: string, place: Place, rules: readonly Rule[], strict: boolean, meter: Meter): CommandVerdict {
  const shell = new Shell(place, meter, WALK, rules, strict);
  try {
    const open = takeUp(shell, place.carried ?? []);
    // What is still open may stay so: then this line is no command yet, or one of another program.
    const list = (open === '' ? undefined : parse(`${open}\n${line}`, meter)) ?? parse(line, meter);
    if (list === undefined) return unreadable('its quoting could not be read');
    WALK.list(shell, list, NO_INPUT);
    runUncalled(shell);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    shell.note('ask', 'unreadable', 'it takes too much to read it through');
  }
  return shell.refused ?? shell.asked ?? { type: 'fine' };
}

/** Functions that this line only defines may be called by the next one. */
function runUncalled(shell: Shell): void {
  for (const own of [...shell.functions.values()].slice(0, 50)) {
    if (own.called) continue;
    own.called = true;
    shell.running.push(own.body);
    for (const each of ['@', '*', '1', '2', '3']) shell.set(each, UNKNOWN);
    shell.apart(() => WALK.command(shell, own.body, NO_INPUT));
    shell.running.pop();
  }
}
