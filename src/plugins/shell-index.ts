import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../base/folders.ts';
import { isObject, parseJson } from '../base/json.ts';
import { replaceFile } from '../base/replace-file.ts';
import type { AnyCommand } from '../contracts/command.ts';
import type { RegistrySnapshot } from '../contracts/registries.ts';
import type { PluginCommandManifest, PluginManifest } from '../contracts/plugin-manifest.ts';
import { hasPlugins, pluginIndexPath } from './index-file.ts';
import { wrapCommand } from './wrap/commands.ts';
import type { PluginProcess } from './process/plugin-process.ts';

/**
 * Commands of enabled plugins for a shell, in a file of their own: help reads this and opens no store. It only shows: what is given
 * is checked against the owner's consent before anything runs.
 */
/** Whether some of them add to the terminal UI. */
export const hasWidgets = (home: string): boolean => readShellIndex(home).some(({ widgets }) => widgets);

export function writeShellIndex(home: string, manifests: readonly PluginManifest[]): void {
  makeFolder(dirname(pluginIndexPath(home)));
  const rows = manifests.map(({ name, cli, widgets, terminals, memoryProvider }): IndexRow => ({
    name,
    cli,
    widgets,
    terminals,
    ...(memoryProvider !== undefined && { memory: memoryProvider }),
  }));
  replaceFile(
    pluginIndexPath(home),
    `${JSON.stringify(rows.filter(({ cli, widgets, terminals }) => widgets || cli.length + terminals.length > 0))}\n`,
    0o600,
  );
}

interface IndexRow {
  readonly name: string;
  readonly cli: readonly PluginCommandManifest[];
  readonly widgets: boolean;
  /** Settings may name them before the store is open. */
  readonly terminals: readonly string[];
  /** The memory provider it brings. */
  readonly memory?: string;
}
/** Our own file; at worst help shows nonsense. */
const isRow = (row: unknown): row is IndexRow => isObject(row) && Array.isArray(row['cli']) && Array.isArray(row['terminals']);
function readShellIndex(home: string): readonly IndexRow[] {
  if (!hasPlugins(home)) return [];
  const rows = parseJson(readFileSync(pluginIndexPath(home), 'utf8'));
  return Array.isArray(rows) ? rows.filter(isRow) : [];
}

/**
 * `open` starts the plugin of this name, if the owner's consent holds. Those of a plugin that brings a memory provider exist while
 * it is the one in use, as those of our own providers do.
 */
export const listShellCommands = (
  home: string,
  memoryInUse: string | undefined,
  open: (plugin: string) => Promise<PluginProcess>,
): readonly AnyCommand[] =>
  readShellIndex(home)
    .filter(({ memory }) => memory === undefined || memory === memoryInUse)
    .flatMap(({ name, cli }) => cli.map((command) => wrapCommand(name, command, 'cli', () => open(name))));

/** The tables by which settings are read, with the back ends of plugins that are not added yet. */
export function withPluginTerminals<Tables extends Pick<RegistrySnapshot, 'terminals'>>(tables: Tables, home: string): Tables {
  const names = readShellIndex(home).flatMap(({ terminals }) => terminals);
  if (names.length === 0) return tables;
  const refuse = (name: string) => (): never => {
    throw new Error(`the plugin that brings the terminal back end ${name} is not enabled. Type: hermes plugins list`);
  };
  return { ...tables, terminals: new Map([...names.map((name) => [name, refuse(name)] as const), ...tables.terminals]) };
}
