import type { CommandList } from './ast.ts';
import { StepMeter } from './cursor.ts';
import { parseBeginning } from './parse.ts';

/** A line of a POSIX shell, as everybody who asks about it reads it. */
export interface ShellReading {
  /** The commands it would run; of a line that cannot be read, those before the place where reading failed. */
  readonly list: CommandList;
  /** Whether all of it could be read. */
  readonly whole: boolean;
  /** What reading it took, for those who count what they spend. */
  readonly steps: number;
  /** How deeply its commands are nested. */
  readonly depth: number;
}

/** Longer lines are not read: nobody writes them by hand. */
export const MAX_LINE = 128 * 1024;
/** What reading a character may cost, and what any line may cost besides: two readings of one mark are tried now and then. */
const MAX_STEPS = 60;
const STEPS_OF_A_LINE = 400_000;

/** Lines whose reading is kept, and their characters together: one call asks about its command, and what stands in it, many times. */
const MAX_KEPT = 64;
const MAX_KEPT_CHARACTERS = 2 * MAX_LINE;

const kept = new Map<string, ShellReading>();
let characters = 0;

/** Reads a line, or knows it still: whoever asks about the same line gets the same value, which nobody changes. */
export function readShell(line: string): ShellReading {
  if (line.length > MAX_LINE) return UNREAD;
  const reading = kept.get(line) ?? readAnew(line);
  if (!kept.delete(line)) characters += line.length;
  kept.set(line, reading);
  for (const [oldest] of kept) {
    if (kept.size <= MAX_KEPT && characters <= MAX_KEPT_CHARACTERS) break;
    kept.delete(oldest);
    characters -= oldest.length;
  }
  return reading;
}

export const UNREAD: ShellReading = { list: [], whole: false, steps: 0, depth: 0 };

function readAnew(line: string): ShellReading {
  const meter = new StepMeter(line.length * MAX_STEPS + STEPS_OF_A_LINE);
  const { list, whole } = parseBeginning(line, meter);
  return { list, whole, steps: meter.spent, depth: meter.deepest };
}
