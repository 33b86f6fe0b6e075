import type { Admission, AdmissionResult, Taken } from '../../../../contracts/gateway-store.ts';
import type { Session } from '../../../../contracts/session.ts';
import { closeArrival, findBehind } from './arrivals.ts';
import type { GatewayBase } from './base.ts';
import { planDeliveries } from './deliveries.ts';
import { holdRow } from './line.ts';
import { currentKey } from './moved.ts';
import { findRoutedSession, rememberFacts, setRoute } from './routes.ts';

/** From an arrival to a message of a session, with all that goes with it. Runs inside one transaction, the fence first. */
export function admitArrival({ db, log }: GatewayBase, taken: Taken, given: Admission, now: number): AdmissionResult {
  const row = holdRow(db, 'arrival', taken);
  // The chat may have moved while the message was read.
  const admission = { ...given, routeKey: currentKey(db, given.routeKey) };
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
