import { toErrorMessage } from '../../base/errors.ts';
import { runWithTimeout, waitAtMost } from '../../base/waits.ts';
import type { ObserveCommit, SessionCommit } from '../../contracts/commits.ts';
import type { MemoryProvider, MemoryProviderRegistration, MemoryScene, MemoryScope } from '../../contracts/memory-provider.ts';
import { joinNonForeignText } from '../../contracts/message.ts';
import type { AdmitText } from '../../contracts/scan.ts';
import type { SessionStore } from '../../contracts/session-store.ts';
import type { MemoryProviderOpening } from './open-provider.ts';
import { createSessionMemory, type SessionMemory } from './session-memory.ts';
import { createSwitchWatch } from './switches.ts';
import { openMemoryTeller, WRITES, type MemoryTeller, type TellerDeps } from './teller.ts';

/** Which provider a session is to have, as the settings and registries said when it was opened. */
export interface WantedProvider {
  readonly name: string;
  readonly registration: MemoryProviderRegistration | undefined;
}
/** A session that begins, or is opened again. */
export interface MemorySession {
  readonly scene: MemoryScene;
  readonly wanted: WantedProvider;
  readonly notice: (words: string) => void;
  /** Others than the owner speak or read along. */
  readonly isShared: boolean;
  /** What it was made from. */
  readonly parent?: { readonly sessionId: string; readonly kind: string };
}

/**
 * The one memory provider of a host. It is opened with the first session that may have it and closed with the host; a second one,
 * by another name, is refused before it is opened. What takes its place in the registry takes it for new sessions.
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

export interface HostMemoryDeps extends Pick<TellerDeps, 'store' | 'readWrites' | 'now'> {
  /** Makes the provider; called once. */
  readonly open: (wanted: WantedProvider) => Promise<MemoryProviderOpening>;
  /** Where the ledger of changes ends now. */
  readonly writesEnd: () => number;
  readonly log: Pick<SessionStore, 'entries'>;
  readonly admit: () => Promise<AdmitText>;
  readonly notice: (words: string) => void;
  /** The owner lets guests have the memory, within their own scope. */
  readonly guests: boolean;
}

const INITIALIZE_MS = 8_000;
const CLOSE_MS = 1_000;
/** The first request goes out before anything is told. */
const FIRST_TELLING_MS = 250;

export function openHostMemory(deps: HostMemoryDeps): HostMemory {
  const { notice } = deps;
  const sessions = new Map<string, FollowedSession>();
  const switches = createSwitchWatch();
  const providers = new Map<MemoryProviderRegistration, Promise<OpenedMemory | undefined>>();
  const told = new Set<string>();
  const tellOnce = (words: string): void => {
    if (!told.has(words)) notice(words);
    told.add(words);
  };
  let name: string | undefined;
  const find = async (wanted: WantedProvider): Promise<OpenedMemory | undefined> => {
    const { registration } = wanted;
    if (name !== undefined && name !== wanted.name) {
      tellOnce(describeSecond(wanted.name, name));
      return undefined;
    }
    if (registration === undefined) return open(wanted, deps, tellOnce);
    name = wanted.name;
    const opening = providers.get(registration) ?? open(wanted, deps, tellOnce);
    providers.set(registration, opening);
    return opening;
  };
  return {
    attach: async (session) => {
      const { scene, isShared } = session;
      const opened = await find(session.wanted);
      if (opened === undefined) return undefined;
      const { provider } = opened;
      if ((isShared || !scene.isOwner) && !(deps.guests && provider.servesGuests === true)) return undefined;
      if (!(await initialize(provider, session))) return undefined;
      const scope = toScope(scene);
      if (scene.role === 'primary') {
        const isResumed = await follow(provider, scope, deps);
        sessions.set(scope.sessionId, { ...opened, scope });
        const change = switches.attached(scope, { isResumed, parent: session.parent });
        if (change !== undefined) tryTell(() => provider.sessionSwitch?.({ ...scope, ...change }), provider.name, notice);
      }
      return createSessionMemory({ provider, scope, role: scene.role, notice: session.notice, admit: deps.admit });
    },
    detach: (sessionId) => {
      switches.left(sessionId);
      sessions.delete(sessionId);
    },
    observe: (commit) => {
      const session = sessions.get(commit.sessionId);
      if (session === undefined) return;
      if (commit.change.end === 'reset' || commit.change.end === 'resumed_elsewhere') switches.left(commit.sessionId);
      observeCommit(commit, session, notice);
      if (commit.change.end !== undefined || commit.entries.some(({ type }) => type === 'outcome')) session.teller.wake();
    },
    delegated: (sessionId, goal, result) => {
      const session = sessions.get(sessionId);
      if (session === undefined) return;
      const { provider, scope } = session;
      tryTell(() => provider.delegated?.({ ...scope, goal, result }), provider.name, notice);
    },
    wrote: () => void Promise.all(providers.values()).then((all) => all.forEach((opened) => opened?.teller.wake())),
    [Symbol.asyncDispose]: async () => {
      for (const opened of await Promise.all(providers.values())) await opened?.[Symbol.asyncDispose]();
    },
  };
}

