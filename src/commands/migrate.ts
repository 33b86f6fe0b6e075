import { UsageError } from '../base/errors.ts';
import { formatCount } from '../base/screen/figures.ts';
import { describeUnknownName } from '../base/unknown-name.ts';
import type { CommandContext } from '../contracts/command.ts';
import { defineCommand } from '../contracts/services/define-command.ts';
import {
  MIGRATION_KINDS,
  MIGRATION_SOURCES,
  type FoundHome,
  type MigrationItem,
  type MigrationKind,
  type MigrationService,
} from '../contracts/services/migration.ts';

/** What was looked at or done, home by home. */
export interface MigrateResult {
  /** Nothing was changed: this is what would be done. */
  readonly dryRun: boolean;
  /** Somebody saw the plan, was asked and said no. */
  readonly declined?: true;
  readonly homes: readonly MigratedHome[];
}
export interface MigratedHome extends FoundHome {
  readonly into: string;
  readonly items: readonly MigrationItem[];
  readonly backup?: string;
  readonly report?: string;
}
/** The plan before somebody is asked, then each item as it is taken, then that all of it is done. */
export type MigrateProgress = { readonly plan: MigratedHome } | MigrateStep | { readonly finished: FoundHome };
export interface MigrateStep {
  readonly item: MigrationItem;
  /** Of all that is to be taken from this home. */
  readonly done: number;
  readonly total: number;
}

export const migrate = defineCommand({
  name: 'migrate',
  category: 'settings',
  summary: 'Take over settings, memories, skills and sessions from another agent',
  arguments: {
    source: {
      kind: 'choice',
      choices: MIGRATION_SOURCES,
      description: 'the program to take over from: hermes or openclaw (default: all that are found)',
    },
  },
  options: {
    from: { kind: 'text', placeholder: 'dir', description: 'the folder of its home' },
    only: { kind: 'text', placeholder: 'kinds', description: `take only these, separated by commas: ${MIGRATION_KINDS.join(', ')}` },
    dryRun: { kind: 'flag', description: 'show what would be taken and change nothing', conflicts: 'yes' },
    yes: { kind: 'flag', letter: 'y', description: 'do not ask for confirmation' },
  },
  where: ['shell'],
  whileBusy: 'run',
  ownerOnly: true,
  json: 'one JSON object for each step, then one with the result',
  examples: [
    'hermes migrate',
    'hermes migrate hermes --from ~/.hermes --dry-run',
    'hermes migrate openclaw --only memories,sessions --yes',
  ],
  needs: ['migration'],
  run: async ({ source, from, only, dryRun, yes }, { migration }, context: CommandContext<MigrateProgress>): Promise<MigrateResult> => {
    const kinds = parseKinds(only);
    const found = await migration.find({ ...(source !== undefined && { source }), ...(from !== undefined && { from }) });
    if (found.length === 0)
      throw new UsageError(
        'found no home of hermes-agent (~/.hermes) or OpenClaw (~/.openclaw). To name its folder: hermes migrate hermes --from DIR',
      );
    const plans: MigratedHome[] = [];
    for (const home of found) plans.push(await lookThrough(home, kinds, migration));
    if (dryRun === true) return { dryRun: true, homes: plans };
    const answer = yes === true || (await askOnce(plans, context));
    if (answer !== true) return { dryRun: true, ...(answer === false && { declined: true }), homes: plans };
    const homes: MigratedHome[] = [];
    for (const home of found) homes.push(await takeOver(home, kinds, migration, context));
    return { dryRun: false, homes };
  },
});

async function lookThrough(found: FoundHome, kinds: readonly MigrationKind[], migration: MigrationService): Promise<MigratedHome> {
  await using opened = await migration.open(found, kinds);
  return { ...found, into: opened.into, items: opened.items };
}

/** Looks again: what was taken from another home just now is here already. */
async function takeOver(
  found: FoundHome,
  kinds: readonly MigrationKind[],
  migration: MigrationService,
  { report }: CommandContext<MigrateProgress>,
): Promise<MigratedHome> {
  await using opened = await migration.open(found, kinds);
  const total = opened.items.filter(({ state }) => state === 'take').length;
  let done = 0;
  const result = await opened.run((item) => report({ item, done: ++done, total }));
  report({ finished: found });
  return { ...found, into: opened.into, ...result };
}

/** One question for all of it. `undefined` where nobody can be asked or there is nothing to take. */
async function askOnce(plans: readonly MigratedHome[], { confirm, report }: CommandContext<MigrateProgress>): Promise<boolean | undefined> {
  const count = plans.flatMap(({ items }) => items).filter(({ state }) => state === 'take').length;
  if (confirm === undefined || count === 0) return undefined;
  for (const plan of plans) report({ plan });
  return confirm(`Take over ${formatCount(count, 'thing')}?`);
}

function parseKinds(only: string | undefined): readonly MigrationKind[] {
  if (only === undefined) return MIGRATION_KINDS;
  return only.split(',').map((word) => {
    const kind = MIGRATION_KINDS.find((each) => each === word.trim());
    if (kind === undefined)
      throw new UsageError(describeUnknownName('kind', word.trim(), MIGRATION_KINDS, `There are: ${MIGRATION_KINDS.join(', ')}`));
    return kind;
  });
}
