import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { lazy } from '../base/lazy.ts';
import type { EngineFactory } from '../contracts/context-engine.ts';
import type { PluginHost } from '../contracts/plugin.ts';
import type { PluginStart } from '../contracts/plugin-manifest.ts';
import { keepAgreedCopy } from './agreed-copy.ts';

/** `hermes-ts/plugin` is found from wherever a plugin lies. Asked for once a process. */
const resolvePluginEntry = lazy(async (): Promise<void> => {
  const { findRunnerFiles } = await import('./runner-files.ts');
  const { folder, entry } = findRunnerFiles();
  const url = pathToFileURL(join(folder, entry)).href;
  registerHooks({
    resolve: (specifier, context, next) => (specifier === 'hermes-ts/plugin' ? { url, shortCircuit: true } : next(specifier, context)),
  });
});

type InsideStart = Pick<PluginStart, 'path' | 'hash' | 'manifest' | 'copies'>;

/**
 * What its entry exports; one that exports an engine alone, as earlier versions had it, is made a plugin. It is loaded from the copy
 * that the owner agreed to: another version is another folder, so its modules are others too, and what is loaded later is the same.
 */
export async function importInside({ path, hash, manifest, copies }: InsideStart): Promise<unknown> {
  const { name, entry = '', contextEngine } = manifest;
  await resolvePluginEntry();
  const folder = keepAgreedCopy(path, hash, copies);
  if (folder === undefined) throw new Error(`its files changed since you enabled it; type: hermes plugins enable ${name}`);
  const url = pathToFileURL(join(folder, entry)).href;
  const loaded: { readonly default?: unknown; readonly contextEngine?: unknown } = await import(url);
  if (loaded.default !== undefined || contextEngine === undefined || typeof loaded.contextEngine !== 'function') return loaded.default;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what it makes is looked at when it is opened
  const open = loaded.contextEngine as EngineFactory;
  return { name, setup: (host: PluginHost): void => void host.engines.add({ name: contextEngine, open }) };
}