/** A provider at work, with who tells it what happened. */
interface OpenedMemory extends AsyncDisposable {
  readonly provider: MemoryProvider;
  readonly teller: MemoryTeller;
}
interface FollowedSession extends Pick<OpenedMemory, 'provider' | 'teller'> {
  readonly scope: MemoryScope;
  /** What it was asked last. */
  asked?: string;
}

const describeSecond = (second: string, first: string): string =>
  `The memory provider ${second} is not used: ${first} is in use here, and there can be only one. To use ${second}, restart the program.`;

/** Opens a provider, or says why there is none. */
async function open(wanted: WantedProvider, deps: HostMemoryDeps, tellOnce: (words: string) => void): Promise<OpenedMemory | undefined> {
  const result = await deps.open(wanted);
  if (!result.ok) {
    tellOnce(`No memory provider is used: ${result.why}`);
    await closeProvider(result.provider);
    return undefined;
  }
  const { provider } = result;
  const teller = await beginTelling(provider, deps);
  return {
    provider,
    teller,
    [Symbol.asyncDispose]: async () => {
      await teller[Symbol.asyncDispose]();
      await closeProvider(provider);
    },
  };
}

/** Whom it is told of: what a kill cut off in earlier processes comes first. */
async function beginTelling(provider: MemoryProvider, deps: HostMemoryDeps): Promise<MemoryTeller> {
  const { store, readWrites, notice, now, writesEnd } = deps;
  const mirrors = provider.wrote !== undefined && readWrites !== undefined;
  if (mirrors) await store.memory.follow({ provider: provider.name, subject: WRITES, from: writesEnd() });
  const teller = openMemoryTeller({ provider, store, notice, now, ...(mirrors && { readWrites }) });
  setTimeout(() => teller.wake(), FIRST_TELLING_MS).unref();
  return teller;
}

async function initialize(provider: MemoryProvider, { scene, notice }: MemorySession): Promise<boolean> {
  try {
    const late = new Error(`it was not ready within ${INITIALIZE_MS / 1_000} s`);
    await runWithTimeout(async () => provider.initialize?.(scene), INITIALIZE_MS, late);
    return true;
  } catch (error) {
    notice(`The memory ${provider.name} is left out of this session: ${toErrorMessage(error)}`);
    return false;
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
  const { provider, scope } = session;
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

async function closeProvider(provider: MemoryProvider | undefined): Promise<void> {
  if (provider?.close !== undefined)
    await waitAtMost(
      Promise.try(() => provider.close?.()).catch(() => undefined),
      CLOSE_MS,
    );
}

const toScope = ({ sessionId, platform, userId, chatId, isGroup, isOwner }: MemoryScene): MemoryScope => ({
  sessionId,
  platform,
  isOwner,
  ...(userId !== undefined && { userId }),
  ...(chatId !== undefined && { chatId }),
  ...(isGroup === true && { isGroup }),
});
