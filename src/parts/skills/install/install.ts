import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { toErrorMessage } from '../../../base/errors.ts';
import { makeFolder } from '../../../base/folders.ts';
import { randomHex } from '../../../base/ids.ts';
import { readStringAt } from '../../../base/json.ts';
import type { ScanText } from '../../../contracts/scan.ts';
import type { Skill, SkillCatalog } from '../../../contracts/skills.ts';
import { moveIn, moveToTrash, withSkillsLock } from '../manage/skill-folders.ts';
import { resolveSkillFolder } from '../manage/plan.ts';
import { checkName, isName, checkUsablePage } from '../manage/rules.ts';
import { removeAgentSkillRecord } from '../manage/provenance.ts';
import { listSkillFiles, hashSkillFiles, type LinkedFile } from '../view/files.ts';
import { readPage, type SkillPage } from '../view/page.ts';
import { gather, listInstallable, type GatheredSkill, type UngatheredSkill } from './gather.ts';
import { inspect, checkInstallPolicy, type FileFinding } from './inspect.ts';
import { findDrift, dropLockEntry, keepLockEntry, findLockEntry } from './lock-file.ts';
import { resolveSkillSource, type SourceOptions } from './sources.ts';

/** What would be installed, told before it is. */
export interface InstallPlan {
  readonly name: string;
  readonly description: string;
  readonly source: string;
  readonly target: string;
  readonly files: readonly LinkedFile[];
  readonly findings: readonly FileFinding[];
  /** Files the skill speaks of that its source does not have. */
  readonly absent: readonly string[];
  /** The version that gives way to it, and a skill of another folder that it will stand before. */
  readonly replaces?: string;
  readonly covers?: string;
}
export type InstallRow =
  | { readonly did: 'installed'; readonly plan: InstallPlan }
  | { readonly did: 'refused' | 'declined'; readonly name: string; readonly words: string };

