import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { toErrorMessage } from '../../../base/errors.ts';
import { readTextFile } from '../../../base/text-file.ts';
import type { SkillProblem } from '../../../contracts/skills.ts';
import {
  CATEGORY_FILE,
  joinPath,
  NO_STAMP,
  computeSettledCutoff,
  SKILL_FILE,
  walkRoot,
  type FolderRecord,
  type FoundFolder,
} from './discover.ts';
import { parseCategoryHead, needsYaml, parseSkillHead, type HeadResult, type ParseYaml } from './head.ts';
import type { Root } from './roots.ts';

/** Time of the last change in nanoseconds, and bytes. */
export type FileStamp = readonly [string, number];
export interface FileRecord {
  readonly stamp: FileStamp;
  readonly content: HeadResult;
}
/** All that is known of the roots; can be saved and read back. */
export interface SurveyRecord {
  readonly folders: ReadonlyMap<string, FolderRecord>;
  readonly files: ReadonlyMap<string, FileRecord>;
}
export const EMPTY_SURVEY: SurveyRecord = { folders: new Map(), files: new Map() };

/** A file that counts, and where it lies. */
export interface SurveyedFile {
  readonly kind: 'skill' | 'category';
  readonly root: Root;
  readonly folder: string;
  readonly names: readonly string[];
  readonly path: string;
}
export interface SurveyResult {
  readonly memory: SurveyRecord;
  readonly places: readonly SurveyedFile[];
  readonly problems: readonly SkillProblem[];
  /** Something was listed or read anew; otherwise all that was known still holds. */
  readonly fresh: boolean;
}

/** Most bytes of one file. */
const MAX_BYTES = 1024 * 1024;

/** Looks at every folder and file by its stamp and reads only what the memory does not hold. */
export async function survey(roots: readonly Root[], memory: SurveyRecord, nowMs: number): Promise<SurveyResult> {
  const settled = computeSettledCutoff(nowMs);
  const walks = roots.map((root) => walkRoot(root, memory.folders, settled));
  const found = walks.flatMap((walk) => walk.found);
  const looked = found.flatMap((folder) =>
    placesIn(folder).map((place) => look(place, folder.fresh ? undefined : memory.files.get(place.path), settled)),
  );
  // One root may lie inside another, and a folder is remembered once.
  const paths = new Set(found.map(({ path }) => path));
  const fresh = paths.size !== memory.folders.size || found.some((folder) => folder.fresh) || looked.some((file) => !file.held);
  return {
    memory: fresh ? { folders: new Map(found.map(({ path, record }) => [path, record])), files: await recordsOf(looked) } : memory,
    places: looked.map((file) => file.place),
    problems: walks.flatMap((walk) => walk.problems),
    fresh,
  };
}

async function recordsOf(looked: readonly FileLook[]): Promise<SurveyRecord['files']> {
  const parse = looked.some((file) => file.text !== undefined && needsYaml(file.text)) ? await loadYaml() : () => ({});
  return new Map(
    looked.map(({ place, stamp, content, text }) => [place.path, { stamp, content: content ?? contentOf(place, text ?? '', parse) }]),
  );
}

function placesIn({ root, path: folder, names, record }: FoundFolder): readonly SurveyedFile[] {
  const place = (kind: SurveyedFile['kind'], file: string): SurveyedFile => ({ kind, root, folder, names, path: joinPath(folder, file) });
  const skill = record.skill ? [place('skill', SKILL_FILE)] : [];
  return record.description && (!record.skill || names.length === 0) ? [...skill, place('category', CATEGORY_FILE)] : skill;
}

/** One file: held in memory, read, or not to be had. */
interface FileLook {
  readonly place: SurveyedFile;
  readonly stamp: FileStamp;
  readonly held: boolean;
  readonly content?: HeadResult;
  readonly text?: string;
}

function look(place: SurveyedFile, known: FileRecord | undefined, settled: bigint): FileLook {
  // The stamp is taken before the text: a change in between shows as another stamp next time.
  const stamp = stampOf(place.path, settled);
  if (typeof stamp === 'string') return outOfReach(place, stamp);
  if (known !== undefined && known.stamp[0] === stamp.mtime && known.stamp[1] === stamp.size) return { place, ...known, held: true };
  const file = readTextFile(place.path, MAX_BYTES);
  if (!file.ok) return outOfReach(place, file.why);
  return { place, stamp: [stamp.settled ? stamp.mtime : NO_STAMP, stamp.size], held: false, text: file.text };
}

function stampOf(path: string, settled: bigint): { readonly mtime: string; readonly size: number; readonly settled: boolean } | string {
  try {
    const stats = statSync(path, { bigint: true });
    return { mtime: String(stats.mtimeNs), size: Number(stats.size), settled: stats.mtimeNs < settled };
  } catch (error) {
    return toErrorMessage(error);
  }
}

/** Rights and links change without a new time, so this is tried again at every look. */
const outOfReach = (place: SurveyedFile, why: string): FileLook => ({
  place,
  stamp: [NO_STAMP, 0],
  held: false,
  content: { problem: `it could not be read (${why}); fix or remove it` },
});

const contentOf = (place: SurveyedFile, text: string, parse: ParseYaml): HeadResult =>
  place.kind === 'skill' ? parseSkillHead(text, basename(place.folder), parse) : parseCategoryHead(text, parse);

/** Plain strings throughout: `version: 1.10` must not become 1.1. */
async function loadYaml(): Promise<ParseYaml> {
  const { parse } = await import('yaml');
  return (text) => parse(text, { schema: 'failsafe', logLevel: 'error' });
}
