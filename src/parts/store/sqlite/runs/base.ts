import type { NewEntry } from '../../../../contracts/entry.ts';
import type { StoreChange } from '../../../../contracts/gateway-store.ts';
import type { InboxItem, NewInboxItem } from '../../../../contracts/inbox.ts';
import type { NewSession, Session } from '../../../../contracts/session.ts';
import type { Db } from '../database/db.ts';

/** What runs stand on. */
export interface RunStoreBase {
  readonly db: Db;
  readonly now: () => number;
  readonly tell: (change: StoreChange) => void;
  readonly log: RunSessions;
}
/** What they do in the log, inside their own transactions. */
export interface RunSessions {
  /** With what its log begins with. */
  begin(session: NewSession, seed?: readonly NewEntry[]): Session;
  find(sessionId: string): Session | undefined;
  post(item: NewInboxItem): InboxItem;
  copy(sessionId: string, throughSeq: number): Session;
}
