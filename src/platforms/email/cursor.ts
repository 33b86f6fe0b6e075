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

const SCOPE = 'inbox';
const MAX_RECENT = 100;
const KEY_SIGNS = 10;

export const writeCursor = ({ validity, uid, at, recent }: FolderPosition): Cursor => ({
  scope: SCOPE,
  value: JSON.stringify([validity, uid, at, recent.join('')]),
});

/** `undefined` only at the very first start. */
export function readCursor(cursors: readonly Cursor[]): FolderPosition | undefined {
  const value = parseJson(cursors.find(({ scope }) => scope === SCOPE)?.value ?? 'null');
  if (!Array.isArray(value)) return undefined;
  const [validity, uid, at, recent] = value;
  if (typeof validity !== 'string' || typeof uid !== 'number' || typeof at !== 'number') return undefined;
  return { validity, uid, at, recent: typeof recent === 'string' ? (recent.match(/.{10}/g) ?? []) : [] };
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
