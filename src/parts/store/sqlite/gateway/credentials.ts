import type { CredentialLease, CredentialLeaseResult } from '../../../../contracts/gateway-store.ts';
import type { Db } from '../database/db.ts';
import type { GatewayBase } from './base.ts';
import { isDead, nameProcess } from './holders.ts';

interface LeaseRow {
  readonly token: number;
  readonly holder: string | null;
  readonly process: string | null;
  readonly lease: number;
}

/** One connection has a credential. Whoever brings the token of its lease renews it, even late, as long as nobody else came. */
export function leaseCredential({ db, me }: GatewayBase, wanted: CredentialLease, now: number): CredentialLeaseResult {
  const row = db.get<LeaseRow>('SELECT token, holder, process, lease FROM credential_leases WHERE identity = ?', wanted.identity);
  const isOwn = row?.holder != null && row.token === wanted.token;
  const isLost = row?.holder === wanted.holder && wanted.token === undefined;
  if (row?.holder != null && !isOwn && !isLost && row.lease > now && !(row.process !== null && isDead(row.process, me())))
    return { ok: false, holder: row.holder };
  const token = isOwn ? row.token : (row?.token ?? 0) + 1;
  const sql = 'INSERT OR REPLACE INTO credential_leases (identity, token, holder, process, lease) VALUES (?, ?, ?, ?, ?)';
  db.run(sql, wanted.identity, token, wanted.holder, nameProcess(me()), now + wanted.leaseMs);
  return { ok: true, token };
}

export function releaseCredential(db: Db, identity: string, token: number): void {
  db.run('UPDATE credential_leases SET holder = NULL, process = NULL, lease = 0 WHERE identity = ? AND token = ?', identity, token);
}
