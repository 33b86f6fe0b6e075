import { copyFileSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withFileLock } from '../../base/file-lock.ts';
import { makeFolder } from '../../base/folders.ts';
import { parseJson, readNumberAt } from '../../base/json.ts';
import { nameMigratedFolder } from '../../base/migrated-folder.ts';
import { replaceFile } from '../../base/replace-file.ts';
import type { FoundHome, MigrationPlan, MigrationItem, MigrationKind, MigrationResult } from '../../contracts/services/migration.ts';
import type { ForeignHome } from './foreign/foreign-home.ts';
import { planJobs } from './take/jobs.ts';
import { planSessions } from './take/sessions.ts';
import { planSettings, planVariables } from './take/settings.ts';
import { planSkills } from './take/skills.ts';
import type { MigrationTarget, PlannedItem } from './take/target.ts';
import { planFiles, planMemories, planSoul } from './take/texts.ts';

/** Looks through the home and says what would be done; nothing is done before `run`. */
export async function planMigration(
  found: FoundHome,
  home: ForeignHome,
  target: MigrationTarget,
  kinds: readonly MigrationKind[],
): Promise<Omit<MigrationPlan, typeof Symbol.asyncDispose>> {
  const folder = nameMigratedFolder(found.source, found.folder);
  const settings = await planSettings(home, target);
  /** How much a memory holds is a setting too. */
  const config = kinds.includes('config') ? settings.text : (target.config.text ?? '');
  const planned = [
    ...planVariables(home, target),
    ...settings.items,
    ...planSoul(home, target),
    ...(await planMemories(home, target, config)),
    ...(await planSkills(home, target)),
    ...(await planJobs(home, target)),
    ...planFiles(home, folder, target),
    ...(await planSessions(home, target)),
    ...home.left,
  ].filter(({ kind }) => kinds.includes(kind));
  return {
    home: found,
    into: target.root,
    items: planned.map(toItem),
    run: async (report) => {
      const path = join(target.root, folder, 'report.json');
      // What is done stays as it is, to the last byte.
      if (existsSync(path) && !planned.some(isToTake)) return { items: planned.map(toItem), report: path };
      makeFolder(join(target.root, folder));
      return withFileLock(path, () => runPlan({ found, planned, folder, target, report }));
    },
  };
}

const isToTake = ({ state }: MigrationItem): boolean => state === 'take';
const toItem = ({ take: _take, changes: _changes, ...item }: PlannedItem): MigrationItem => item;

interface PlanRunOptions {
  readonly found: FoundHome;
  readonly planned: readonly PlannedItem[];
  /** Where reports, backups and kept files go, below our home. */
  readonly folder: string;
  readonly target: MigrationTarget;
  readonly report: (item: MigrationItem) => void;
}

async function runPlan({ found, planned, folder, target, report }: PlanRunOptions): Promise<MigrationResult> {
  const path = join(target.root, folder, 'report.json');
  const earlier = existsSync(path) ? parseJson(readFileSync(path, 'utf8')) : undefined;
  const runs = readNumberAt(earlier, 'runs') ?? 0;
  const backup = await saveFirst(planned, (more) => join(target.root, folder, `backup-${runs + 1 + more}`), target);
  const items: MigrationItem[] = [];
  for (const item of planned) {
    const done = await carryOut(item);
    items.push(done);
    if (item.take !== undefined) report(done);
  }
  await tendStore(items, target);
  const result = { items, ...(backup !== undefined && { backup }), report: path };
  replaceFile(path, `${JSON.stringify({ source: found.source, from: found.folder, runs: runs + 1, ...result }, undefined, 2)}\n`);
  return result;
}

async function carryOut(item: PlannedItem): Promise<MigrationItem> {
  if (item.take === undefined) return toItem(item);
  return { ...toItem(item), state: 'taken', ...(await item.take()) };
}

/** Search finds what was taken at once, also where there is much of it. */
async function tendStore(items: readonly MigrationItem[], target: MigrationTarget): Promise<void> {
  if (!items.some(({ kind, state }) => kind === 'sessions' && state === 'taken')) return;
  const store = await target.store();
  while (await store.care?.tend());
}

/** Copies of all that the steps change, made whole or not at all. */
async function saveFirst(
  planned: readonly PlannedItem[],
  nameFolder: (number: number) => string,
  target: MigrationTarget,
): Promise<string | undefined> {
  const changed = planned.filter(isToTake).flatMap(({ kind, changes }) => changes ?? (kind === 'sessions' ? [STORE] : []));
  const names = [...new Set(changed)];
  for (let number = 0; ; number++) {
    const folder = nameFolder(number);
    if (existsSync(folder)) {
      // Those of a run that was killed are what was here before it, if it was about to change the same files.
      if (names.every((name) => isSavedIn(folder, name))) return folder;
    } else return saveInto(folder, names, target);
  }
}

const STORE = 'sessions.db';
/** The names of all that was looked for; a file that is not among the copies was not here. */
const LIST = 'saved.json';
const isSavedIn = (folder: string, name: string): boolean => {
  const list = existsSync(join(folder, LIST)) ? parseJson(readFileSync(join(folder, LIST), 'utf8')) : undefined;
  return Array.isArray(list) && list.includes(name);
};

async function saveInto(folder: string, names: readonly string[], target: MigrationTarget): Promise<string | undefined> {
  const here = names.filter((name) => name !== STORE && existsSync(join(target.root, name)));
  const store = names.includes(STORE) && target.known !== undefined ? await target.store() : undefined;
  if (here.length === 0 && store === undefined) return undefined;
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  makeFolder(unfinished);
  for (const name of here) copyInto(join(target.root, name), join(unfinished, name));
  await store?.care?.backup(join(unfinished, STORE));
  replaceFile(join(unfinished, LIST), `${JSON.stringify(names)}\n`);
  renameSync(unfinished, folder);
  return folder;
}

function copyInto(from: string, to: string): void {
  makeFolder(dirname(to));
  copyFileSync(from, to);
}
