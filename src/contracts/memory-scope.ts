/** Who is spoken with, where: what is kept for one must not be recalled for another. */
export interface MemoryScope {
  readonly sessionId: string;
  /** Where the session is held: `cli`, `telegram`, `api_server`, `cron` … */
  readonly platform: string;
  /** Absent where the owner sits in front of it. */
  readonly userId?: string;
  /** Absent outside of chats. */
  readonly chatId?: string;
  /** Several people read along: what somebody said in private has no place here. */
  readonly isGroup?: true;
  /** The owner, or somebody the owner let in. */
  readonly isOwner: boolean;
}
