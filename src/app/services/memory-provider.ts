import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { isUsageError, toErrorMessage, UsageError } from '../../base/errors.ts';
import { resolveHome } from '../../base/home.ts';
import { toProfileName } from '../../base/profile.ts';
import { runWithTimeout } from '../../base/waits.ts';
import type { ExportedFact, MemoryProvider } from '../../contracts/memory-provider.ts';
import type { SessionStore } from '../../contracts/session-store.ts';
import type { ConfigurationService } from '../../contracts/services/configuration.ts';
import type { MemoryProviderService, MemoryProviderStatus } from '../../contracts/services/memory-provider.ts';
import type { ServiceOptions } from '../../contracts/services/services.ts';
import { mergeEnvironment } from '../../parts/config/environment.ts';
import {
  describeUnknownProvider,
  openMemoryProvider,
  resolveProviderName,
  type MemoryProviderOpening,
} from '../../parts/memory/open-provider.ts';
import { loadConfig } from '../config/config.ts';
import { toProviderOptions } from '../host/memory.ts';
import { makeHome } from '../host/store.ts';

const STATUS_MS = 10_000;

export interface MemoryProviderDeps {
  readonly store: () => Promise<SessionStore>;
  readonly configuration: () => Promise<ConfigurationService>;
}

/** Every call reads the settings anew: an earlier one may have changed them. */
export function createMemoryProviderService(options: ServiceOptions, deps: MemoryProviderDeps): MemoryProviderService {
  const { registered } = options;
  const active = async (): Promise<string> => resolveProviderName((await readHome(options)).config.settings['memory.provider']);
  const using = async <Result>(work: (provider: MemoryProvider, name: string) => Promise<Result>): Promise<Result> => {
    const name = await active();
    if (name === '') throw new UsageError('no memory provider is in use. To choose one: hermes memory setup');
    return withProvider(name, options, deps, async (opening) => {
      if (!opening.ok) throw new UsageError(opening.why);
      try {
        await opening.provider.initialize?.(describeVisit(options));
        return await work(opening.provider, name);
      } catch (error) {
        throw isUsageError(error) ? error : new UsageError(`the memory provider ${name}: ${toErrorMessage(error)}`);
      }
    });
  };
  return {
    list: async () => {
      const name = await active();
      return [...registered.memoryProviders].map(([each, { description }]) => ({ name: each, description, isActive: each === name }));
    },
    fields: (name) =>
      withProvider(refuseUnknown(name, options), options, deps, async ({ provider, ...opening }) => {
        if (provider === undefined) throw new UsageError('why' in opening ? opening.why : `${name} could not be opened.`);
        const env = mergeEnvironment(resolveHome(options.processEnv).env, options.processEnv);
        return (provider.configFields?.() ?? []).map((field) => ({
          ...field,
          isSet: field.env_var !== undefined && (env[field.env_var] ?? '') !== '',
        }));
      }),
    setUp: async (name, values) => {
      const variables = await save(refuseUnknown(name, options), values, options, deps);
      await (await deps.configuration()).change({ 'memory.provider': name });
      return withProvider(name, options, deps, async (opening) => ({
        provider: name,
        variables,
        ok: opening.ok,
        ...(!opening.ok && { trouble: opening.why }),
      }));
    },
    turnOff: async () => {
      const was = await active();
      await (await deps.configuration()).unset('memory.provider');
      return { was };
    },
    status: async (signal) => {
      const name = await active();
      if (name === '') return { provider: '', ok: true };
      return withProvider(name, options, deps, (opening) => describeStatus(name, opening, options, deps, signal));
    },
    exportFacts: () =>
      using(async (provider, name) => {
        if (provider.exportFacts === undefined) throw new UsageError(`the memory provider ${name} cannot export what it knows.`);
        return Array.fromAsync<ExportedFact>(provider.exportFacts());
      }),
    importFacts: (facts) =>
      using(async (provider, name) => {
        if (provider.importFacts === undefined) throw new UsageError(`the memory provider ${name} cannot import facts.`);
        return provider.importFacts(oneByOne(facts));
      }),
  };
}

