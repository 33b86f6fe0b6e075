import { lazy } from '../../base/lazy.ts';
import type { PluginManifest } from '../../contracts/plugin-manifest.ts';
import { warnOfTaken, warnOfUnknownSets } from '../../plugins/taken-names.ts';

/** Says which names of a plugin Hermes has itself, and which of its toolsets nobody has. */
export function watchOwnNames(): (manifest: PluginManifest) => Promise<readonly string[]> {
  const own = lazy(listOwnNames);
  return async (manifest) => {
    const { names, sets } = await own();
    return [...warnOfTaken(manifest, names), ...warnOfUnknownSets(manifest, sets)];
  };
}

/** As names of plugins are told. */
async function listOwnNames(): Promise<{ readonly names: ReadonlySet<string>; readonly sets: ReadonlySet<string> }> {
  const [{ createRegistries }, { createBuiltinRegistry }, { listSlashNames }] = await Promise.all([
    import('../tools/registries.ts'),
    import('../../commands/builtin.ts'),
    import('../../commands/registry.ts'),
  ]);
  const { tools, toolsets, memoryProviders, providers, terminals } = createRegistries();
  const each = (kind: string, names: Iterable<string>): readonly string[] => [...names].map((name) => `the ${kind} ${name}`);
  const names = new Set([
    ...each('tool', tools.entries().keys()),
    ...each(
      'command',
      createBuiltinRegistry()
        .all()
        .flatMap(listSlashNames)
        .map((name) => `/${name}`),
    ),
    ...each('memory provider', memoryProviders.entries().keys()),
    ...each(
      'model provider',
      [...providers.entries().values()].flatMap(({ id, aliases }) => [id, ...aliases]),
    ),
    ...each('terminal back end', terminals.entries().keys()),
    'the context engine compressor',
  ]);
  return { names, sets: new Set(toolsets.entries().keys()) };
}
