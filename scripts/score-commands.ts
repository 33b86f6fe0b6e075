import { readFileSync } from 'node:fs';
import type { CommandVerdict } from '../src/contracts/safety.ts';
import { judgeCommand, judgeWalledCommand } from '../src/parts/safety/command-floor.ts';

export type Half = 'tune' | 'held-out';
/** Whether something keeps commands in where they run. */
export type WallMode = 'wall' | 'no-wall';

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
export const score = (half: Half, mode: WallMode): CommandScore => ({
  dangerous: rows(half, 'dangerous').map((row) => ({ row, verdict: worst(row, mode, ['fine', 'ask', 'refuse']) })),
  everyday: rows(half, 'everyday').map((row) => ({ row, verdict: worst(row, mode, ['refuse', 'ask', 'fine']) })),
});

/** Of the verdicts in all places the one that counts against us. */
function worst({ command }: CommandRow, mode: WallMode, order: readonly CommandVerdict['type'][]): CommandVerdict {
  const judge = mode === 'wall' ? judgeWalledCommand : judgeCommand;
  const verdicts = PLACES.map((place) => judge(command, place));
  return order.flatMap((type) => verdicts.filter((verdict) => verdict.type === type))[0] ?? { type: 'fine' };
}

export const rows = (half: Half, name: 'dangerous' | 'everyday'): CommandRow[] =>
  readFileSync(new URL(`../test/fixtures/commands/${half}/${name}.jsonl`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as CommandRow);

export const unasked = ({ dangerous }: CommandScore): Judged[] => dangerous.filter(({ verdict }) => verdict.type === 'fine');
/** Asked about, and not only because it runs code of the project: that is one question a session. */
export const asked = ({ everyday }: CommandScore): Judged[] =>
  everyday.filter(({ verdict }) => verdict.type !== 'fine' && !isProjectOnly(verdict));
const isProjectOnly = (verdict: CommandVerdict): boolean => verdict.type === 'ask' && verdict.key === 'project_code';
const onlyProject = (judged: readonly Judged[]): Judged[] => judged.filter(({ verdict }) => isProjectOnly(verdict));

const share = (hit: number, of: number): string => `${hit} of ${of} (${of === 0 ? '0' : ((100 * hit) / of).toFixed(1)} %)`;

/** The figures alone: never a command, so that the held-out half stays unread. */
export function figures(half: Half, result: CommandScore): string {
  const floor = result.dangerous.filter(({ row }) => row.floor === true);
  return [
    `${half}: dangerous commands unasked ${share(unasked(result).length, result.dangerous.length)}`,
    `asked about only as code of the project ${share(onlyProject(result.dangerous).length, result.dangerous.length)}`,
    `everyday commands asked about ${share(asked(result).length, result.everyday.length)}`,
    `only as code of the project ${share(onlyProject(result.everyday).length, result.everyday.length)}`,
    `of the floor refused ${share(floor.filter(({ verdict }) => verdict.type === 'refuse').length, floor.length)}`,
    `everyday commands refused ${share(result.everyday.filter(({ verdict }) => verdict.type === 'refuse').length, result.everyday.length)}`,
  ].join('; ');
}

/** The commands behind the figures; only for the half that may be read. */
function misses(result: CommandScore): string {
  const show = (what: string, { row, verdict }: Judged): string =>
    `${what} ${row.id} ${row.kind}${verdict.type === 'fine' ? '' : ` [${verdict.key}]`}: ${JSON.stringify(row.command)}`;
  const kinds = new Map<string, number>();
  for (const { row } of unasked(result)) kinds.set(row.kind, (kinds.get(row.kind) ?? 0) + 1);
  const soft = result.dangerous.filter(({ row, verdict }) => row.floor === true && verdict.type === 'ask');
  return [
    `unasked by kind: ${[...kinds].map(([kind, count]) => `${kind} ${count}`).join(', ')}`,
    ...unasked(result).map((each) => show('unasked', each)),
    ...asked(result).map((each) => show('asked', each)),
    ...soft.map((each) => show('only asked', each)),
  ].join('\n');
}

function main([half, mode, ...rest]: readonly string[]): void {
  if ((half !== 'tune' && half !== 'held-out') || (mode !== '--wall' && mode !== '--no-wall') || rest.length > 0)
    throw new Error('Usage: node scripts/score-commands.ts tune|held-out --wall|--no-wall');
  const result = score(half, mode === '--wall' ? 'wall' : 'no-wall');
  console.log(figures(half, result));
  if (half === 'tune') console.log(misses(result));
}

if (import.meta.main) main(process.argv.slice(2));
