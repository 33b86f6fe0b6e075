import type { Admission, AdmissionResult, Taken } from '../../../../contracts/gateway-store.ts';
import type { Session } from '../../../../contracts/session.ts';
import { StoreError } from '../../../../contracts/session-store.ts';
import type { Db } from '../database/db.ts';
import { closeArrival } from './arrivals.ts';
import type { GatewayBase } from './base.ts';
import { planDeliveries } from './deliveries.ts';
import { holdRow, type HeldRow } from './line.ts';
import { findRoutedSession, rememberFacts, setRoute } from './routes.ts';

/** From an arrival to a message of a session, with all that goes with it. Runs inside one transaction, the fence first. */
export function admitArrival({ db, log }: GatewayBase, taken: Taken, admission: Admission, now: number): AdmissionResult {
  const row = holdRow(db, 'arrival', taken);
  const parts = (admission.with ?? []).map((id) => findBehind(db, row, id));
  const led = findRoutedSession(db, admission.routeKey);
  const known = led === undefined ? undefined : log.find(led);
  const begun: Session = known ?? log.begin(admission.session);
  const item = log.post({ ...admission.item, sessionId: begun.id });
  const goal = { sessionId: begun.id, itemId: item.id };
  setRoute(db, admission, begun.id, now);
  if (admission.facts !== undefined) rememberFacts(db, admission.routeKey, admission.facts, now);
  for (const part of parts) closeArrival(db, part, { state: 'merged', goal }, now);
  closeArrival(db, row, { state: 'admitted', goal }, now);
  planDeliveries(db, admission.deliveries ?? [], now);
  return { session: log.find(begun.id) ?? begun, item, began: known === undefined };
}

/** Whoever has the first of a line has the line: nobody else can have the others. */
function findBehind(db: Db, { n, platform, account, chat }: HeldRow, id: string): HeldRow {
  const sql = `SELECT n, platform, account, chat FROM arrivals
    WHERE id = ? AND platform = ? AND account = ? AND chat = ? AND over_at IS NULL AND n > ?`;
  const row = db.get<HeldRow>(sql, id, platform, account, chat, n);
  if (row !== undefined) return row;
  throw new StoreError('missing', `Arrival ${id} cannot be part of this message: it does not wait behind it in the same chat.`);
}
