import { resolve } from 'node:path';
import { isUnknown } from './marks.ts';
import type { Place } from './scene.ts';

/** Folders whose loss is the loss of the machine or of the owner's work. */
const SYSTEM = [
  '/',
  '/home',
  '/root',
  '/etc',
  '/usr',
  '/var',
  '/bin',
  '/sbin',
  '/boot',
  '/lib',
  '/lib64',
  '/opt',
  '/Users',
  '/System',
  '/Library',
];
const DEVICE = /^\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|md|dm-|loop|nbd|disk|rdisk|mapper\/|disk\/by-)/;

/** Whether a deletion of this would take a system folder or the home folder, itself or all that is in it. */
export function isGuarded(word: string, place: Place): boolean {
  const path = target(word, place);
  return path !== undefined && [...SYSTEM, resolve(place.home)].includes(emptied(path));
}

/** The path a word stands for; `undefined` when that is only known when it runs. */
export function target(word: string, { cwd, home }: Place): string | undefined {
  const path = word.replace(/^~(?=\/|$)/, home);
  if (isUnknown(path) || (cwd === undefined && !path.startsWith('/'))) return undefined;
  return resolve(cwd ?? '/', path);
}

/** The folder that is emptied when a path ends in a glob that takes everything. */
const emptied = (path: string): string => path.replace(/(?:\/[^\w/]*\*[^\w/]*)+$/, '') || '/';

export const isDisk = (path: string): boolean => DEVICE.test(path);

/** Whether a path lies in the working folder, or where nothing is meant to last. */
export const isExpendable = (path: string | undefined, folder: string): boolean =>
  path !== undefined && (path.startsWith(`${resolve(folder)}/`) || path.startsWith('/tmp/'));
