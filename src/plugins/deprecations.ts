import type { PluginManifest } from '../contracts/plugin-manifest.ts';

/** What is known of a plugin's folder when deprecated things are looked for. */
export interface DeprecationQuestion {
  readonly manifest: PluginManifest;
  /** Its folder has a `plugin.yaml`. */
  readonly hasManifest: boolean;
}
/**
 * Something of the plugin contract that goes. It works as before for two minor versions after the one that says so, and every plugin
 * that uses it is named with what to write instead; only then the code behind it is removed, and the row with it.
 */
export interface Deprecation {
  readonly what: string;
  readonly instead: string;
  /** The first version that tells. */
  readonly since: string;
  /** The version that does not have it any more. */
  readonly goneIn: string;
  isUsed(plugin: DeprecationQuestion): boolean;
}

export const DEPRECATIONS: readonly Deprecation[] = [
  {
    what: 'A context engine without plugin.yaml',
    instead: 'Add a plugin.yaml, and export what definePlugin gives; examples/plugins/latest-turn shows both',
    since: '0.1.0',
    goneIn: '0.3.0',
    isUsed: ({ hasManifest }) => !hasManifest,
  },
];

/** Warnings for the owner and the author; none of the plugin's code runs. */
export const listDeprecated = (plugin: DeprecationQuestion): readonly string[] =>
  DEPRECATIONS.filter(({ isUsed }) => isUsed(plugin)).map(
    ({ what, instead, goneIn }) => `${what} works until version ${goneIn} and not in it. ${instead}.`,
  );
