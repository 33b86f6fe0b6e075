import { toErrorMessage } from '../../base/errors.ts';
import { runWithTimeout } from '../../base/waits.ts';
import type { MemoryProvider, MemoryProviderOptions, MemoryProviderRegistration } from '../../contracts/memory-provider.ts';
import { hindsightProvider } from './providers/hindsight/index.ts';
import { honchoProvider } from './providers/honcho/index.ts';
import { mem0Provider } from './providers/mem0/index.ts';
import { openVikingProvider } from './providers/openviking/index.ts';
import { supermemoryProvider } from './providers/supermemory/index.ts';
import { journalMemory } from './journal/index.ts';
import { sessionLogMemory } from './session-log.ts';

/** The built-in external memories by name. At most one is in use: the one that is named. */
export const MEMORY_PROVIDERS: Readonly<Record<string, MemoryProviderRegistration>> = {
  journal: journalMemory,
  session_log: { description: 'passages of earlier sessions that share words with a message', needsNoSetup: true, open: sessionLogMemory },
  mem0: mem0Provider,
  honcho: honchoProvider,
  supermemory: supermemoryProvider,
  hindsight: hindsightProvider,
  openviking: openVikingProvider,
};

/** Names in settings of the Python version, and what stands in their place here. */
const OTHER_NAMES: Readonly<Record<string, string>> = { builtin: '', none: '', holographic: 'journal' };

/** The name a setting means; empty for none. */
export const resolveProviderName = (name: string): string => OTHER_NAMES[name.trim()] ?? name.trim();

export type MemoryProviderOpening =
  | { readonly ok: true; readonly provider: MemoryProvider }
  /** `why` is for the owner: what is missing, and what to do. */
  | { readonly ok: false; readonly why: string; readonly provider?: MemoryProvider };

export type ProviderList = ReadonlyMap<string, MemoryProviderRegistration>;

/** One of a plugin is in the list while the plugin is enabled. */
export const describeUnknownProvider = (name: string, providers: ProviderList): string =>
  `there is no memory provider ${name}. Known: ${[...providers.keys()].join(', ')}. If a plugin brings it, the plugin must be enabled (hermes plugins list).`;

const SETUP = 'hermes memory setup';
/** A provider's own words may end as they like, and say what to type themselves. */
const withAdvice = (reason: string, name: string): string =>
  reason.includes(SETUP) ? reason : `${reason}${/[.!?]$/.test(reason) ? '' : '.'} To set it up: ${SETUP} --provider ${name}`;

/** How long making one may take. */
const OPEN_MS = 8_000;

/** Makes the provider of this name. One that cannot be had costs its memory, never the session. */
export async function openMemoryProvider(
  name: string,
  providers: ProviderList,
  options: MemoryProviderOptions,
): Promise<MemoryProviderOpening> {
  const known = providers.get(name);
  if (known === undefined) return { ok: false, why: `${describeUnknownProvider(name, providers)} To choose another: hermes memory setup` };
  const opening = Promise.try(() => known.open(options));
  try {
    const late = new Error(`it did not open within ${OPEN_MS / 1_000} s`);
    const provider = await runWithTimeout(() => opening, OPEN_MS, late);
    if (provider.available()) return { ok: true, provider };
    const reason = provider.unavailableReason?.() ?? 'it is not set up.';
    return { ok: false, provider, why: `the memory provider ${name} cannot be used: ${withAdvice(reason, name)}` };
  } catch (error) {
    // One that comes too late, or cannot say whether it is available, is nobody's: it is closed whenever it comes.
    void opening.then((unused) => unused.close?.()).catch(() => undefined);
    return { ok: false, why: `the memory provider ${name} could not be opened: ${toErrorMessage(error)}` };
  }
}
