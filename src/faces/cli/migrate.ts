import { toOneLine, toPrintable } from '../../base/printable.ts';
import { formatCount, formatWhole } from '../../base/screen/figures.ts';
import type { Paint, Tint } from '../../base/screen/paint.ts';
import type { Screen } from '../../base/screen/screen.ts';
import type { Streams } from '../../base/screen/streams.ts';
import { wrapText } from '../../base/screen/wrap.ts';
import { fitWidth } from '../../base/width.ts';
import { migrate, type MigratedHome, type MigrateProgress, type MigrateResult, type MigrateStep } from '../../commands/migrate.ts';
import { MIGRATION_KINDS, type MigrationItem, type MigrationKind } from '../../contracts/services/migration.ts';
import { renderCommand, type RendererRow } from './renderer.ts';

/** How many lines a kind takes, and how many names a line, before they say how many more there are. */
const MAX_LINES = 12;
const MAX_NAMES = 5;

const PROGRAMS = { hermes: 'hermes-agent (Python)', openclaw: 'OpenClaw' } as const;

/** A home with what is taken, what is here and what is left, kind by kind. What is left and what was found is told by name. */
export function renderMigratedHome(home: MigratedHome, { paint, columns }: Screen): string {
  const head = `${paint.strong(PROGRAMS[home.source])} ${toPrintable(home.folder)}`;
  const where = home.shared ? 'the home both programs share' : `into ${toPrintable(home.into)}`;
  const kinds = MIGRATION_KINDS.flatMap((kind) => renderKind(kind, home.items, { paint, columns }));
  const places = [
    ...(home.backup === undefined ? [] : [`${paint.faint('what was here before')}  ${toPrintable(home.backup)}`]),
    ...(home.report === undefined ? [] : [`${paint.faint('report')}                ${toPrintable(home.report)}`]),
  ];
  return `${[head, paint.faint(where), ...kinds, ...places].join('\n')}\n`;
}

const KIND_WIDTH = Math.max(...MIGRATION_KINDS.map((kind) => kind.length));

function renderKind(kind: MigrationKind, all: readonly MigrationItem[], { paint, columns }: Pick<Screen, 'paint' | 'columns'>): string[] {
  const items = all.filter((item) => item.kind === kind);
  if (items.length === 0) return [];
  const details = detailsOf(items, paint);
  const more = details.length - MAX_LINES;
  const shown = [...details.slice(0, MAX_LINES), ...(more > 0 ? [{ mark: ' ', words: `and ${more} more (--json lists all)` }] : [])];
  return [
    `  ${kind.padEnd(KIND_WIDTH)}  ${sumUp(items, paint)}`,
    ...shown.flatMap(({ mark, words }) =>
      wrapText(words, columns - INDENT.length - 2).map((line, index) => `${INDENT}${index === 0 ? mark : ' '} ${line}`),
    ),
  ];
}
const INDENT = '    ';

const STATES = { take: 'to take', taken: 'taken', present: 'already here', left: 'not taken' } as const;

function sumUp(items: readonly MigrationItem[], paint: Paint): string {
  const tints: Readonly<Record<MigrationItem['state'], Tint>> = {
    take: paint.good,
    taken: paint.good,
    present: paint.faint,
    left: paint.warn,
  };
  return (['take', 'taken', 'present', 'left'] as const)
    .map((state) => [state, items.filter((item) => item.state === state).length] as const)
    .filter(([, count]) => count > 0)
    .map(([state, count]) => tints[state](`${formatWhole(count)} ${STATES[state]}`))
    .join(', ');
}

interface DetailLine {
  readonly mark: string;
  readonly words: string;
}

/** One line for all that have the same reason. Entries of a memory and sessions are too many to be named without one. */
function detailsOf(items: readonly MigrationItem[], paint: Paint): DetailLine[] {
  const told = items.filter(
    ({ kind, state, why }) => state !== 'present' && (why !== undefined || !['memories', 'sessions'].includes(kind)),
  );
  const ordered = told.toSorted((a, b) => Number(a.state === 'left') - Number(b.state === 'left'));
  const groups = Map.groupBy(ordered, ({ state, why = '' }) => `${state} ${why}`);
  const lines = [...groups.values()].map((group): DetailLine => {
    const [{ state, why } = { state: 'left', why: undefined }] = group;
    const mark = state === 'left' ? paint.warn('-') : paint.good('+');
    return { mark, words: `${joinNames(group)}${why === undefined ? '' : `: ${toOneLine(why)}`}` };
  });
  const found = items.flatMap(({ name, findings = [] }) =>
    findings.map((words) => ({ mark: paint.warn('!'), words: `${toOneLine(name)} ${toOneLine(words)}` })),
  );
  return [...lines, ...found];
}

/** Entries of the same file are told by their numbers after the first. */
function joinNames(items: readonly MigrationItem[]): string {
  const shown = items.slice(0, MAX_NAMES).map(({ name }) => toOneLine(name));
  const [file] = /^.* entry (?=\d+$)/.exec(shown[0] ?? '') ?? [];
  const names = shown.map((name, index) => (index > 0 && file !== undefined && name.startsWith(file) ? name.slice(file.length) : name));
  const more = items.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${formatWhole(more)} more` : ''}`;
}

function renderMigration({ dryRun, declined, homes }: MigrateResult, screen: Screen): string {
  if (declined === true) return 'Nothing was changed.\n';
  const drawn = homes.map((home) => renderMigratedHome(home, screen)).join('\n');
  const count = (state: MigrationItem['state']) => homes.flatMap(({ items }) => items).filter((item) => item.state === state).length;
  if (count('take') + count('taken') === 0) return `${drawn}\nThere is nothing left to take.\n`;
  const other = homes.length === 1 ? 'The other home was not changed.' : 'The other homes were not changed.';
  const isSearchable = homes.some(({ items }) => items.some(({ kind, state }) => kind === 'sessions' && state === 'taken'));
  const end = [
    ...(homes.some(({ shared }) => shared) ? [] : [other]),
    ...(isSearchable ? ['To see the sessions: hermes sessions list'] : []),
  ];
  if (!dryRun) return `${drawn}\n${end.join(' ')}\n`;
  const [only] = homes.length === 1 ? homes : [];
  const line = only === undefined ? 'hermes migrate --yes' : `hermes migrate ${only.source} --from ${toPrintable(only.folder)} --yes`;
  const first = homes.length === 1 ? '' : 'If both homes have the same setting, the first one wins.\n';
  return `${drawn}\n${first}Nothing was changed. To take over ${formatCount(count('take'), 'thing')}: ${line}\n`;
}

/** The plan as a whole; then a line that is written over and goes away at the end, where somebody watches. */
function showProgress(progress: MigrateProgress, { err, watched }: Streams, screen: Screen): void {
  if ('plan' in progress) return err(`\n${renderMigratedHome(progress.plan, screen)}`);
  if (!watched) return;
  const words = 'finished' in progress ? '' : describeStep(progress);
  err(`\r\u001b[2K${fitWidth(words, Math.min(screen.columns, 80) - 1)}`);
}

/** After the last session the index of the search is still to be made, which takes a while where there are many. */
const describeStep = ({ item, done, total }: MigrateStep): string =>
  done === total
    ? 'making the messages searchable …'
    : `${formatWhole(done)} of ${formatWhole(total)}: ${item.kind} ${toOneLine(item.name)}`;

export const ROWS: readonly RendererRow[] = [
  renderCommand(migrate, {
    text: renderMigration,
    progress: showProgress,
    jsonProgress: (progress) => ('item' in progress ? `${JSON.stringify(progress)}\n` : ''),
  }),
];
