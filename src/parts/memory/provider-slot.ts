import { toErrorMessage } from '../../base/errors.ts';
import { waitAtMost } from '../../base/waits.ts';
import type { MemoryProvider, MemoryProviderRegistration } from '../../contracts/memory-provider.ts';
import type { MemoryProviderOpening, ProviderList } from './open-provider.ts';
import { openMemoryTeller, WRITES, type MemoryTeller, type TellerDeps } from './teller.ts';

/** A provider at work, with who tells it what happened. */
export interface OpenedMemory extends AsyncDisposable {
  readonly provider: MemoryProvider;
  readonly teller: MemoryTeller;
}

/**
 * The place of the one provider that is open. Two at once would take the same cursors, and the one that is dead would keep the
 * other from them: so one is closed before the next is opened, and whoever asks meanwhile waits.
 */
export interface ProviderSlot extends AsyncDisposable {
  /** The provider that stands under this name now; nothing when there is none, when it cannot be opened, when another is in use, or once the slot is closed. Never throws. */
  use(name: string): Promise<OpenedMemory | undefined>;
  /** The one that is open. */
  current(): OpenedMemory | undefined;
  /** The same, once what is being opened is open. */
  settled(): Promise<OpenedMemory | undefined>;
}

export interface ProviderSlotDeps extends Pick<TellerDeps, 'store' | 'readWrites' | 'now' | 'notice'> {
  /** Those that stand in the list of the host at this moment. */
  readonly providers: () => ProviderList;
  readonly open: (name: string, providers: ProviderList) => Promise<MemoryProviderOpening>;
  /** Where the ledger of changes ends now. */
  readonly writesEnd: () => number;
}

/** A provider that did not open is left alone for so long: one that hangs would cost every new session the whole wait. */
const RETRY_MS = 60_000;
const CLOSE_MS = 1_000;
/** The first request goes out before anything is told. */
const FIRST_TELLING_MS = 250;

interface UsedProvider {
  readonly name: string;
  readonly registration: MemoryProviderRegistration | undefined;
  readonly opened: OpenedMemory;
}

export function createProviderSlot(deps: ProviderSlotDeps): ProviderSlot {
  const told = new Set<string>();
  const tellOnce = (words: string): void => {
    if (!told.has(words)) deps.notice(words);
    told.add(words);
  };
  let used: UsedProvider | undefined;
  let failed: { readonly registration: MemoryProviderRegistration; readonly until: number } | undefined;
  let isClosed = false;
  let last: Promise<unknown> = Promise.resolve();
  const close = async (): Promise<void> => {
    const before = used?.opened;
    used = undefined;
    await before?.[Symbol.asyncDispose]();
  };
  const find = async (name: string): Promise<OpenedMemory | undefined> => {
    // Nobody would close what is opened from here on.
    if (isClosed) return undefined;
    if (used !== undefined && deps.providers().get(used.name) !== used.registration) await close();
    if (used?.name === name) return used.opened;
    if (used !== undefined) {
      tellOnce(describeSecond(name, used.name));
      return undefined;
    }
    const providers = deps.providers();
    const registration = providers.get(name);
    if (registration !== undefined && registration === failed?.registration && deps.now() < failed.until) return undefined;
    const opened = await open(name, providers, deps, tellOnce);
    failed = opened === undefined && registration !== undefined ? { registration, until: deps.now() + RETRY_MS } : undefined;
    if (opened !== undefined) used = { name, registration, opened };
    return opened;
  };
  return {
    use: (name) => {
      const found = last.then(() => find(name));
      last = found;
      return found;
    },
    current: () => used?.opened,
    settled: async () => {
      await last;
      return used?.opened;
    },
    [Symbol.asyncDispose]: async () => {
      isClosed = true;
      await last;
      await close();
    },
  };
}

const describeSecond = (second: string, first: string): string =>
  `The memory provider ${second} is not used: ${first} is in use here, and there can be only one. To use ${second}, restart the program.`;

/** Opens a provider, or says why there is none. */
async function open(
  name: string,
  providers: ProviderList,
  deps: ProviderSlotDeps,
  tellOnce: (words: string) => void,
): Promise<OpenedMemory | undefined> {
  const result = await deps.open(name, providers);
  if (!result.ok) {
    tellOnce(`No memory provider is used: ${result.why}`);
    await closeProvider(result.provider);
    return undefined;
  }
  const { provider } = result;
  try {
    const teller = await beginTelling(provider, deps);
    return {
      provider,
      teller,
      [Symbol.asyncDispose]: async () => {
        await teller[Symbol.asyncDispose]();
        await closeProvider(provider);
      },
    };
  } catch (error) {
    tellOnce(`No memory provider is used: how far ${name} was told cannot be looked up: ${toErrorMessage(error)}`);
    await closeProvider(provider);
    return undefined;
  }
}

/** Whom it is told of: what a kill cut off in earlier processes comes first. */
async function beginTelling(provider: MemoryProvider, deps: ProviderSlotDeps): Promise<MemoryTeller> {
  const { store, readWrites, notice, now, writesEnd } = deps;
  const mirrors = provider.wrote !== undefined && readWrites !== undefined;
  if (mirrors) await store.memory.follow({ provider: provider.name, subject: WRITES, from: writesEnd() });
  const teller = openMemoryTeller({ provider, store, notice, now, ...(mirrors && { readWrites }) });
  setTimeout(() => teller.wake(), FIRST_TELLING_MS).unref();
  return teller;
}

async function closeProvider(provider: MemoryProvider | undefined): Promise<void> {
  if (provider?.close !== undefined)
    await waitAtMost(
      Promise.try(() => provider.close?.()).catch(() => undefined),
      CLOSE_MS,
    );
}
