import type { EngineFactory } from './context-engine.ts';
import type { HookMap, HookName } from './hooks.ts';
import type { MemoryProvider } from './memory-provider.ts';
import type { JsonObject } from './message.ts';
import type { PlatformKind } from './platform-adapter.ts';
import type { PromptContext } from './prompt.ts';
import type { CommandValues } from './command.ts';
import type { SettingsSlice, SliceValues } from './settings.ts';
import type { TerminalBackendFactory } from './terminal.ts';
import type { TerminalExtension } from './terminal-extension.ts';

/**
 * A plugin: what the entry of its folder exports as its default, made with `definePlugin`.
 *
 * Promises to a plugin:
 * - `setup` is called once in each process that runs it, before anything it added is used, and with settings that fit their fields;
 * - what it added is taken back in reverse order when the plugin is disabled, and so is everything when `setup` throws;
 * - whatever it throws costs the one call it was asked for, never a turn; only a `pre_tool_call` that fails blocks its call.
 *
 * Promises to the owner:
 * - none of its code runs before `hermes plugins enable NAME` was agreed to, nor after a byte of its folder changed;
 * - unless it brings an engine, a terminal back end, a platform or widgets, it runs in a process of its own, which is started by
 *   the first call and sees its own folder, its data folder and what its manifest declares, where there is a sandbox;
 * - what its tools answer is foreign to the agent, whatever the plugin says of it.
 */
export interface Plugin<Settings extends SettingsSlice = SettingsSlice> {
  /** As in `plugin.yaml`. */
  readonly name: string;
  /** The fields of `plugin.yaml` again, for the types of `setup`. Those of the manifest count. */
  readonly settings?: Settings;
  setup(host: PluginHost, settings: SliceValues<Settings>): void | Promise<void>;
}

/**
 * What a plugin adds to, by kind. Everything must be listed in the manifest; disposing what an `add` gives takes it back.
 * The last four are only there for plugins that run inside the program: elsewhere adding to them throws.
 */
export interface PluginHost {
  readonly name: string;
  /** The one folder it may write to, by the path it has for this process. It stays when the plugin is updated or disabled. */
  readonly dataFolder: string;
  /** The secrets that the manifest names and that are set. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Tells the owner something, in a line. The same words are told once. */
  notice(words: string): void;
  readonly tools: PluginShelf<PluginTool>;
  /** Hangs up a hook. What it is given is a copy; what it returns is checked as that of any other. */
  on<Name extends HookName>(hook: Name, run: HookMap[Name]): Disposable;
  readonly commands: PluginShelf<PluginCommand>;
  readonly cli: PluginShelf<PluginCommand>;
  readonly slots: PluginShelf<PluginSlot>;
  readonly memoryProviders: PluginShelf<MemoryProvider>;
  readonly engines: PluginShelf<NamedEngine>;
  readonly terminals: PluginShelf<NamedTerminal>;
  readonly platforms: PluginShelf<PlatformKind>;
  readonly widgets: PluginShelf<TerminalExtension>;
}
export interface PluginShelf<Item> {
  add(item: Item): Disposable;
}

/**
 * A tool of a plugin. How far a call reaches (effects, whether it may run again, its time) stands in the manifest; its words are
 * foreign ones of `plugin NAME`. A failure is thrown, or told with `failed`.
 */
export interface PluginTool<Input = JsonObject> {
  readonly name: string;
  /** Needed only where the manifest leaves them out. */
  readonly description?: string;
  readonly input?: JsonObject;
  /** Bivariant on purpose: the input has been checked against the schema. */
  run: { call(input: Input, context: PluginCallContext): PluginToolResult | Promise<PluginToolResult> }['call'];
}
export type PluginToolResult = string | { readonly text: string; readonly failed?: boolean; readonly data?: JsonObject };
export interface PluginCallContext {
  /** Aborted when the person stops the turn, or the call's time is up. */
  readonly signal: AbortSignal;
  readonly sessionId: string;
  readonly callId: string;
  /** Says how it goes, in a few words. */
  report(note: string): void;
}

/** A command, of a session or of a shell. What it takes stands in the manifest. What it returns is shown to the person as text. */
export interface PluginCommand {
  readonly name: string;
  run(values: CommandValues, context: PluginCommandContext): string | Promise<string>;
}
export interface PluginCommandContext {
  readonly signal: AbortSignal;
  readonly place: 'shell' | 'terminal' | 'chat';
}

/** A section of the system prompt: rendered once for each session, scanned, cut to its cap, and kept byte for byte. */
export interface PluginSlot {
  readonly name: string;
  render(context: PluginSlotContext): string | undefined | Promise<string | undefined>;
}
export type PluginSlotContext = Pick<PromptContext, 'model' | 'provider' | 'platform' | 'tools' | 'toolsets'>;

export interface NamedEngine {
  readonly name: string;
  readonly open: EngineFactory;
}
export interface NamedTerminal {
  readonly name: string;
  readonly open: TerminalBackendFactory;
}
