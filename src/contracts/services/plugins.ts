import type { JsonObject } from '../../base/json-types.ts';
import type { PluginManifest, PluginSource } from '../plugin-manifest.ts';

/** The plugins of a home: what is there, what the owner agreed to, and which memory and which engine are in use. */
export interface PluginService {
  /** How much the data folder of a plugin may hold. */
  readonly maxDataBytes: number;
  /** Every plugin that was found, by name; none of their code runs for it. */
  list(): Promise<readonly PluginLine[]>;
  /** Throws a `UsageError` when there is none of this name. */
  info(name: string): Promise<PluginInfo>;
  /**
   * Lets a plugin run as its folder is now: keeps the hash of its content and what it declares. `hash` is that of the content the
   * owner was shown; when the folder has changed since, nothing is enabled. Starts the plugin once, to find out whether its
   * `setup` works and what its tools take. Sessions that are open stay as they are.
   */
  enable(name: string, hash: string): Promise<PluginInfo>;
  /** `false` when it was not enabled. Its data and settings stay. */
  disable(name: string): Promise<boolean>;
  /** What `memory.provider` and `context.engine` can say, and what they say. */
  choices(): Promise<PluginChoices>;
  /** Sets one or both. Throws a `UsageError` for a name that nothing answers to. */
  choose(chosen: { readonly memory?: string; readonly engine?: string }): Promise<PluginChoices>;
}

/**
 * `enabled`: it runs when it is needed. `disabled`: the owner never agreed, or took it back. `changed`: its content is not what was
 * agreed to, so it does not run. `grown`: changed, and it declares more than was agreed to. `broken`: it cannot be used, and `why`
 * says what to do. `shadowed`: another plugin of this name wins.
 */
export type PluginState = 'enabled' | 'disabled' | 'changed' | 'grown' | 'broken' | 'shadowed';

/**
 * `sandbox`: a process of its own behind a wall. `process`: a process of its own, but this machine has no sandbox, so it is not
 * isolated. `inside`: in this program, with all rights of the owner. `data`: it has no code.
 */
export type PluginIsolation = 'sandbox' | 'process' | 'inside' | 'data';

export interface PluginLine {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly source: PluginSource;
  readonly path: string;
  readonly state: PluginState;
  readonly isolation: PluginIsolation;
  /** Of one that is broken, and of an enabled one whose settings are wrong: it does not run either. */
  readonly why?: string;
}
export interface PluginInfo extends PluginLine {
  /** Of its content as it is now; empty when it is broken. */
  readonly hash: string;
  /** What the owner is asked to agree to, a sentence each; the gravest first. */
  readonly consent: readonly string[];
  /** What of that is new since the owner last agreed. */
  readonly grown: readonly string[];
  readonly warnings: readonly string[];
  readonly manifest?: PluginManifest;
  /** What its settings say now, by key; absent when one is wrong. */
  readonly settings?: JsonObject;
}

export interface PluginChoices {
  /** Empty: none. */
  readonly memory: string;
  readonly engine: string;
  readonly memories: readonly PluginChoice[];
  readonly engines: readonly PluginChoice[];
}
export interface PluginChoice {
  readonly name: string;
  readonly note?: string;
  /** A memory provider that works as it is. */
  readonly needsNoSetup?: true;
}
