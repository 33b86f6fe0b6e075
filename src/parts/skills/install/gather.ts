import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { toErrorMessage } from '../../../base/errors.ts';
import { makeFolder } from '../../../base/folders.ts';
import { SKILL_FILE } from '../catalog/discover.ts';
import { listSkillFiles } from '../view/files.ts';
import { locate, SUPPORT } from '../view/inside.ts';
import { download } from './download.ts';
import type { SkillSource } from './sources.ts';

/** A skill fetched into quarantine. */
export interface GatheredSkill {
  readonly folder: string;
  /** What it would be called if it does not say itself. */
  readonly called: string;
  /** The one place it came from, to look there again. */
  readonly from: string;
  /** Files it speaks of that are not there. */
  readonly absent: readonly string[];
}
/** One of several that could not be fetched. */
export interface UngatheredSkill {
  readonly called: string;
  readonly words: string;
}
/** Ends the gathering of one skill, in words for the owner. */
class GatherFailure extends Error {
  readonly code = 'gather_failure';
}

/** Brings the skills of a source into the folder, each into one of its own. Throws a `GatherFailure` when there is none to be had. */
export async function gather(
  source: SkillSource,
  folder: string,
  signal: AbortSignal,
): Promise<readonly (GatheredSkill | UngatheredSkill)[]> {
  if (source.kind === 'url') return [await gatherUrl(source.urls, join(folder, '0'), signal)];
  if (source.kind === 'file') return [gatherFile(source.path, join(folder, '0'))];
  const skills = skillFolders(source.path, BOUNDS.levels);
  if (skills.length === 0) throw new GatherFailure(`${source.path} contains no ${SKILL_FILE}, and neither do its folders.`);
  if (skills.length > BOUNDS.skills)
    throw new GatherFailure(`${source.path} contains more than ${BOUNDS.skills} skills. Choose one of its folders.`);
  return skills.map((path, index) => tryFolder(path, join(folder, String(index))));
}

function tryFolder(from: string, folder: string): GatheredSkill | UngatheredSkill {
  try {
    return gatherFolder(from, folder);
  } catch (error) {
    return { called: basename(from), words: toErrorMessage(error) };
  }
}

function skillFolders(path: string, levels: number): readonly string[] {
  if (existsSync(join(path, SKILL_FILE))) return [path];
  if (levels === 0) return [];
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => skillFolders(join(path, entry.name), levels - 1));
}

function gatherFolder(from: string, folder: string): GatheredSkill {
  for (const path of listInstallable(from)) put(folder, path, readFileSync(join(from, path)));
  return { folder, called: basename(from), from, absent: [] };
}

/** The files of a folder that can be installed. Throws a `GatherFailure` when there is one that cannot. */
export function listInstallable(from: string): readonly string[] {
  const { files, links, more } = listSkillFiles(from);
  if (links.length > 0)
    throw new GatherFailure(`${join(from, links[0] ?? '')} is a link, and links are not installed. Replace it with a copy of the file.`);
  if (more || files.length > BOUNDS.files)
    throw new GatherFailure(`${from} has more than ${BOUNDS.files} files, which is the limit for a skill.`);
  const room = roomIn(from);
  for (const { path, bytes } of files) room(path, bytes);
  return files.map(({ path }) => path);
}

function gatherFile(from: string, folder: string): GatheredSkill {
  const home = dirname(from);
  const room = roomIn(from);
  const read = (path: string): Buffer => {
    room(path, statSync(path).size);
    return readFileSync(path);
  };
  const page = read(from);
  put(folder, SKILL_FILE, page);
  const linked = few(collectLinkedPaths(page.toString('utf8')), from);
  const absent = linked.filter((path) => {
    const place = locate(home, path);
    if (!place.ok) throw new GatherFailure(`${from} refers to a file that cannot be installed: ${place.words}`);
    if (statSync(place.path, { throwIfNoEntry: false })?.isFile() !== true) return true;
    put(folder, path, read(place.path));
    return false;
  });
  return { folder, called: basename(from) === SKILL_FILE ? basename(home) : basename(from, '.md'), from, absent };
}

