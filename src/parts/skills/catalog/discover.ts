import { readdirSync, realpathSync, statSync } from 'node:fs';
import { sep } from 'node:path';
import { toErrorMessage } from '../../../base/errors.ts';
import type { SkillProblem } from '../../../contracts/skills.ts';
import type { Root } from './roots.ts';

/** What a folder held when it was listed. It still does as long as its stamp is the same. */
export interface FolderRecord {
  readonly stamp: string;
  readonly folders: readonly string[];
  readonly links: readonly string[];
  readonly skill: boolean;
  readonly description: boolean;
}
export interface FoundFolder {
  readonly root: Root;
  readonly path: string;
  /** The names from the root down to it. */
  readonly names: readonly string[];
  readonly record: FolderRecord;
  /** Listed in this walk: nothing known about its files holds. */
  readonly fresh: boolean;
}
export interface DiscoverResult {
  readonly found: readonly FoundFolder[];
  readonly problems: readonly SkillProblem[];
}

/** Stands where a stamp cannot be trusted: it equals none, so the next look reads again. */
export const NO_STAMP = '';
/** Coarsest clock of a file system in use (FAT). Two changes within one tick leave the same time. */
const TICK_MS = 2_000;
/** From the root: category, two levels below it, the skill, and one to spare. */
const DEEPEST = 5;
/** A home folder given as external folder must not be searched to its end at every start. */
const MAX_FOLDERS = 4_000;

/** Everything changed before this moment has a time that a later change cannot repeat. In nanoseconds. */
export const computeSettledCutoff = (nowMs: number): bigint => BigInt(nowMs - TICK_MS) * 1_000_000n;

interface FolderStep {
  readonly path: string;
  /** Its path without links; two ways to one folder have the same. Links are resolved when their turn comes. */
  readonly real?: string;
  readonly names: readonly string[];
}

/** A walk under way: what was found, and what is still to be looked at. */
interface FolderWalk {
  readonly root: Root;
  readonly known: ReadonlyMap<string, FolderRecord>;
  readonly settled: bigint;
  readonly seen: Set<string>;
  readonly found: FoundFolder[];
  readonly problems: SkillProblem[];
  readonly folders: FolderStep[];
  readonly links: FolderStep[];
}

/**
 * Every folder below a root that can hold skills. Only folders whose stamp changed are listed; all others cost one stat.
 * Links come after all real folders, so that a folder keeps its own name when a link leads to it as well.
 */
export function walkRoot(root: Root, known: ReadonlyMap<string, FolderRecord>, settled: bigint): DiscoverResult {
  const links: FolderStep[] = [{ path: root.path, names: [] }];
  const way: FolderWalk = { root, known, settled, seen: new Set(), found: [], problems: [], folders: [], links };
  for (let step = links.shift(); step !== undefined; step = way.folders.pop() ?? links.shift()) {
    if (way.found.length === MAX_FOLDERS) {
      way.problems.push({ path: root.path, words: `only the first ${MAX_FOLDERS} folders were searched; choose a smaller folder` });
      break;
    }
    try {
      lookAt(way, step);
    } catch (error) {
      const words = `it could not be searched (${toErrorMessage(error)}); check the permissions of the folder`;
      way.problems.push({ path: step.path, words });
    }
  }
  return way;
}

function lookAt(way: FolderWalk, step: FolderStep): void {
  const stats = statSync(step.path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined || !stats.isDirectory()) {
    // A root that is missing is normal and so is a link to a file; a root that is a file is a slip.
    if (stats !== undefined && step.names.length === 0) way.problems.push({ path: step.path, words: 'it is not a folder' });
    return;
  }
  const real = step.real ?? realpathSync(step.path);
  if (way.seen.has(real)) return;
  way.seen.add(real);
  const before = way.known.get(step.path);
  const stamp = `${stats.mtimeNs}-${stats.ino}`;
  const fresh = before?.stamp !== stamp;
  const record = fresh ? list(step.path, stats.mtimeNs < way.settled ? stamp : NO_STAMP) : before;
  way.found.push({ root: way.root, path: step.path, names: step.names, record, fresh });
  // A skill's own folders (scripts, references) hold no further skills.
  if (!record.skill || step.names.length === 0) goDown(way, step, real, record);
}

function goDown(way: FolderWalk, { path, names }: FolderStep, real: string, record: FolderRecord): void {
  if (names.length === DEEPEST) {
    if (record.folders.length > 0) way.problems.push({ path, words: `folders more than ${DEEPEST} levels deep are not searched` });
    return;
  }
  // Taken from the end, so put on in reverse.
  for (const name of record.folders.toReversed())
    way.folders.push({ path: joinPath(path, name), real: joinPath(real, name), names: names.concat(name) });
  for (const name of record.links) way.links.push({ path: joinPath(path, name), names: names.concat(name) });
}

function list(path: string, stamp: string): FolderRecord {
  const entries = readdirSync(path, { withFileTypes: true }).filter(({ name }) => !name.startsWith('.') && name !== 'node_modules');
  const has = (wanted: string) => entries.some(({ name }) => name === wanted);
  const named = (pick: (entry: (typeof entries)[number]) => boolean) =>
    entries
      .filter((entry) => pick(entry) && entry.name !== SKILL_FILE && entry.name !== CATEGORY_FILE)
      .map(({ name }) => name)
      .toSorted();
  return {
    stamp,
    folders: named((entry) => entry.isDirectory()),
    links: named((entry) => entry.isSymbolicLink()),
    skill: has(SKILL_FILE),
    description: has(CATEGORY_FILE),
  };
}

/** `join` without its tidying, which costs more than the stat that follows. */
export const joinPath = (folder: string, name: string): string => (folder.endsWith(sep) ? folder + name : folder + sep + name);

export const SKILL_FILE = 'SKILL.md';
export const CATEGORY_FILE = 'DESCRIPTION.md';
