/** The plugin surface: `import { definePlugin, defineTool } from 'hermes-ts/plugin'`. Stable within one `api` of the manifest. */
import type { Plugin, PluginTool } from './contracts/plugin.ts';
import type { SettingsSlice } from './contracts/settings.ts';

export type * from './contracts/plugin.ts';
export type {
  PluginCapabilities,
  PluginCommandManifest,
  PluginManifest,
  PluginSlotManifest,
  PluginToolManifest,
} from './contracts/plugin-manifest.ts';
export type * from './contracts/hooks.ts';
export type * from './contracts/hook-inputs.ts';
export type * from './contracts/memory-provider.ts';
export type {
  CompressRequest,
  CompressResult,
  ContextEngine,
  EngineFactory,
  EngineOptions,
  RequestContent,
} from './contracts/context-engine.ts';
export type { Entry } from './contracts/entry.ts';
export type { ViewMessage } from './contracts/provider.ts';
export type { ShellPlace, Terminal, TerminalBackend, TerminalBackendFactory, TerminalBackendOptions } from './contracts/terminal.ts';
export type * from './contracts/platform-adapter.ts';
export type { TerminalExtension } from './contracts/terminal-extension.ts';
export type { SettingField, SettingsSlice, SliceValues } from './contracts/settings.ts';
export type { Json, JsonObject } from './base/json-types.ts';

/** Gives the plugin as it is; there for its types. */
export const definePlugin = <const Settings extends SettingsSlice = SettingsSlice>(plugin: Plugin<Settings>): Plugin<Settings> => plugin;
/** Gives the tool as it is; there for its types. */
export const defineTool = <Input>(tool: PluginTool<Input>): PluginTool<Input> => tool;
