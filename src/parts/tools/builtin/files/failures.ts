import { basename, dirname } from 'node:path';
import { readErrorCode, toErrorMessage } from '../../../../base/errors.ts';
import { editDistance } from '../../../../base/text.ts';
import { isToolFailure, ToolFailure } from '../../../../contracts/tool.ts';
import { type Location, type PathBase, shorten } from './locate.ts';

/** What a refusal of the file system means for the model. */
const MEANINGS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'the system does not permit it',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EEXIST: 'a part of the path is a file, not a folder',
  ELOOP: 'the links lead in a ring',
  ENAMETOOLONG: 'the name is too long',
};

export const toFileFailure = (verb: string, { shown }: Location, error: unknown): ToolFailure =>
  new ToolFailure(`${shown} could not be ${verb}: ${MEANINGS[readErrorCode(error)] ?? toErrorMessage(reasonOf(error))}.`, { cause: error });

/** A failure that has words for the model keeps them. */
export const asFailure = (verb: string, place: Location, error: unknown): ToolFailure =>
  isToolFailure(error) ? error : toFileFailure(verb, place, error);

/** What the system itself said, where it is known: the path is told already. */
const reasonOf = (error: unknown): unknown => (error instanceof Error ? (error.cause ?? error) : error);

/** A missing file, with the names in its folder that come near. */
export async function createMissingFileFailure(place: Location, { cwd, files }: PathBase): Promise<ToolFailure> {
  const folder = dirname(place.path);
  const names = (await files.list(folder).catch(() => undefined))?.map(({ name }) => name);
  if (names === undefined)
    return new ToolFailure(`There is no file ${place.shown}: its folder ${folder} does not exist or cannot be listed.`);
  const near = findSimilarNames(basename(place.path), names).map((name) => shorten(`${folder === '/' ? '' : folder}/${name}`, cwd));
  const hint = near.length === 0 ? 'Find it with search_files (target: files).' : `Did you mean ${near.join(', ')}?`;
  return new ToolFailure(`There is no file ${place.shown} (looked in ${folder}). ${hint}`);
}

const SUGGESTIONS = 3;
/** Names beyond this many are not compared; a folder that large is for search_files. */
const COMPARED = 2_000;

export function findSimilarNames(name: string, names: readonly string[]): string[] {
  const wanted = name.toLowerCase();
  const stem = wanted.replace(/\.[^.]*$/, '');
  const score = (candidate: string): number => {
    const other = candidate.toLowerCase();
    if (other === wanted) return 0;
    if (stem.length > 2 && (other.startsWith(`${stem}.`) || other.includes(wanted))) return 0.2;
    return editDistance(wanted, other) / Math.max(wanted.length, other.length, 1);
  };
  return names
    .slice(0, COMPARED)
    .map((candidate) => ({ candidate, off: score(candidate) }))
    .filter(({ off }) => off <= 0.4)
    .toSorted((a, b) => a.off - b.off)
    .slice(0, SUGGESTIONS)
    .map(({ candidate }) => candidate);
}
