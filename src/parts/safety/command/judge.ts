import type { CommandLocation, CommandVerdict, JudgeCommand } from '../../../contracts/safety.ts';
import { StepMeter, UnreadableLine } from '../../../base/shell/cursor.ts';
import { MAX_LINE, UNREAD } from '../../../base/shell/read.ts';
import type { Call, CommandRule } from './call/call.ts';
import { loadCarriedShells } from './run/carried.ts';
import { NO_INPUT } from './run/state.ts';
import { COST, Shell } from './run/shell.ts';
import { WALK } from './run/walk.ts';
import { asSeen, withoutMarks } from './values/marks.ts';

/** What judging any line may cost, besides what its characters cost. */
const ROOM = 400_000;

/**
 * How a line goes through this folder, nothing of it being run (docs/approval.md tells it at length):
 *
 *     line ─ base/shell/read ─▶ tree ─ run/walk ─▶ simple commands ─ run/simple ─▶ Call ─ run/calls ─▶ rules ─▶ verdict
 *
 * `run/shell` is the shell it would run in, `run/state` its variables and folders, `run/carried` what earlier commands left.
 * `values` turns words into texts, with marks where a text is not known; `places` tells where a path lies. Of each call `run/nested`
 * finds the commands in it (`xargs`, `find -exec`, `sh -c`), which are calls again, `run/outputs` what it puts out, `run/effects`
 * what it leaves. `rules/all` lists the rules behind a wall and without one; a rule sees one `Call` and says yes or no.
 */
/** Judges every command a line would run, by these rules. With `strict`, what cannot be known counts as a danger as well. */
export const createRuleJudge =
  (rules: readonly CommandRule[], strict = false): JudgeCommand =>
  (line, place) =>
    judgeMetered(line, place, rules, strict, meterFor(line));

/** The same, telling every call on the way: whoever asks what a line does hears of the very calls that are judged. */
export function createListeningJudge(rules: readonly CommandRule[], strict: boolean, hear: (call: Call) => void): JudgeCommand {
  const listener: CommandRule = {
    type: 'ask',
    reason: 'heard',
    matches: (call) => {
      hear(call);
      return false;
    },
  };
  return createRuleJudge([...rules, listener], strict);
}

const meterFor = (line: string): StepMeter => new StepMeter(line.length * COST + ROOM);

/** The same with a meter of the caller's, which tells afterwards what it cost. */
export function judgeMetered(
  line: string,
  place: CommandLocation,
  rules: readonly CommandRule[],
  strict: boolean,
  meter: StepMeter,
): CommandVerdict {
  if (line.length > MAX_LINE) return unreadable('it is too long to check');
  const plain = withoutMarks(line);
  const seen = asSeen(plain);
  const verdict = judgeLine(plain, place, rules, strict, meter);
  if (verdict.type === 'refuse' || seen === plain) return verdict;
  // The same line as a reader sees it: whoever copies it, or a shell that folds letters, runs that.
  const other = judgeLine(seen, place, rules, strict, meter);
  if (meter.spent > meter.most && verdict.type === 'fine') return unreadable('it is too complicated to check');
  return other.type === 'refuse' || (verdict.type === 'fine' && other.type === 'ask' && !other.key.split('+').includes('unreadable'))
    ? other
    : verdict;
}

const unreadable = (reason: string): CommandVerdict => ({ type: 'ask', reason, key: 'unreadable' });

function judgeLine(line: string, place: CommandLocation, rules: readonly CommandRule[], strict: boolean, meter: StepMeter): CommandVerdict {
  const shell = new Shell(place, meter, WALK, rules, strict);
  try {
    const open = loadCarriedShells(shell, place.carried ?? []);
    // What is still open may stay so: then this line is no command yet, or one of another program.
    const joined = open === '' ? UNREAD : shell.read(`${open}\n${line}`);
    const { list, whole } = joined.whole ? joined : shell.read(line);
    if (!whole) shell.note('ask', 'unreadable', 'its quoting cannot be parsed');
    // A shell runs the commands before the one it cannot read.
    WALK.list(shell, list, NO_INPUT);
  } catch (error) {
    if (!(error instanceof UnreadableLine)) throw error;
    shell.note('ask', 'unreadable', 'it is too complicated to check');
  }
  return shell.refused ?? shell.asked ?? { type: 'fine' };
}
