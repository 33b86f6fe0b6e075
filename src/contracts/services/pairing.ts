import type { AccountRef, PersonRef } from '../gateway-store.ts';

/** Who was let in to chats, and who asks for it. */
export interface PairingService {
  list(): Promise<readonly PairingEntry[]>;
  /** By the code a person told, or by the id of the request. */
  approve(account: AccountRef, code: string): Promise<PairingApproval>;
  /** `false` when the person was not paired. */
  revoke(person: PersonRef): Promise<boolean>;
  /** A code for somebody who is to type it. */
  invite(account: AccountRef): Promise<PairingInvitation>;
}
/** A person who may speak (`paired`), one who asks (`pending`), or a code of the owner's that nobody has used yet (`invited`). */
export interface PairingEntry extends AccountRef {
  readonly state: 'paired' | 'pending' | 'invited';
  /** Absent for a code that nobody has used. */
  readonly userId?: string;
  /** Chosen by whoever has it. */
  readonly name?: string;
  readonly at: string;
  /** Of a request: what `approve` takes in place of its code. */
  readonly id?: string;
  readonly expiresInMs?: number;
}
export type PairingApproval =
  /** Whoever is let in is a guest. Without an owner nobody there can approve what the agent asks. */
  | { readonly type: 'approved'; readonly person: PersonRef & { readonly name?: string }; readonly hasOwner: boolean }
  | { readonly type: 'unknown' }
  | { readonly type: 'locked'; readonly waitMs: number };
export type PairingInvitation =
  | { readonly type: 'offered'; readonly code: string }
  | { readonly type: 'too_soon' | 'too_many' | 'locked'; readonly waitMs: number };