export interface InstallOptions extends SourceOptions {
  readonly userDir: string;
  readonly catalog: SkillCatalog;
  readonly scan: ScanText;
  readonly confirm: (plan: InstallPlan) => Promise<boolean>;
  readonly force?: boolean | undefined;
  readonly category?: string | undefined;
  /** For a skill that names itself in a way that will not do. */
  readonly name?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Fetches, looks through, asks and installs. Trouble with one skill of several is told in its row; nothing is thrown. */
export async function installSkills(given: string, options: InstallOptions): Promise<readonly InstallRow[]> {
  const sourced = resolveSkillSource(given, options);
  if (!sourced.ok) return [refusedRow(given, sourced.words)];
  const quarantine = join(options.userDir, '.quarantine', `${process.pid}-${randomHex(8)}`);
  try {
    sweep(join(options.userDir, '.quarantine'));
    makeFolder(quarantine);
    const rows: InstallRow[] = [];
    for (const gathered of await gather(sourced.source, quarantine, options.signal ?? new AbortController().signal))
      rows.push(await installOne(gathered, options));
    return rows;
  } catch (error) {
    return [refusedRow(given, toErrorMessage(error))];
  } finally {
    rmSync(quarantine, { recursive: true, force: true });
  }
}

/** What installing a folder would do, found out without copying it; words where it would be refused. */
export async function previewInstall(folder: string, options: Omit<InstallOptions, 'confirm'>): Promise<InstallPlan | string> {
  try {
    listInstallable(folder);
    return await planInstall({ folder, called: basename(folder), from: folder, absent: [] }, options);
  } catch (error) {
    return toErrorMessage(error);
  }
}

async function installOne(gathered: GatheredSkill | UngatheredSkill, options: InstallOptions): Promise<InstallRow> {
  if ('words' in gathered) return refusedRow(gathered.called, gathered.words);
  try {
    const plan = await planInstall(gathered, options);
    if (!(await options.confirm(plan))) return { did: 'declined', name: plan.name, words: 'It was not confirmed; nothing was installed.' };
    await withSkillsLock(options.userDir, () => settle(plan, gathered, options));
    return { did: 'installed', plan };
  } catch (error) {
    return refusedRow(options.name ?? gathered.called, toErrorMessage(error));
  }
}

async function planInstall(
  { folder, called, from, absent }: GatheredSkill,
  options: Omit<InstallOptions, 'confirm'>,
): Promise<InstallPlan> {
  const read = await readPage(folder);
  if (!read.ok) throw new Error(`${from} is no readable SKILL.md: ${read.words.replace(/^.*could not be read: /, '')}`);
  const name = nameFor(read.page, called, options.name);
  const head = await checkUsablePage(read.page.text, name);
  const inspection = inspect(folder, options.scan);
  const against = checkInstallPolicy(inspection, options.force ?? false);
  if (against !== undefined) throw new Error(against);
  const there = await options.catalog.find(name);
  const old = there?.origin === 'user' ? there : undefined;
  if (old !== undefined) checkReplaceable(old, from, options);
  const target = old?.folder ?? resolveSkillFolder(options.userDir, options.category ?? head.category ?? 'installed', name);
  if (old === undefined && existsSync(target)) throw new Error(`${target} already exists. Move it away first.`);
  const { findings } = inspection;
  const { files } = listSkillFiles(folder);
  return {
    name,
    description: head.description,
    source: from,
    target,
    files,
    findings,
    absent,
    ...(old !== undefined && { replaces: old.folder }),
    ...(there !== undefined && old === undefined && { covers: there.folder }),
  };
}

/** As it names itself, else as its place is called, else as the owner says. */
function nameFor({ fields }: SkillPage, called: string, given: string | undefined): string {
  const own = [readStringAt(fields, 'name')?.trim() ?? '', called].filter(isName);
  const name = given ?? own[0];
  if (name === undefined) throw new Error(`Neither the skill nor its folder has a valid name. Choose one with --name.`);
  checkName(name);
  return name;
}

/** Only what came from the same place gives way, and only as it came. */
function checkReplaceable({ name, folder }: Skill, from: string, { userDir, force }: Omit<InstallOptions, 'confirm'>): void {
  const entry = findLockEntry(userDir, name);
  if (entry === undefined)
    throw new Error(`You already have your own skill ${name} in ${folder}. Remove it first: hermes skills remove ${name}.`);
  if (entry.source !== from)
    throw new Error(`The skill ${name} was installed from ${entry.source}. Remove it first: hermes skills remove ${name}.`);
  const edited = findDrift(entry.files, hashSkillFiles(folder) ?? {});
  if (edited.length > 0 && force !== true)
    throw new Error(
      `The skill ${name} was edited here since it was installed (${edited.join(', ')}). To replace it, add --force; the old one is moved to .trash.`,
    );
}

/** The entry comes first: a kill in between leaves one that says where the skill can be had, and no skill without one. */
async function settle(plan: InstallPlan, gathered: GatheredSkill, { userDir, catalog }: InstallOptions): Promise<void> {
  const there = await catalog.find(plan.name);
  const old = there?.origin === 'user' ? there.folder : undefined;
  if (old !== plan.replaces || (old === undefined && existsSync(plan.target)))
    throw new Error(`The skill ${plan.name} changed during the installation. Nothing was installed. Try again.`);
  const files = hashSkillFiles(gathered.folder);
  if (files === undefined) throw new Error(`The files of ${plan.name} disappeared from quarantine. Nothing was installed.`);
  keepLockEntry(userDir, { name: plan.name, source: plan.source, files, at: Date.now() }, plan.findings);
  if (old !== undefined) moveToTrash(userDir, plan.name, old);
  moveIn(gathered.folder, plan.target);
  removeAgentSkillRecord(userDir, plan.name);
}

/** Takes a skill of the user's own away; it can be found in the trash. */
export async function removeSkill(
  name: string,
  { userDir, catalog }: Pick<InstallOptions, 'userDir' | 'catalog'>,
): Promise<{ readonly ok: true; readonly trash: string } | { readonly ok: false; readonly words: string }> {
  const skill = await catalog.find(name);
  if (skill === undefined) return { ok: false, words: `There is no skill ${name}. To list the skills: hermes skills list` };
  const hide = `To hide it, add ${name} to skills.disabled in config.yaml.`;
  if (skill.origin === 'bundled')
    return { ok: false, words: `${name} is bundled with hermes and would return with the next update. ${hide}` };
  if (skill.origin === 'external')
    return { ok: false, words: `${name} is in ${skill.folder}, a folder of skills.external_dirs. Remove it there. ${hide}` };
  try {
    return { ok: true, trash: await withSkillsLock(userDir, async () => takeAway(skill, userDir)) };
  } catch (error) {
    return { ok: false, words: `${name} could not be moved to the trash: ${toErrorMessage(error)}` };
  }
}

function takeAway({ name, folder }: Skill, userDir: string): string {
  const place = moveToTrash(userDir, name, folder);
  dropLockEntry(userDir, name);
  removeAgentSkillRecord(userDir, name);
  return place;
}

const STALE_MS = 24 * 60 * 60 * 1000;
/** What a killed installation left behind. */
function sweep(folder: string): void {
  makeFolder(folder);
  for (const name of readdirSync(folder)) {
    const found = statSync(join(folder, name), { throwIfNoEntry: false });
    if (found !== undefined && Date.now() - found.mtimeMs > STALE_MS) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

const refusedRow = (name: string, words: string): InstallRow => ({ did: 'refused', name, words });
