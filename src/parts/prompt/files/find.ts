import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { realPath } from '../../../base/real-path.ts';
import { isWithin } from '../../../base/within.ts';
import { toErrorMessage } from '../../../base/errors.ts';
import { CONTEXT_KINDS, CONTEXT_LIMITS, type ContextKind } from './kinds.ts';
import { toRelativePath, showPath } from './names.ts';
import { findRulesFile, readRulesFile, type RulesFile, type RulesFound } from './rules-file.ts';

export interface ContextFile extends RulesFile {
  /** As seen from the working directory: `AGENTS.md`, `../AGENTS.md`. It leads a tool to this very file. */
  readonly name: string;
}
export interface FoundContext {
  readonly kind?: ContextKind['kind'];
  /** By rank: of each folder from the git root down, or by name. */
  readonly files: readonly ContextFile[];
  readonly notices: readonly string[];
}

/** The project's files for a working directory: those of the first kind that has any. */
export function findContextFiles(cwd: string): FoundContext {
  const place = placeOf(cwd);
  const notices: string[] = [];
  for (const row of CONTEXT_KINDS) {
    const found = ofKind(row, place);
    notices.push(...found.flatMap((one) => one.notices));
    const read = found.flatMap(({ file }) => (file === undefined ? [] : [file]));
    const files = read.map((file) => ({ ...file, name: nameFrom(place, file.path) }));
    if (files.length > 0) return { kind: row.kind, files, notices };
  }
  return { files: [], notices: [...notices, ...unreadAbove(place)] };
}

/** Rules at the root of the repository that are read in their own folder only, when a session begins below it and finds none. */
function unreadAbove({ cwd, gitRoot }: SearchRoot): readonly string[] {
  if (cwd === gitRoot) return [];
  const names = CONTEXT_KINDS.filter(({ parents }) => parents === undefined).flatMap((kind) => [
    ...kind.names,
    ...(kind.rules === undefined ? [] : [kind.rules.folder]),
  ]);
  const unread = names.filter((name) => existsSync(join(gitRoot, name)));
  return unread.length === 0
    ? []
    : [
        `Rules that were not read: ${unread.join(', ')} in ${showPath(gitRoot)}. Only sessions that start there read them; AGENTS.md is read from every folder below.`,
      ];
}

interface SearchRoot {
  readonly cwd: string;
  /** The working directory alone outside a repository. */
  readonly gitRoot: string;
  /** The working directory is given by another path than its own. */
  readonly linked: boolean;
}

/** Links are followed first: the parents meant are those of the real folder. */
function placeOf(given: string): SearchRoot {
  const cwd = realPath(given) ?? resolve(given);
  const gitRoot = upwards(cwd).find((folder) => existsSync(join(folder, '.git'))) ?? cwd;
  return { cwd, gitRoot, linked: cwd !== resolve(given) };
}

/** The folder and all above it, the nearest first. */
function upwards(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...upwards(above)];
}

function ofKind({ names, parents, rules }: ContextKind, place: SearchRoot): readonly RulesFound[] {
  const folders = parents === undefined ? [place.cwd] : upwards(place.cwd).filter((folder) => isWithin(place.gitRoot, folder));
  const found: RulesFound[] = [];
  for (const folder of folders) {
    const one = findRulesFile(folder, names, place.gitRoot);
    found.unshift(one);
    if (one.file !== undefined && parents !== 'all') break;
  }
  const own = withoutCopies(found);
  return rules === undefined ? own : [...own, ...rulesFolder(join(place.cwd, rules.folder), rules.ending, place.gitRoot)];
}

/** The same words in two folders are said once, by the nearest. */
const withoutCopies = (found: readonly RulesFound[]): readonly RulesFound[] =>
  found.map((one, index) => {
    const copied = one.file !== undefined && found.slice(index + 1).some(({ file }) => file?.text === one.file?.text);
    return copied ? { notices: one.notices } : one;
  });

function rulesFolder(folder: string, ending: string, tree: string): readonly RulesFound[] {
  try {
    const names = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(({ name }) => name.endsWith(ending))
      .map(({ parentPath, name }) => join(parentPath, name))
      .toSorted();
    const found = names.slice(0, CONTEXT_LIMITS.rules).map((path) => readRulesFile(path, tree));
    return names.length > CONTEXT_LIMITS.rules ? [...found, tooMany(folder, names.length)] : found;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    return [
      { notices: [`The rules in ${showPath(folder)} were left out of the prompt: ${toErrorMessage(error)}. Make the folder readable.`] },
    ];
  }
}

const tooMany = (folder: string, count: number): RulesFound => ({
  notices: [`${showPath(folder)} holds ${count} rules; only the first ${CONTEXT_LIMITS.rules} by name are read. Join some of them.`],
});

/** The way to a file as a tool takes it. From a folder that was reached by a link, `..` leads elsewhere. */
const nameFrom = ({ cwd, linked }: SearchRoot, path: string): string =>
  showPath(linked && !isWithin(cwd, path) ? path : toRelativePath(cwd, path));
