import { resolve } from 'node:path';
import { isUnknown, MARK } from '../values/marks.ts';
import { compileMarkedGlob } from '../values/globs.ts';
import { holdsOwn, isOwn } from './own.ts';
import type { ShellContext } from './shell-context.ts';

/** Folders whose loss is the loss of the machine or of the owner's work. */
const SYSTEM = `
  / /home /root /etc /usr /var /bin /sbin /boot /lib /lib32 /lib64 /libx32 /opt /srv /dev /proc /sys /run /mnt /media /usr/bin
  /usr/sbin /usr/lib /usr/lib64 /usr/local /usr/share /usr/include /var/lib /var/log /var/spool /var/www /var/mail /boot/efi
  /sys/firmware/efi/efivars /lib/modules /usr/lib/modules /Users /System /Library /Applications /private /private/etc /private/var
  /Volumes /cores
`
  .trim()
  .split(/\s+/);
const DISK = /^\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|md|dm-|loop|nbd|r?disk|mapper\/|disk\/by-|sr\d|zd|ram\d|mtd|pmem|zvol)/;
const TEMPORARY = /^\/(?:(?:private\/)?(?:var\/)?tmp|dev\/shm)\/./;
/** Deeper paths are not compared: nothing guarded lies there. */
const LONGEST_GUARDED = 400;

/** The path a word stands for, globs still marked; `undefined` when that is only known when it runs. */
export function resolveTargetPath(word: string, place: ShellContext): string | undefined {
  const path = word.replace(/^~(?=\/|$)/, () => place.home).replace(/^file:\/\/(?=\/)/, '');
  if (isUnknown(path) || word === '' || (place.cwd === undefined && !path.startsWith('/'))) return undefined;
  const whole = resolve(place.cwd ?? '/', path);
  return place.real?.(whole) ?? whole;
}

/** The folder that is emptied when a path ends in globs that take everything. */
export const stripTrailingGlobs = (path: string): string =>
  path.replace(/(?:\/[.\uE001\uE002]*[\uE001\uE002][.\uE001\uE002]*)+$/, '') || '/';

/** Whether a deletion of this would take a system folder or a home folder, itself or all that is in it. */
export function isGuarded(word: string, place: ShellContext): boolean {
  const path = resolveTargetPath(word, place);
  return path !== undefined && [path, stripTrailingGlobs(path)].some((each) => coversGuarded(each, place));
}

function coversGuarded(path: string, place: ShellContext): boolean {
  if (path.length > LONGEST_GUARDED) return false;
  const guarded = [...SYSTEM, ...ancestors(place.home)];
  const pattern = compileMarkedGlob(path);
  if (pattern === undefined || guarded.some((each) => pattern.test(each))) return true;
  if (/^\/(?:home|Users)\/[^/]+$/.test(path)) return true;
  const seen = place.look?.(path);
  return seen?.kind === 'folder' && guarded.some((each) => same(place.look?.(each), seen));
}
const same = (one: { device: number; inode: number } | undefined, two: { device: number; inode: number }): boolean =>
  one !== undefined && one.device === two.device && one.inode === two.inode;

const ancestors = (path: string): string[] => {
  const parts = resolve(path).split('/');
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('/') || '/');
};

export const isDisk = (path: string): boolean => DISK.test(path);
export const isTemporary = (path: string): boolean => TEMPORARY.test(path) && stripTrailingGlobs(path) === path;

/** Whether a path lies in the working folder, or where nothing is meant to last. */
export function isExpendable(path: string | undefined, place: ShellContext): boolean {
  if (path === undefined || isOwn(path, place) || holdsOwn(stripTrailingGlobs(path), place)) return false;
  return isTemporary(path) || isInside(path, place);
}

/** Below the working folder. When that is a home or a system folder itself, it makes nothing expendable. */
export function isInside(path: string, place: ShellContext): boolean {
  if (isOwn(path, place)) return false;
  const base = place.real?.(resolve(place.base)) ?? resolve(place.base);
  return (
    base !== '/' &&
    base !== resolve(place.home) &&
    !SYSTEM.includes(base) &&
    path.startsWith(`${base}/`) &&
    stripTrailingGlobs(path) !== base
  );
}

/** The same, the working folder itself included: for what changes it without losing it. */
export const isHere = (path: string | undefined, place: ShellContext): boolean =>
  isExpendable(path, place) || (path !== undefined && isInside(`${path}/x`, place));

/** What a write of this reaches: a name that is not known counts as lying where the known part of it points. */
export function resolveReachedPath(word: string, place: ShellContext): string | undefined {
  const known = word.split(MARK.unknown)[0] ?? '';
  return isUnknown(word)
    ? known.includes('/') && !known.startsWith(MARK.unknown)
      ? resolveTargetPath(`${known}x`, place)
      : undefined
    : resolveTargetPath(word, place);
}
