import type { Json } from '../../base/json-types.ts';
import { parseJson } from '../../base/json.ts';
import type { Cursor } from '../../contracts/platform-adapter.ts';

/** How far a folder was received. */
export interface FolderPosition {
  /** While it is the same, a number means the same mail. */
  readonly validity: string;
  readonly uid: number;
  /** When the latest mail that was received came to the folder. */
  readonly at: number;
  /** Keys of the latest ones, shortened. */
  readonly recent: readonly string[];
}
/** A mail that was begun and not read to its end. */
export interface Unfinished {
  readonly times: number;
  /** When it was begun for the first time. */
  readonly since: number;
}
/** Whoever dies of a mail remembers nothing of it. So it is written down before, with how often each was begun and not ended. */
export interface ReadingNote {
  /** Of the folder in which the numbers mean these mails. */
  readonly validity: string;
  readonly unfinished: ReadonlyMap<number, Unfinished>;
}

const SCOPE = 'inbox';
const MAX_RECENT = 100;
const KEY_SIGNS = 10;

export function writeCursor({ validity, uid, at, recent }: FolderPosition, reading?: ReadingNote): Cursor {
  const note =
    reading === undefined ? [] : [[reading.validity, ...[...reading.unfinished].map(([mail, { times, since }]) => [mail, times, since])]];
  return { scope: SCOPE, value: JSON.stringify([validity, uid, at, recent.join(''), ...note]) };
}

/** `undefined` only at the very first start. */
export function readCursor(cursors: readonly Cursor[]): FolderPosition | undefined {
  const [validity, uid, at, recent] = readParts(cursors);
  if (typeof validity !== 'string' || typeof uid !== 'number' || typeof at !== 'number') return undefined;
  return { validity, uid, at, recent: typeof recent === 'string' ? (recent.match(/.{10}/g) ?? []) : [] };
}

/** What was being read when the last note was written, in this folder. */
export function readUnfinished(cursors: readonly Cursor[], { validity }: { readonly validity: string }): Map<number, Unfinished> {
  const note = readParts(cursors)[4];
  const [of, ...rest] = Array.isArray(note) ? note : [];
  return new Map((of === validity ? rest : []).flatMap(readMailNote));
}
function readMailNote(note: Json): (readonly [uid: number, Unfinished])[] {
  const [uid, times, since] = Array.isArray(note) ? note : [];
  return typeof uid === 'number' && typeof times === 'number' && typeof since === 'number' ? [[uid, { times, since }]] : [];
}

function readParts(cursors: readonly Cursor[]): readonly Json[] {
  const value = parseJson(cursors.find(({ scope }) => scope === SCOPE)?.value ?? 'null');
  return Array.isArray(value) ? value : [];
}

/** After a mail was received, or left aside. */
export const advance = (
  before: FolderPosition,
  mail: { readonly uid: number; readonly at: number; readonly key: string },
): FolderPosition => ({
  validity: before.validity,
  uid: Math.max(before.uid, mail.uid),
  at: Math.max(before.at, mail.at),
  recent: [...before.recent, mail.key.slice(0, KEY_SIGNS)].slice(-MAX_RECENT),
});

/** Clocks and queues of servers differ by so much. */
const SLACK_MS = 3_600_000;
/** Mails that came before were received under their old numbers. */
export const oldestNew = ({ at }: FolderPosition): number => at - SLACK_MS;
export const isReceived = ({ recent }: FolderPosition, key: string): boolean => recent.includes(key.slice(0, KEY_SIGNS));

/** Numbers mean nothing any more: the server made the folder anew, or brought an older state of it back. */
export const isStale = (position: FolderPosition, folder: { readonly validity: string; readonly nextUid: number }): boolean =>
  position.validity !== folder.validity || position.uid >= folder.nextUid;
