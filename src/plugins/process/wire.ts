import type { Json, JsonObject } from '../../base/json-types.ts';
import type { PluginManifest } from '../../contracts/plugin-manifest.ts';

/** What the program and a plugin's process say to each other: a line of JSON each, of at most so many bytes. */
export const MAX_WIRE_BYTES = 4_000_000;

export type PluginMethod = 'setup' | 'ping' | 'tool' | 'hook' | 'command' | 'slot' | 'memory';

export type ToPlugin = { readonly id: number; readonly method: PluginMethod; readonly params: JsonObject } | { readonly cancel: number };

export type FromPlugin =
  /** Without `result` the answer is `undefined`. */
  | { readonly id: number; readonly result?: Json }
  | { readonly id: number; readonly error: string }
  | { readonly report: number; readonly note: string }
  | { readonly notice: string };

/** What `setup` is told. Paths are those the plugin's process sees. */
export interface SetupParams {
  readonly entry: string;
  readonly dataFolder: string;
  readonly manifest: PluginManifest;
  readonly settings: JsonObject;
  readonly secrets: Readonly<Record<string, string>>;
}
/** What came of it. */
export interface SetupReport {
  readonly tools: readonly { readonly name: string; readonly description?: string; readonly input?: JsonObject }[];
  readonly hooks: readonly string[];
  /** Members of its memory provider. */
  readonly memory?: readonly string[];
  /** Things that were added and not listed: they were refused. */
  readonly refused: readonly string[];
  /** Things that are listed and were not added. */
  readonly missing: readonly string[];
}
