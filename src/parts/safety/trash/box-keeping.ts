import { lstatSync, rmSync } from 'node:fs';
import { basename, dirname, relative, sep } from 'node:path';
import { UsageError } from '../../../base/errors.ts';
import { makeFolder } from '../../../base/folders.ts';
import { randomHex } from '../../../base/ids.ts';
import { listTrashBoxes, holdBoxDay, visitBoxPlaces, findSandboxRoot, type SandboxTrash, type BoxThing } from './boxes.ts';
import { clearDiscarded, discard } from './discard.ts';
import { copyForeign } from './foreign.ts';
import { holdFolder, holdSubfolder, type HeldFolder } from './held.ts';
import { CONTENT } from './meta.ts';
import { renameNew, existsError } from './move.ts';

const DAY_MS = 86_400_000;

/** Everything in the boxes that is believed. */
export function listBoxThings(trash: string, now: number): BoxThing[] {
  const found: BoxThing[] = [];
  for (const box of listTrashBoxes(trash, now)) visitBoxPlaces(box, ({ thing }) => thing !== undefined && found.push(thing));
  return found;
}

/** Brings a copy back to where it lay, or elsewhere, and takes it out of its box then. Throws when something is there already. */
export function restoreFromBox(trash: string, { box, day, name, path }: BoxThing, to: string | undefined): string {
  using folder = holdBoxDay(box, day);
  using place = folder && holdFolder(`${folder.path}/${name}`);
  if (folder === undefined || place === undefined) throw new UsageError(`what lay in ${path} is not in the trash any more.`);
  using above = to === undefined ? wayTo(box, path) : elsewhere(to);
  const target = `${above.path}/${basename(to ?? path)}`;
  if (lstatSync(target, { throwIfNoEntry: false }) !== undefined) throw existsError(to ?? path);
  const beside = `${above.path}/.hermes-${randomHex(12)}.tmp`;
  try {
    copyForeign(`${place.path}/${CONTENT}`, beside);
    renameNew(beside, target);
  } catch (error) {
    rmSync(beside, { recursive: true, force: true });
    throw error;
  }
  discard(trash, folder, name);
  return to ?? path;
}

/** From a folder of the sandbox down to where the thing lay. Inside of it links are the sandbox's, and may lead anywhere. */
function wayTo(box: SandboxTrash, path: string): HeldFolder {
  const root = findSandboxRoot(box, path) ?? '';
  if (root !== '') makeFolder(root, 0o777);
  const names = relative(root, dirname(path))
    .split(sep)
    .filter((part) => part !== '');
  const found = root === '' ? undefined : holdSubfolder(root, names, true);
  if (found !== undefined) return found;
  throw new UsageError(`the way to ${path} is blocked by a file or a link; restore to another place with --to PATH.`);
}

function elsewhere(to: string): HeldFolder {
  makeFolder(dirname(to), 0o777);
  const found = holdFolder(`${dirname(to)}/.`);
  if (found === undefined) throw new UsageError(`${dirname(to)} is not a folder; name another place with --to PATH.`);
  return found;
}

/** Deletes what is chosen, what nobody can believe or bring back after a day, and boxes that hold nothing and whose sandbox is gone. */
export function clearBoxes(trash: string, going: ReadonlySet<string> | 'all', now: number): void {
  clearDiscarded(trash);
  for (const box of listTrashBoxes(trash, now)) {
    visitBoxPlaces(box, ({ day, name, thing }) => {
      const goes = thing === undefined ? going === 'all' || isStale(day, name, now) : going === 'all' || going.has(thing.id);
      if (goes) discard(trash, day, name);
    });
    if (box.over && !holdsAnything(box)) dropBox(trash, box);
  }
}
const isStale = (day: HeldFolder, name: string, now: number): boolean =>
  (lstatSync(`${day.path}/${name}`, { throwIfNoEntry: false })?.ctimeMs ?? now) < now - DAY_MS;

function holdsAnything(box: SandboxTrash): boolean {
  let holds = false;
  visitBoxPlaces(box, () => (holds = true));
  return holds;
}

/** With whatever else the sandbox may have put in it. */
function dropBox(trash: string, box: SandboxTrash): void {
  using above = holdFolder(dirname(box.folder));
  if (above !== undefined) discard(trash, above, box.name);
}

/**
 * Which things of the boxes are too much: of the fullest box the oldest first, so that one sandbox cannot push out what
 * others deleted, however much it puts in.
 */
export function pickExcessThings(things: readonly BoxThing[], room: number, fresh: (thing: BoxThing) => boolean): Set<string> {
  const going = new Set<string>();
  const piles = Object.values(Object.groupBy(things, ({ box }) => box.name)).map((rows) => pileOf(rows ?? [], fresh));
  let total = piles.reduce((sum, { bytes }) => sum + bytes, 0);
  while (total > room) {
    const [fullest] = piles.filter(({ next }) => next.length > 0).toSorted((one, other) => other.bytes - one.bytes);
    const thing = fullest?.next.pop();
    if (fullest === undefined || thing === undefined) break;
    going.add(thing.id);
    fullest.bytes -= thing.bytes;
    total -= thing.bytes;
  }
  return going;
}
/** The oldest last, where it can be taken from. */
const pileOf = (rows: readonly BoxThing[], fresh: (thing: BoxThing) => boolean) => ({
  bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0),
  next: rows.filter((thing) => !fresh(thing)).toSorted((one, other) => other.at - one.at),
});
