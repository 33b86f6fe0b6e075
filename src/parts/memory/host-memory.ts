import { toErrorMessage } from '../../base/errors.ts';
import { runWithTimeout } from '../../base/waits.ts';
import type { ObserveCommit, SessionCommit } from '../../contracts/commits.ts';
import type { MemoryProvider, MemoryScene, MemoryScope } from '../../contracts/memory-provider.ts';
import { joinNonForeignText } from '../../contracts/message.ts';
import type { AdmitText } from '../../contracts/scan.ts';
import type { SessionStore } from '../../contracts/session-store.ts';
import { createProviderSlot, type OpenedMemory, type ProviderSlot, type ProviderSlotDeps } from './provider-slot.ts';
import { createSessionMemory, type SessionMemory } from './session-memory.ts';
import { createSwitchWatch } from './switches.ts';

/** A session that begins, or is opened again. */
export interface MemorySession {
  readonly scene: MemoryScene;
  /** The provider it is to have, as the settings name it. */
  readonly wanted: string;
  readonly notice: (words: string) => void;
  /** Others than the owner speak or read along. */
  readonly isShared: boolean;
  /** What it was made from. */
  readonly parent?: { readonly sessionId: string; readonly kind: string };
}

/**
 * The one memory provider of a host. It is opened with the first session that may have it and closed with the host; a second one,
 * by another name, is refused before it is opened. What takes its place in the registry takes it for new sessions: the one before
 * is closed first, and a session that had it goes on without recall and is told of as before.
 */
export interface HostMemory extends AsyncDisposable {
  /** The provider for a session; nothing when there is none, or when it could not begin. Never throws. */
  attach(session: MemorySession): Promise<SessionMemory | undefined>;
  /** Nobody holds this session here any more. */
  detach(sessionId: string): void;
  readonly observe: ObserveCommit;
  /** A child of a session is done. */
  delegated(sessionId: string, goal: string, result: string): void;
  /** The built-in memory was changed. */
  wrote(): void;
}

export interface HostMemoryDeps extends ProviderSlotDeps {
  readonly log: Pick<SessionStore, 'entries'>;
  readonly admit: () => Promise<AdmitText>;
  /** The owner lets guests have the memory, within their own scope. */
  readonly guests: boolean;
}

const INITIALIZE_MS = 8_000;

export function openHostMemory(deps: HostMemoryDeps): HostMemory {
  const { notice } = deps;
  const sessions = new Map<string, FollowedSession>();
  const switches = createSwitchWatch();
  const slot = createProviderSlot(deps);
  return {
    attach: async (session) => {
      const { scene, isShared } = session;
      const mayHave = (provider: MemoryProvider): boolean =>
        (!isShared && scene.isOwner) || (deps.guests && provider.servesGuests === true);
      const opened = await begin(slot, session, mayHave);
      if (opened === undefined) return undefined;
      const { provider } = opened;
      const scope = toScope(scene);
      if (scene.role === 'primary') {
        const isResumed = await follow(provider, scope, deps);
        sessions.set(scope.sessionId, { opened, scope });
        const change = switches.attached(scope, { isResumed, parent: session.parent });
        if (change !== undefined) tryTell(() => provider.sessionSwitch?.({ ...scope, ...change }), provider.name, notice);
      }
      const isOpen = (): boolean => slot.current() === opened;
      return createSessionMemory({ provider, scope, role: scene.role, isOpen, notice: session.notice, admit: deps.admit });
    },
    detach: (sessionId) => {
      switches.left(sessionId);
      sessions.delete(sessionId);
    },
    observe: (commit) => {
      const session = sessions.get(commit.sessionId);
      if (session === undefined) return;
      if (commit.change.end === 'reset' || commit.change.end === 'resumed_elsewhere') switches.left(commit.sessionId);
      if (slot.current() === session.opened) observeCommit(commit, session, notice);
      if (commit.change.end !== undefined || commit.entries.some(({ type }) => type === 'outcome')) slot.current()?.teller.wake();
    },
    delegated: (sessionId, goal, result) => {
      const session = sessions.get(sessionId);
      if (session === undefined || slot.current() !== session.opened) return;
      const { opened, scope } = session;
      tryTell(() => opened.provider.delegated?.({ ...scope, goal, result }), opened.provider.name, notice);
    },
    wrote: () => void slot.settled().then((opened) => opened?.teller.wake()),
    [Symbol.asyncDispose]: () => slot[Symbol.asyncDispose](),
  };
}

