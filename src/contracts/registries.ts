import type { Home } from '../base/home.ts';
import type { Registry } from '../base/registry.ts';
import type { AnyCommand } from './command.ts';
import type { EngineFactory } from './context-engine.ts';
import type { HookRegistration } from './hooks.ts';
import type { MemoryProviderRegistration } from './memory-provider.ts';
import type { Platform } from './platform.ts';
import type { Ports } from './ports.ts';
import type { PromptSlot } from './prompt.ts';
import type { ProviderProfile } from './provider-profile.ts';
import type { SettingField, SettingValues } from './settings.ts';
import type { TerminalBackendFactory, Terminal } from './terminal.ts';
import type { AnyTool, Toolset } from './tool.ts';

/**
 * The open lists of a host. What we bring along stands in them from the start, under the name by which settings, options and
 * models know it; whoever has the host adds to them, takes the place of ours, removes what is not wanted and takes all of that back.
 *
 * Promises:
 * - what is added counts for sessions that are opened afterwards, and what is taken back is gone for them;
 * - a session keeps what there was when it was opened, also when it had to make room meanwhile, and so do its children: the
 *   bytes of its prompt stay the same;
 * - nothing is made before a session needs it: entries are data, or functions that make the thing.
 *
 * What has a name of its own (a tool, a toolset, a provider's profile, a command) is added under that name.
 */
export interface Registries {
  readonly tools: Registry<ToolRegistration>;
  readonly toolsets: Registry<Toolset>;
  /**
   * By key. The settings file may name a key, and gets its default, kind and range from here, for the next session after it
   * was added. What takes the place of one of ours has its kind. A key nobody has any more is
   * ignored with a notice, as any key nobody knows.
   */
  readonly settings: Registry<SettingField>;
  readonly providers: Registry<ProviderProfile>;
  /** By what `terminal.backend` says. */
  readonly terminals: Registry<TerminalBackendFactory>;
  /** By what `context.engine` says. `compressor` is always the built-in one. */
  readonly engines: Registry<EngineFactory>;
  /** By what `memory.provider` says. */
  readonly memoryProviders: Registry<MemoryProviderRegistration>;
  readonly platforms: Registry<Platform>;
  /** Beside those we bring along, which are loaded with the first that is given: here stands only what was added. */
  readonly commands: Registry<AnyCommand>;
  /** By a name of the adder's own, as in `plugin notes: pre_tool_call`. They run in the order in which they were added. */
  readonly hooks: Registry<HookRegistration>;
  /** Further sections of the system prompt; they stand behind ours. */
  readonly slots: Registry<PromptSlot>;
  /** Further folders of skills, by a name of the adder's own. */
  readonly skillFolders: Registry<string>;
}

/** What stood in the registries when a session was opened. */
export type RegistrySnapshot = {
  readonly [Kind in keyof Registries]: ReturnType<Registries[Kind]['entries']>;
};

/** A tool, as a session comes by it. */
export interface ToolRegistration {
  /** Toolsets it joins, besides those that name it. A tool that is in no toolset of a session is not in the session. */
  readonly toolsets?: readonly string[];
  /** Makes it for one session; nothing when the session cannot have it. */
  open(session: ToolSessionContext): AnyTool | undefined;
}

/** What a tool may know of the session it is made for. */
export interface ToolSessionContext {
  readonly home: Home;
  readonly settings: SettingValues;
  readonly platform: string;
  /** The folder the session works in. */
  readonly cwd: string;
  readonly terminal: Terminal;
  readonly ports: Ports;
  /** Tells the owner something. */
  readonly notice: (words: string) => void;
  /** The built-in tool of this name, for one that takes its place and leans on it. */
  builtin(name: string): AnyTool | undefined;
}
