import type { ProcessIdentity } from '../../../../base/process-identity.ts';
import type { StoreChange } from '../../../../contracts/gateway-store.ts';
import type { InboxItem, NewInboxItem } from '../../../../contracts/inbox.ts';
import type { NewSession, Session } from '../../../../contracts/session.ts';
import type { Db } from '../database/db.ts';

/** What a gateway's part of the store stands on. */
export interface GatewayBase {
  readonly db: Db;
  readonly now: () => number;
  /** Which process this is. */
  readonly me: () => RowHolder;
  readonly tell: (change: StoreChange) => void;
  readonly log: GatewaySessions;
}
/** What it does in the log, inside its own transactions. */
export interface GatewaySessions {
  begin(session: NewSession): Session;
  find(sessionId: string): Session | undefined;
  post(item: NewInboxItem): InboxItem;
}
export type RowHolder = Pick<ProcessIdentity, 'host' | 'pid' | 'started'> & Partial<Pick<ProcessIdentity, 'space'>>;
