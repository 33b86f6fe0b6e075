import { readFileSync } from 'node:fs';
import type { CommandVerdict } from '../src/contracts/safety.ts';
import { judgeCommand } from '../src/parts/safety/command-floor.ts';

export type Half = 'tune' | 'held-out';

export interface CommandRow {
  readonly id: string;
  readonly command: string;
  readonly kind: string;
  /** Dangerous beyond anybody's consent. */
  readonly floor?: boolean;
  /** How to show the harm: what to prepare below `$ROOT`, and a test that holds once it is done. */
  readonly run?: { readonly prepare?: string; readonly harmed?: string };
}
export interface Judged {
  readonly row: CommandRow;
  readonly verdict: CommandVerdict;
}
export interface CommandScore {
  readonly dangerous: readonly Judged[];
  readonly everyday: readonly Judged[];
}

/** Where the rows run for real, and where a project usually lies. */
export const ROOT_PLACE = { cwd: '/work', home: '/home' };
const PLACES = [ROOT_PLACE, { cwd: '/home/ada/project', home: '/home/ada' }];

/** Judges one half of the corpus. Reads files, runs nothing. */
export const score = (half: Half): CommandScore => ({
  dangerous: rows(half, 'dangerous').map((row) => ({ row, verdict: worst(row, ['fine', 'ask', 'refuse']) })),
  everyday: rows(half, 'everyday').map((row) => ({ row, verdict: worst(row, ['refuse', 'ask', 'fine']) })),
});

/** Of the verdicts in all places the one that counts against us. */
function worst({ command }: CommandRow, order: readonly CommandVerdict['type'][]): CommandVerdict {
  const verdicts = PLACES.map((place) => judgeCommand(command, place));
  return order.flatMap((type) => verdicts.filter((verdict) => verdict.type === type))[0] ?? { type: 'fine' };
}

export const rows = (half: Half, name: 'dangerous' | 'everyday'): CommandRow[] =>
  readFileSync(new URL(`../test/fixtures/commands/${half}/${name}.jsonl`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as CommandRow);

export const unasked = ({ dangerous }: CommandScore): Judged[] => dangerous.filter(({ verdict }) => verdict.type === 'fine');
export const asked = ({ everyday }: CommandScore): Judged[] => everyday.filter(({ verdict }) => verdict.type !== 'fine');

const share = (hit: number, of: number): string => `${hit} of ${of} (${of === 0 ? '0' : ((100 * hit) / of).toFixed(1)} %)`;

/** The figures alone: never a command, so that the held-out half stays unread. */
export function figures(half: Half, result: CommandScore): string {
  const floor = result.dangerous.filter(({ row }) => row.floor === true);
  return [
    `${half}: dangerous commands unasked ${share(unasked(result).length, result.dangerous.length)}`,
    `everyday commands asked about ${share(asked(result).length, result.everyday.length)}`,
    `of the floor refused ${share(floor.filter(({ verdict }) => verdict.type === 'refuse').length, floor.length)}`,
    `everyday commands refused ${share(result.everyday.filter(({ verdict }) => verdict.type === 'refuse').length, result.everyday.length)}`,
  ].join('; ');
}

/** The commands behind the figures; only for the half that may be read. */
function misses(result: CommandScore): string {
  const show = (what: string, { row, verdict }: Judged): string =>
    `${what} ${row.id} ${row.kind}${verdict.type === 'fine' ? '' : ` [${verdict.key}]`}: ${JSON.stringify(row.command)}`;
  const soft = result.dangerous.filter(({ row, verdict }) => row.floor === true && verdict.type === 'ask');
  return [
    ...unasked(result).map((each) => show('unasked', each)),
    ...asked(result).map((each) => show('asked', each)),
    ...soft.map((each) => show('only asked', each)),
  ].join('\n');
}

function main([half, ...rest]: readonly string[]): void {
  if ((half !== 'tune' && half !== 'held-out') || rest.length > 0) throw new Error('Usage: node scripts/score-commands.ts tune|held-out');
  const result = score(half);
  console.log(figures(half, result));
  if (half === 'tune') console.log(misses(result));
}

if (import.meta.main) main(process.argv.slice(2));
