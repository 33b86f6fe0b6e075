/** Ways to speak that the owner can choose for a session. */
export interface PersonalityService {
  /** The owner's own, then ours; of two with one name the owner's. */
  list(): readonly PersonalityRow[];
  /** The one a session speaks with; absent when it is none. */
  current(sessionId: string): Promise<string | undefined>;
  /** From the next message on; with nothing, none. */
  choose(sessionId: string, name: string | undefined): Promise<void>;
}
export interface PersonalityRow {
  readonly name: string;
  readonly text: string;
  readonly from: 'settings' | 'built-in';
}
