import type { MemoryProvider, MemoryScene, MemoryScope, RecalledFact, SyncedTurn } from '../../contracts/memory-provider.ts';

/** A provider on data of its own, with nothing in it yet. */
export interface StagedMemoryProvider extends AsyncDisposable {
  readonly provider: MemoryProvider;
  /** The profile's folder it was opened with. */
  readonly home: string;
  /** The same data, as after a restart; the provider that was there is closed first. */
  reopen(): Promise<MemoryProvider>;
  /** Waits until what the provider was told can be recalled; at once when left out. */
  settle?(): Promise<void>;
}
export type StageMemoryProvider = () => Promise<StagedMemoryProvider>;

export const OWNER: MemoryScope = { sessionId: '20260101_120000_aaaaaa', platform: 'cli', isOwner: true };
export const guest = (userId: string, chatId: string): MemoryScope => ({
  sessionId: `20260101_120000_${userId}`,
  platform: 'telegram',
  userId,
  chatId,
  isOwner: false,
});

export const sceneOf = (scope: MemoryScope, home: string, role: MemoryScene['role'] = 'primary'): MemoryScene => ({
  ...scope,
  home,
  profile: 'default',
  role,
});

/** A turn about something nobody else speaks of. */
export const turnAbout = (fact: string, scope: MemoryScope = OWNER, foreign: readonly string[] = []): SyncedTurn => ({
  ...scope,
  key: `turn-${fact.replaceAll(/\W+/g, '-')}`,
  turnId: `t-${fact.replaceAll(/\W+/g, '-')}`,
  at: Date.UTC(2026, 0, 1, 12),
  userMessage: `Please remember: ${fact}`,
  assistantResponse: `I will remember that ${fact}`,
  foreign,
});

export const NEVER: AbortSignal = new AbortController().signal;
const MAX_CHARS = 6_000;

/** Everything a provider recalls for these words; nothing where it recalls nothing at all. */
export const recalled = async (provider: MemoryProvider, query: string, scope: MemoryScope = OWNER): Promise<readonly RecalledFact[]> =>
  (await provider.recall?.(query, { ...scope, signal: NEVER, maxChars: MAX_CHARS })) ?? [];

/** Tells a turn and the end of its session, and waits until that counts. */
export async function learn(staged: StagedMemoryProvider, turn: SyncedTurn, provider = staged.provider): Promise<void> {
  const { sessionId, platform, userId, chatId, isGroup, isOwner } = turn;
  const scope: MemoryScope = {
    sessionId,
    platform,
    isOwner,
    ...(userId !== undefined && { userId }),
    ...(chatId !== undefined && { chatId }),
    ...(isGroup === true && { isGroup }),
  };
  await provider.initialize?.(sceneOf(scope, staged.home));
  await provider.syncTurn?.(turn, NEVER);
  await provider.sessionEnd?.({ ...scope, key: `end-${turn.key}`, reason: 'reset', turns: [turn] }, NEVER);
  await staged.settle?.();
}
