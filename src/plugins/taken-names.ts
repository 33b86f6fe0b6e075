import type { PluginManifest } from '../contracts/plugin-manifest.ts';

/** What a plugin brings under a name that others can have too, in words. */
export const listNames = (manifest: PluginManifest): readonly string[] => [
  ...manifest.tools.map(({ name }) => `the tool ${name}`),
  ...manifest.commands.map(({ name }) => `the command /${name}`),
  ...(manifest.memoryProvider === undefined ? [] : [`the memory provider ${manifest.memoryProvider}`]),
  ...(manifest.contextEngine === undefined ? [] : [`the context engine ${manifest.contextEngine}`]),
  ...manifest.platforms.map((name) => `the platform ${name}`),
  ...manifest.terminals.map((name) => `the terminal back end ${name}`),
  ...manifest.providers.flatMap(({ id, aliases }) => [id, ...aliases].map((name) => `the model provider ${name}`)),
];

/** What Hermes has of the same name wins: the plugin's is left out. */
export const warnOfTaken = (manifest: PluginManifest, own: ReadonlySet<string>): readonly string[] =>
  listNames(manifest)
    .filter((what) => own.has(what))
    .map((what) => `It brings ${what}, but Hermes has one of that name, so the plugin's is left out.`);

/** A tool joins nothing by a name that no toolset has. Those of other plugins may come later. */
export const warnOfUnknownSets = (manifest: PluginManifest, sets: ReadonlySet<string>): readonly string[] =>
  manifest.tools.flatMap(({ name, toolsets }) =>
    toolsets
      .filter((set) => !sets.has(set) && !set.startsWith('plugin-'))
      .map((set) => `The tool ${name} joins the toolset ${set}, which does not exist, so that has no effect.`),
  );

/** The first name that another plugin brings too, and whose. */
export function findRival(
  manifest: PluginManifest,
  others: readonly PluginManifest[],
): { readonly what: string; readonly plugin: string } | undefined {
  const names = new Set(listNames(manifest));
  for (const other of others) {
    const what = listNames(other).find((name) => names.has(name));
    if (what !== undefined) return { what, plugin: other.name };
  }
  return undefined;
}