interface FollowedSession {
  readonly opened: OpenedMemory;
  readonly scope: MemoryScope;
  /** What it was asked last. */
  asked?: string;
}

/** One provider may take the place of another while a session begins; a second one in that time is a loop. */
const MAX_BEGINNINGS = 2;

/** The provider in use, once it is ready for this session; nothing when the session may not have it, or when it could not begin. */
async function begin(
  slot: ProviderSlot,
  session: MemorySession,
  mayHave: (provider: MemoryProvider) => boolean,
): Promise<OpenedMemory | undefined> {
  let problem: string | undefined;
  for (let each = 0; each < MAX_BEGINNINGS; each++) {
    const opened = await slot.use(session.wanted);
    if (opened === undefined || !mayHave(opened.provider)) return undefined;
    problem = await initialize(opened.provider, session.scene);
    const isCurrent = slot.current() === opened;
    if (isCurrent && problem === undefined) return opened;
    if (isCurrent) break;
    // Another session found something else in its place, and closed it: what it said of itself is no news any more.
    problem = 'it was replaced or turned off while the session began';
  }
  session.notice(`The memory ${session.wanted} is left out of this session: ${problem}`);
  return undefined;
}

/** What went wrong; nothing when it is ready. */
async function initialize(provider: MemoryProvider, scene: MemoryScene): Promise<string | undefined> {
  try {
    const late = new Error(`it was not ready within ${INITIALIZE_MS / 1_000} s`);
    await runWithTimeout(async () => provider.initialize?.(scene), INITIALIZE_MS, late);
    return undefined;
  } catch (error) {
    return toErrorMessage(error);
  }
}

/** From here on the provider is told of the session; what was said in it before is not. Gives whether anything was. */
async function follow(provider: MemoryProvider, scope: MemoryScope, { store, log, notice }: HostMemoryDeps): Promise<boolean> {
  try {
    const from = (await log.entries(scope.sessionId)).at(-1)?.seq ?? 0;
    if (provider.syncTurn !== undefined || provider.sessionEnd !== undefined)
      await store.memory.follow({ provider: provider.name, subject: scope.sessionId, from, scope });
    return from > 0;
  } catch (error) {
    notice(`The memory ${provider.name} will not be told of session ${scope.sessionId}: ${toErrorMessage(error)}`);
    return false;
  }
}

/** What nobody has to hear twice: a lost one costs a look ahead. */
function observeCommit({ entries }: SessionCommit, session: FollowedSession, notice: (words: string) => void): void {
  const { scope, opened } = session;
  const { provider } = opened;
  if (entries.some(({ type }) => type === 'compaction'))
    tryTell(() => provider.sessionSwitch?.({ ...scope, fromSessionId: scope.sessionId, reason: 'compaction' }), provider.name, notice);
  const asked = entries.findLast((entry) => entry.type === 'message' && entry.message.role === 'user' && entry.origin === 'user');
  if (asked?.type === 'message') session.asked = joinNonForeignText(asked.message);
  const words = session.asked ?? '';
  if (entries.some(({ type }) => type === 'outcome') && words !== '')
    tryTell(() => provider.queueRecall?.(words, scope), provider.name, notice);
}

/** Whatever a provider does with news, nobody waits for it. */
function tryTell(work: () => unknown, name: string, notice: (words: string) => void): void {
  Promise.try(work).catch((error: unknown) => notice(`The memory ${name} failed on something it was told: ${toErrorMessage(error)}`));
}

const toScope = ({ sessionId, platform, userId, chatId, isGroup, isOwner }: MemoryScene): MemoryScope => ({
  sessionId,
  platform,
  isOwner,
  ...(userId !== undefined && { userId }),
  ...(chatId !== undefined && { chatId }),
  ...(isGroup === true && { isGroup }),
});
