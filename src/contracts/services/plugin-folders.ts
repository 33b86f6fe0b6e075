import type { PluginInfo } from './plugins.ts';

/**
 * The folders of plugins: how they come, change and go. Nothing here runs any code of a plugin, and nothing here enables one.
 *
 * Promises:
 * - a plugin is installed, updated or removed as a whole or not at all, also when the process is killed on the way: what was there
 *   before is put back by the next start;
 * - no file of a source leads out of the plugin's folder, and none is a link;
 * - dependencies lie inside of the plugin's own folder, exactly as its lock file says, and none of their scripts runs.
 */
export interface PluginFolderService {
  /** `source` is a folder, a `.tgz` or `.tar.gz` file, or the name of an npm package with the keyword `hermes-plugin`. */
  install(source: string, cwd: string): Promise<PluginPlacement>;
  /** From where it was installed, or from `source`. */
  update(name: string, cwd: string, source?: string): Promise<PluginPlacement>;
  /** Takes consent back, then the folder away. Its data and the owner's settings stay; gives where the data lies, if there is any. */
  remove(name: string): Promise<{ readonly name: string; readonly data?: string }>;
  /** Writes the folder of a new plugin that works and has a test. Gives its path and files. */
  create(name: string, cwd: string): Promise<{ readonly name: string; readonly path: string; readonly files: readonly string[] }>;
  /** What keeps plugins from working, with what to type for each; all plugins when no name is given. */
  check(name?: string): Promise<readonly PluginProblem[]>;
}

export interface PluginPlacement {
  /** The plugin as it stands now: what it wants, and what of that is new to the owner. */
  readonly plugin: PluginInfo;
  /** The version that was there before. */
  readonly previous?: string;
  /** `false` when the same bytes were there already. */
  readonly isNew: boolean;
}

export interface PluginProblem {
  readonly plugin: string;
  readonly problem: string;
  /** What to type or to change. */
  readonly fix: string;
  /** It still works. */
  readonly isWarning: boolean;
}
