import { toOneLine, toPrintable } from '../../base/printable.ts';
import { formatCount } from '../../base/screen/figures.ts';
import type { Screen } from '../../base/screen/screen.ts';
import { migrate, type MigratedHome, type MigrateResult } from '../../commands/migrate.ts';
import { MIGRATION_KINDS, type MigrationItem } from '../../contracts/services/migration.ts';
import { renderCommand, type RendererRow } from './renderer.ts';

/** How many lines a kind takes before it says how many more there are. */
const SHOWN = 12;

const PROGRAMS = { hermes: 'hermes-agent (Python)', openclaw: 'OpenClaw' } as const;

/** A home with what is taken, what is here and what is left, kind by kind. What is left and what was found is told one by one. */
export function renderMigratedHome(home: MigratedHome, { paint }: Screen): string {
  const where = home.shared ? 'the home both programs share' : `into ${toPrintable(home.into)}`;
  const head = `${paint.strong(PROGRAMS[home.source])} ${toPrintable(home.folder)} ${paint.faint(where)}`;
  const kinds = MIGRATION_KINDS.flatMap((kind) => {
    const items = home.items.filter((item) => item.kind === kind);
    return items.length === 0 ? [] : [`  ${kind.padEnd(KIND_WIDTH)}  ${sumUp(items)}`, ...detailsOf(items, paint)];
  });
  const places = [
    ...(home.backup === undefined ? [] : [`${paint.faint('what was here before')}  ${toPrintable(home.backup)}`]),
    ...(home.report === undefined ? [] : [`${paint.faint('report')}                ${toPrintable(home.report)}`]),
  ];
  return `${[head, ...kinds, ...places].join('\n')}\n`;
}

const KIND_WIDTH = Math.max(...MIGRATION_KINDS.map((kind) => kind.length));
const STATES = { take: 'to take', taken: 'taken', present: 'already here', left: 'not taken' } as const;

const sumUp = (items: readonly MigrationItem[]): string =>
  Object.entries(STATES)
    .map(([state, words]) => [items.filter((item) => item.state === state).length, words] as const)
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${count} ${words}`)
    .join(', ');

function detailsOf(items: readonly MigrationItem[], paint: Screen['paint']): string[] {
  const lines = items.flatMap((item) => [
    ...(item.state === 'left' || (item.why !== undefined && item.state.startsWith('take'))
      ? [`${paint.faint(item.state === 'left' ? '-' : '+')} ${toOneLine(item.name)}: ${toOneLine(item.why ?? '')}`]
      : []),
    ...(item.findings ?? []).map((found) => `${paint.warn('!')} ${toOneLine(item.name)} ${toOneLine(found)}`),
  ]);
  const more = lines.length - SHOWN;
  return [...lines.slice(0, SHOWN), ...(more > 0 ? [paint.faint(`and ${more} more (--json lists all)`)] : [])].map((line) => `    ${line}`);
}

function renderMigration({ dryRun, declined, homes }: MigrateResult, screen: Screen): string {
  if (declined === true) return 'Nothing was changed.\n';
  const drawn = homes.map((home) => renderMigratedHome(home, screen)).join('\n');
  const count = (state: MigrationItem['state']) => homes.flatMap(({ items }) => items).filter((item) => item.state === state).length;
  if (count('take') + count('taken') === 0) return `${drawn}\nThere is nothing left to take.\n`;
  if (!dryRun) return `${drawn}\nThe other home was not changed. To see the sessions: hermes sessions list\n`;
  const [only] = homes.length === 1 ? homes : [];
  const line = only === undefined ? 'hermes migrate --yes' : `hermes migrate ${only.source} --from ${toPrintable(only.folder)} --yes`;
  return `${drawn}\nNothing was changed. To take over ${formatCount(count('take'), 'thing')}: ${line}\n`;
}

export const ROWS: readonly RendererRow[] = [
  renderCommand(migrate, {
    text: renderMigration,
    progress: (progress, streams, screen) => {
      if ('plan' in progress) streams.err(`${renderMigratedHome(progress.plan, screen)}\n`);
    },
    jsonProgress: (progress) => ('item' in progress ? `${JSON.stringify(progress)}\n` : ''),
  }),
];
