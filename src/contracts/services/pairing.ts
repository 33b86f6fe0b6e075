/** Who was let in to chats, and who asks for it. */
export interface PairingService {
  list(): Promise<readonly PairingEntry[]>;
  /** By the code a person told, or by the id of the request. */
  approve(platform: string, code: string): Promise<PairingApproval>;
  /** `false` when the person was not paired. */
  revoke(platform: string, userId: string): Promise<boolean>;
  /** A code for somebody who is to type it. */
  invite(platform: string): Promise<PairingInvitation>;
}
/** A person who may speak (`paired`), one who asks (`pending`), or a code of the owner's that nobody has used yet (`invited`). */
export interface PairingEntry {
  readonly state: 'paired' | 'pending' | 'invited';
  readonly platform: string;
  /** Absent for a code that nobody has used. */
  readonly userId?: string;
  /** Chosen by whoever has it. */
  readonly name?: string;
  readonly at: number;
  /** Of a request: what `approve` takes in place of its code. */
  readonly id?: string;
  readonly expiresInMs?: number;
}
export type PairingApproval =
  | { readonly type: 'approved'; readonly person: { readonly platform: string; readonly userId: string; readonly name?: string } }
  | { readonly type: 'unknown' }
  | { readonly type: 'locked'; readonly waitMs: number };
export type PairingInvitation =
  | { readonly type: 'offered'; readonly code: string }
  | { readonly type: 'too_soon' | 'too_many' | 'locked'; readonly waitMs: number };
