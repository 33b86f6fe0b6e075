import { basename, dirname } from 'node:path';

/**
 * A file that was sent to a session has a name that nobody else gives: its own, shortened, and a mark of what is in it, or of
 * chance. So others may use the folder it lies in, and only what is ours there is ever removed.
 */
export const nameReceived = (stem: string, mark: string, ending: string): string => `${stem}-${mark}${ending}`;
export const isReceivedName = (name: string): boolean => /-[0-9a-f]{8}(?:[0-9a-f]{16})?(?:\.[a-z0-9.]+)?$/.test(name);

/**
 * What commands call the folder with files that were sent to a session, where they run elsewhere and see copies of it: below
 * the home there, whatever that is. Two sessions that share a home do not share it.
 */
export const nameFarReceived = (folder: string): string => `~/.hermes/received/${basename(dirname(folder))}`;