async function* oneByOne(facts: readonly ExportedFact[]): AsyncGenerator<ExportedFact> {
  yield* facts;
}

async function readHome({ processEnv, notice, registered }: ServiceOptions) {
  const home = resolveHome(processEnv);
  makeHome(home);
  const env = mergeEnvironment(home.env, processEnv);
  return { home, env, config: await loadConfig(home.config, env, notice, registered) };
}

function refuseUnknown(name: string, { registered }: ServiceOptions): string {
  if (!registered.memoryProviders.has(name)) throw new UsageError(describeUnknownProvider(name, registered.memoryProviders));
  return name;
}

/** Opens a provider, with what the settings say now, for one piece of work. */
async function withProvider<Result>(
  name: string,
  options: ServiceOptions,
  { store }: MemoryProviderDeps,
  work: (opening: MemoryProviderOpening) => Promise<Result>,
): Promise<Result> {
  const parts = { ...(await readHome(options)), log: await store(), notice: options.notice };
  const opening = await openMemoryProvider(name, options.registered.memoryProviders, toProviderOptions(parts));
  try {
    return await work(opening);
  } finally {
    await opening.provider?.close?.().catch((error: unknown) => {
      options.notice(`The memory provider ${name} did not close: ${toErrorMessage(error)}`);
    });
  }
}

/** The owner alone, in no conversation. */
function describeVisit({ processEnv }: ServiceOptions) {
  const { root } = resolveHome(processEnv);
  return { sessionId: 'owner', platform: 'cli', isOwner: true, home: root, profile: toProfileName(root), role: 'flush' } as const;
}

/** Gives the variables that were set. The rest goes to the provider's own file, which only its owner can read. */
async function save(
  name: string,
  values: Readonly<Record<string, string>>,
  options: ServiceOptions,
  deps: MemoryProviderDeps,
): Promise<readonly string[]> {
  const { root } = resolveHome(options.processEnv);
  return withProvider(name, options, deps, async ({ provider }) => {
    const fields = provider?.configFields?.() ?? [];
    const plain: Record<string, string> = {};
    const secrets: (readonly [variable: string, value: string])[] = [];
    for (const [key, value] of Object.entries(values)) {
      const { secret, env_var: variable } = fields.find((field) => field.key === key) ?? {};
      if (secret === true && variable === undefined)
        throw new UsageError(`${name} asks for the secret ${key} and names no variable for it; nothing was saved.`);
      if (variable === undefined || (secret !== true && provider?.saveConfig !== undefined)) plain[key] = value;
      else secrets.push([variable, value]);
    }
    try {
      await provider?.saveConfig?.(plain, root);
    } catch (error) {
      throw new UsageError(`the memory provider ${name} could not keep its settings, so nothing was saved: ${toErrorMessage(error)}`);
    }
    const configuration = await deps.configuration();
    for (const [variable, value] of secrets) await configuration.set(variable, value);
    const file = join(root, `${name}.json`);
    if (existsSync(file)) chmodSync(file, 0o600);
    return secrets.map(([variable]) => variable);
  });
}

async function describeStatus(
  name: string,
  opening: MemoryProviderOpening,
  { registered }: ServiceOptions,
  { store }: MemoryProviderDeps,
  signal: AbortSignal,
): Promise<MemoryProviderStatus> {
  const hasCommands = registered.memoryProviders.get(name)?.commands !== undefined;
  if (!opening.ok) return { provider: name, ok: false, trouble: opening.why, ...(hasCommands && { hasCommands }) };
  const { provider } = opening;
  const late = new Error(`it did not answer within ${STATUS_MS / 1_000} s`);
  const asked = await runWithTimeout((deadline) => provider.status?.(AbortSignal.any([signal, deadline])), STATUS_MS, late).then(
    (words) => (words === undefined ? {} : { words }),
    (error: unknown) => ({ trouble: toErrorMessage(error) }),
  );
  const backlog = await (await store()).memory.backlog(provider.name);
  return { provider: name, ok: !('trouble' in asked), ...asked, backlog, ...(hasCommands && { hasCommands }) };
}