async function gatherUrl(urls: readonly string[], folder: string, signal: AbortSignal): Promise<GatheredSkill> {
  const { url, bytes } = await firstOf(urls, signal);
  const room = roomIn(url);
  room(SKILL_FILE, bytes.length);
  put(folder, SKILL_FILE, bytes);
  const absent: string[] = [];
  for (const path of few(collectLinkedPaths(bytes.toString('utf8')), url)) {
    const place = locate(folder, path);
    if (!place.ok) throw new GatherFailure(`${url} refers to a file that cannot be installed: ${place.words}`);
    const file = await download(new URL(path, url).href, BOUNDS.file, signal);
    if (!file.ok && !file.missing) throw new GatherFailure(file.words);
    if (!file.ok) absent.push(path);
    else {
      room(path, file.bytes.length);
      put(folder, path, file.bytes);
    }
  }
  return { folder, called: slugOf(url), from: url, absent };
}

async function firstOf(urls: readonly string[], signal: AbortSignal): Promise<{ readonly url: string; readonly bytes: Buffer }> {
  const tried: string[] = [];
  for (const url of urls) {
    const page = await download(url, BOUNDS.file, signal);
    if (page.ok) return { url, bytes: page.bytes };
    tried.push(page.words);
    if (!page.missing) break;
  }
  throw new GatherFailure(tried.join(' '));
}

const slugOf = (url: string): string => {
  const parts = new URL(url).pathname.split('/').filter((part) => part !== '');
  const last = parts.pop() ?? '';
  return last === SKILL_FILE ? (parts.pop() ?? '') : last.replace(/\.md$/, '');
};

const few = (paths: readonly string[], from: string): readonly string[] => {
  if (paths.length >= BOUNDS.files)
    throw new GatherFailure(`${from} refers to more than ${BOUNDS.files} files, which is the limit for a skill.`);
  return paths;
};

/** Counts what came and ends it when it is too much. */
function roomIn(from: string): (path: string, bytes: number) => void {
  let sum = 0;
  return (path, bytes) => {
    sum += bytes;
    if (bytes > BOUNDS.file) throw new GatherFailure(`${path} of ${from} has ${bytes} bytes; ${BOUNDS.file} are the most for one file.`);
    if (sum > BOUNDS.all) throw new GatherFailure(`The files of ${from} together have more than ${BOUNDS.all} bytes.`);
  };
}

function put(folder: string, path: string, bytes: Buffer): void {
  try {
    makeFolder(dirname(join(folder, path)));
    writeFileSync(join(folder, path), bytes, { mode: bytes.subarray(0, 2).toString() === '#!' ? 0o700 : 0o600, flag: 'wx' });
  } catch (error) {
    throw new GatherFailure(`${path} could not be kept in quarantine: ${toErrorMessage(error)}.`);
  }
}

/** What one skill may bring. */
const BOUNDS = {
  /** Bytes of one file, as for files the agent writes. */
  file: 1024 * 1024,
  /** Bytes of all files. */
  all: 8 * 1024 * 1024,
  files: 100,
  /** Skills of one folder of several. */
  skills: 50,
  /** How deep below a folder of several they are looked for. */
  levels: 3,
} as const;

/** A mention of a file below one of the folders for further files, not as the end of a longer path or address. */
const MENTION = new RegExp(`(?<![\\w/.:~-])(?:\\./)?((?:${SUPPORT.join('|')})/[\\w./-]*)`, 'g');

/** The files a page speaks of, in the order it does: links, code and plain words alike. */
export function collectLinkedPaths(text: string): readonly string[] {
  const found = [...text.replaceAll('${HERMES_SKILL_DIR}/', '').matchAll(MENTION)].map(([, path = '']) => path.replace(/[.\-/]+$/, ''));
  // Names without an ending are folders or figures of speech; hidden files are no part of a skill.
  return [...new Set(found)].filter((path) => /\/[^/]*[^/.]\.\w+$/.test(path) && !/\/\.(?!\.?(?:\/|$))/.test(path));
}
