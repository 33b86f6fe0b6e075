import { mkdtempSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { toErrorMessage } from '../../base/errors.ts';
import { makeFolder } from '../../base/folders.ts';
import type { ScanText } from '../../contracts/scan.ts';
import type { Skill, SkillCatalog, SkillOrigin, SkillProblem } from '../../contracts/skills.ts';
import { gather } from './install/gather.ts';
import { inspect } from './install/inspect.ts';
import { findDrift, readLockEntries, type LockEntry } from './install/lock-file.ts';
import { resolveSkillSource, type SourceOptions } from './install/sources.ts';
import { describeFinding } from './manage/rules.ts';
import { hashSkillFiles } from './view/files.ts';
import { readPage } from './view/page.ts';
import { listMissingSetup, describeMissingSetup, type SetupOptions } from './view/setup.ts';

export interface SkillIssue {
  readonly kind: 'head' | 'finding' | 'setup' | 'edited' | 'source_changed' | 'source_unreachable' | 'gone';
  readonly words: string;
  /** Not a mere piece of news: the owner should do something. */
  readonly severe: boolean;
}
export interface SkillCheck {
  readonly name: string;
  readonly folder: string;
  readonly origin?: SkillOrigin;
  readonly issues: readonly SkillIssue[];
}
export interface CheckOptions extends SourceOptions {
  readonly catalog: SkillCatalog;
  readonly userDir: string;
  readonly scan: ScanText;
  readonly setup: SetupOptions;
  readonly signal?: AbortSignal | undefined;
}

/** Everything there is to say about every skill; those with nothing wrong have no issues. */
export async function checkSkills(options: CheckOptions): Promise<readonly SkillCheck[]> {
  const { skills, problems } = await options.catalog.all();
  const entries = new Map(readLockEntries(options.userDir).map((entry) => [entry.name, entry]));
  const rows: SkillCheck[] = [];
  for (const skill of skills) {
    const own = problems.filter(({ path }) => dirname(path) === skill.folder).map(({ words }) => issue('head', words, true));
    const entry = skill.origin === 'user' ? entries.get(skill.name) : undefined;
    const issues = [
      ...own,
      ...(await contentIssues(skill, options)),
      ...(entry === undefined ? [] : await originIssues(skill, entry, options)),
    ];
    rows.push({ name: skill.name, folder: skill.folder, origin: skill.origin, issues });
  }
  return [...rows, ...brokenRows(skills, problems), ...goneRows(skills, [...entries.values()], options.userDir)];
}

/** Files that give no skill. */
function brokenRows(skills: readonly Skill[], problems: readonly SkillProblem[]): readonly SkillCheck[] {
  const known = new Set(skills.map(({ folder }) => folder));
  return problems
    .filter(({ path }) => !known.has(dirname(path)))
    .map(({ path, words }) => ({ name: basename(dirname(path)), folder: dirname(path), issues: [issue('head', words, true)] }));
}

function goneRows(skills: readonly Skill[], entries: readonly LockEntry[], folder: string): readonly SkillCheck[] {
  const there = new Set(skills.filter(({ origin }) => origin === 'user').map(({ name }) => name));
  return entries
    .filter(({ name }) => !there.has(name))
    .map(({ name, source }) => ({
      name,
      folder,
      issues: [
        issue(
          'gone',
          `it was installed from ${source} but its files are gone; install it again, or remove its entry from .lock.json`,
          true,
        ),
      ],
    }));
}

async function contentIssues(skill: Skill, { scan, setup }: CheckOptions): Promise<readonly SkillIssue[]> {
  const read = await readPage(skill.folder);
  if (!read.ok) return [issue('head', read.words, true)];
  const missing = listMissingSetup(read.page.fields, setup).map((each) =>
    issue('setup', `${describeMissingSetup(each)} is not set up`, false),
  );
  return [
    ...inspect(skill.folder, scan).findings.map((finding) =>
      issue('finding', `${finding.file}: ${describeFinding(finding)}`, finding.severe),
    ),
    ...missing,
  ];
}

async function originIssues({ folder }: Skill, entry: LockEntry, options: CheckOptions): Promise<readonly SkillIssue[]> {
  const edited = findDrift(entry.files, hashSkillFiles(folder) ?? {});
  const here = edited.length === 0 ? [] : [issue('edited', `edited here since it was installed: ${edited.join(', ')}`, false)];
  return [...here, ...(await sourceIssues(entry, options))];
}

async function sourceIssues(entry: LockEntry, options: CheckOptions): Promise<readonly SkillIssue[]> {
  const unreachable = (words: string) => [issue('source_unreachable', `its source could not be checked: ${words}`, false)];
  const sourced = resolveSkillSource(entry.source, options);
  if (!sourced.ok) return unreachable(sourced.words);
  makeFolder(join(options.userDir, '.quarantine'));
  const folder = mkdtempSync(join(options.userDir, '.quarantine', 'check-'));
  try {
    const [again] = await gather(sourced.source, folder, options.signal ?? new AbortController().signal);
    if (again !== undefined && 'words' in again) return unreachable(again.words);
    const changed = again === undefined ? [] : findDrift(entry.files, hashSkillFiles(again.folder) ?? {});
    return changed.length === 0
      ? []
      : [issue('source_changed', `its source has another version (${changed.join(', ')}): ${entry.source}`, false)];
  } catch (error) {
    return unreachable(toErrorMessage(error));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const issue = (kind: SkillIssue['kind'], words: string, severe: boolean): SkillIssue => ({ kind, words, severe });
