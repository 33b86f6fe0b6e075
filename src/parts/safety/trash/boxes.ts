import { existsSync, lstatSync, mkdirSync, readFileSync, realpathSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeFolder } from '../../../base/folders.ts';
import { randomHex } from '../../../base/ids.ts';
import { readPath, readNumberAt, parseJson, readStringAt } from '../../../base/json.ts';
import { isAlive, isNear, identifyOwnProcess } from '../../../base/process-identity.ts';
import { replaceFile } from '../../../base/replace-file.ts';
import { isWithin } from '../../../base/within.ts';
import { countForeignBytes, readForeignText } from './foreign.ts';
import { holdFolder, holdSubfolder, type HeldFolder } from './held.ts';
import { CONTENT, META, parseTrashMeta, type TrashMeta } from './meta.ts';

/**
 * The part of the trash that one sandbox writes: `boxes/<box>/things/<day>/<id>/`, all that it sees of the trash. Whatever
 * lies in there is its word alone. What is ours to know stands beside it, in `box.json`: where the sandbox may write, and
 * whose it is.
 */
export interface SandboxTrash {
  readonly name: string;
  readonly folder: string;
  /** Real paths of the folders its sandbox may write to: nothing in it can have lain elsewhere. */
  readonly roots: readonly string[];
  /** Its sandbox is gone. */
  readonly over: boolean;
}
/** Something in a box, as far as it is believed. */
export interface BoxThing extends TrashMeta {
  readonly id: string;
  readonly box: SandboxTrash;
  readonly day: string;
  readonly name: string;
}

const BOXES = 'boxes';
const ABOUT = 'box.json';
const THINGS = 'things';
const DAY_MS = 86_400_000;
/** More than `rm` ever writes, and less than would hold us up. */
const LONGEST_META = 16 * 1024;
const MAX_NAMES = 10_000;

/** For one sandbox: the folder it may see, and the way to leave it. One that holds nothing at the end is taken away. */
export function openBox(trash: string, roots: readonly string[]): { readonly folder: string; close(): void } {
  const box = join(trash, BOXES, `b${randomHex(8)}`);
  const folder = join(box, THINGS);
  makeFolder(join(trash, BOXES));
  mkdirSync(box, { mode: 0o700 });
  replaceFile(join(box, ABOUT), `${JSON.stringify({ roots, owner: identifyOwnProcess() })}\n`, 0o600);
  mkdirSync(folder, { mode: 0o700 });
  return { folder: realpathSync(folder), close: () => closeBox(box) };
}

function closeBox(box: string): void {
  using things = holdFolder(join(box, THINGS));
  for (const { name } of things?.items() ?? []) tryRemove(`${things?.path}/${name}`);
  if (things?.items().length === 0) rmSync(box, { recursive: true, force: true });
}
/** Days on which nothing stayed. */
function tryRemove(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Something stayed, or came meanwhile.
  }
}

export function listTrashBoxes(trash: string, now: number): SandboxTrash[] {
  using folder = holdFolder(join(trash, BOXES));
  return (folder?.items() ?? []).flatMap((item) => (item.isDirectory() ? [boxAt(join(trash, BOXES, item.name), item.name, now)] : []));
}

function boxAt(folder: string, name: string, now: number): SandboxTrash {
  const about = parseJson(existsSync(join(folder, ABOUT)) ? readFileSync(join(folder, ABOUT), 'utf8') : '');
  const roots = readPath(about, 'roots');
  const own = readPath(about, 'owner');
  const [pid, started] = [readNumberAt(own, 'pid'), readStringAt(own, 'started')];
  const [host, space] = [readStringAt(own, 'host'), readStringAt(own, 'space')];
  const known = pid !== undefined && started !== undefined && host !== undefined && space !== undefined;
  const near = known && isNear({ pid, started, host, space });
  // Whom we cannot ask, and what was cut off when it began, counts as there for a while.
  const over = near ? !isAlive({ pid, started }) : (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0) < now - 7 * DAY_MS;
  return { name, folder, over, roots: Array.isArray(roots) ? roots.filter((root) => typeof root === 'string') : [] };
}

export const holdBoxDay = ({ folder }: SandboxTrash, day: string): HeldFolder | undefined => holdSubfolder(join(folder, THINGS), [day]);

/** Every place in a box, with the folder that holds it: those that are believed as things, and others. */
export function visitBoxPlaces(box: SandboxTrash, visit: (place: BoxPlace) => void): void {
  using things = holdFolder(join(box.folder, THINGS));
  for (const day of subfolders(things).filter((name) => /^\d{8}$/.test(name))) {
    using folder = things && holdFolder(`${things.path}/${day}`);
    for (const name of subfolders(folder)) if (folder !== undefined) visit({ day: folder, name, thing: thingIn(box, day, folder, name) });
  }
}
export interface BoxPlace {
  readonly day: HeldFolder;
  readonly name: string;
  readonly thing: BoxThing | undefined;
}
const subfolders = (folder: HeldFolder | undefined): string[] =>
  (folder?.items() ?? []).flatMap((item) => (item.isDirectory() ? [item.name] : [])).slice(0, MAX_NAMES);

/** A name becomes part of an id that people read and type. */
const NAME = /^[\w-]{1,64}$/;

/** Its words are believed as far as the sandbox could have done it: a path where it may write, a time that has been, a size that is. */
function thingIn(box: SandboxTrash, day: string, folder: HeldFolder, name: string): BoxThing | undefined {
  using place = NAME.test(name) ? holdFolder(`${folder.path}/${name}`) : undefined;
  const said = place && parseTrashMeta(readForeignText(`${place.path}/${META}`, LONGEST_META) ?? '');
  if (place === undefined || said === undefined || findSandboxRoot(box, said.path) === undefined) return undefined;
  if (lstatSync(`${place.path}/${CONTENT}`, { throwIfNoEntry: false }) === undefined) return undefined;
  const since = Math.min(said.at, Math.floor(statSync(place.path).ctimeMs));
  return { id: `${box.name}.${name}`, box, day, name, path: said.path, at: since, bytes: countForeignBytes(`${place.path}/${CONTENT}`) };
}

/** The outermost folder of the sandbox that holds a path; the way to that one was never open to it. */
export const findSandboxRoot = (box: SandboxTrash, path: string): string | undefined =>
  resolve(path) === path && !path.includes('\0')
    ? box.roots.toSorted((one, other) => one.length - other.length).find((root) => root !== path && isWithin(root, path))
    : undefined;
