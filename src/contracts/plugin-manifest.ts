import type { CommandParameters } from './command.ts';
import type { HookName } from './hooks.ts';
import type { JsonObject } from './message.ts';
import type { ProviderProfile } from './provider-profile.ts';
import type { SettingsSlice, SettingValues } from './settings.ts';

/** The version of the plugin contract that this program speaks. A manifest that names another is not used. */
export const PLUGIN_API = 1;

/**
 * What a plugin says of itself in `plugin.yaml`, read with limits and without running any of its code. Help, completion, the tool
 * table and the question for consent are made from it alone, so whatever is not listed here does not exist: a tool, a hook or a
 * command that the code registers and the manifest does not list is refused.
 */
export interface PluginManifest {
  /** Lower case letters, digits, `-` and `_`; by it the owner enables the plugin. */
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly api: typeof PLUGIN_API;
  /** The file that exports the plugin, relative to its folder: JavaScript, or TypeScript whose types can be stripped. Absent for a plugin that is data alone. */
  readonly entry?: string;
  readonly capabilities: PluginCapabilities;
  readonly tools: readonly PluginToolManifest[];
  readonly hooks: readonly HookName[];
  /** Slash commands of sessions. */
  readonly commands: readonly PluginCommandManifest[];
  /** Commands of a shell, each below the plugin's own name: `hermes NAME COMMAND`. */
  readonly cli: readonly PluginCommandManifest[];
  /** A folder of skills below the plugin's own. */
  readonly skills?: string;
  /** Sections of the system prompt; need the capability `prompt`. */
  readonly slots: readonly PluginSlotManifest[];
  /** The name by which `memory.provider` selects the one it brings. */
  readonly memoryProvider?: string;
  /** The name by which `context.engine` selects the one it brings. */
  readonly contextEngine?: string;
  /** Ids of the chat platforms it brings. */
  readonly platforms: readonly string[];
  /** Names of terminal back ends. */
  readonly terminals: readonly string[];
  /** Model providers, as data: no code is needed for one. */
  readonly providers: readonly ProviderProfile[];
  /** It adds to the terminal UI. */
  readonly widgets: boolean;
  /** By key, without the prefix; the owner sets them as `plugins.entries.NAME.settings.KEY`. */
  readonly settings: SettingsSlice;
}

/** What a plugin may do beyond computing. All of it is shown before the owner agrees, and nothing else is possible inside the sandbox. */
export interface PluginCapabilities {
  /** Hosts it may talk to, as `api.example.com` or `*.example.com`, each with an optional port. */
  readonly network: readonly string[];
  /** It may start programs, inside its sandbox. */
  readonly exec: boolean;
  /** Variables of the owner's environment or `.env` that it gets, by name. */
  readonly secrets: readonly string[];
  /** It may add words to the prompt: slots, and what `pre_llm_call` gives. */
  readonly prompt: boolean;
}

export interface PluginToolManifest {
  readonly name: string;
  /** With `input` left out: both are asked of the plugin once, when it is enabled, and kept with the hash of its content. */
  readonly description?: string;
  /** JSON Schema of an object. */
  readonly input?: JsonObject;
  /** `read` changes nothing anywhere; `write` changes something, be it only its own data or a service's. */
  readonly effects: 'read' | 'write';
  /** `never` when left out: a call that was cut off by a crash is not run again. */
  readonly replay: 'safe' | 'never';
  /** Toolsets that it joins, beside `plugin-NAME` and the usual one. */
  readonly toolsets: readonly string[];
  /** `timeout` in the manifest, in seconds: 60 when left out. */
  readonly timeoutMs: number;
}
export interface PluginCommandManifest {
  readonly name: string;
  readonly summary: string;
  /** Of a parameter, `kind`, `required`, `description` and `choices` can stand in the manifest. */
  readonly arguments: CommandParameters;
  readonly options: CommandParameters;
  /** Never for an agent, nor for others than the owner in a chat. */
  readonly ownerOnly: boolean;
}
export interface PluginSlotManifest {
  readonly name: string;
  /** Most characters; no more than `MAX_PLUGIN_SLOT`. */
  readonly cap: number;
}

/** Most characters of one section, and of all sections of plugins together. */
export const MAX_PLUGIN_SLOT = 4_000;
export const MAX_PLUGIN_SLOTS = 8_000;

/** Why code of a plugin must run inside this process, with all rights of the owner; empty for one that is isolated. */
export const listInProcessKinds = (manifest: PluginManifest): readonly string[] => [
  ...(manifest.contextEngine === undefined ? [] : ['a context engine']),
  ...(manifest.terminals.length === 0 ? [] : ['terminal back ends']),
  ...(manifest.widgets ? ['widgets of the terminal UI'] : []),
  ...(manifest.platforms.length === 0 ? [] : ['chat platforms']),
];

/** What a plugin is started with in a thread of its own, as plain data. */
export interface PluginStart {
  readonly path: string;
  /** Of the content that the owner agreed to. */
  readonly hash: string;
  /** The folder of copies of what was agreed to; it is loaded from the one with its hash. */
  readonly copies: string;
  readonly manifest: PluginManifest;
  readonly settings: SettingValues;
  readonly secrets: Readonly<Record<string, string>>;
  readonly dataFolder: string;
}

/** Where a plugin was found. */
export type PluginSource = 'bundled' | 'home' | 'project' | 'npm';
/**
 * Who wins when two plugins have the same name, first to last. Those that bring a memory provider have an order of their own: a
 * bundled one cannot be replaced.
 */
export const PLUGIN_PRECEDENCE: readonly PluginSource[] = ['home', 'project', 'npm', 'bundled'];
export const MEMORY_PLUGIN_PRECEDENCE: readonly PluginSource[] = ['bundled', 'home', 'project', 'npm'];
